// One letter for every warp state, where there is no room for its name.
#pragma once

#include <array>

#include "smsim/counters.hpp"

namespace smsim {

inline constexpr char kIssueMark = '*';

/// By WarpState. Upper case is kept for "and the warp issued besides".
inline constexpr std::array<char, kWarpStates> kStateLetters = {
    'b',  // barrier
    'r',  // branch_resolving
    'd',  // dispatch_stall
    'o',  // drain: stores on their way out
    'g',  // gmma
    'c',  // imc_miss
    'q',  // lg_throttle: queue full
    'l',  // long_scoreboard
    'p',  // math_pipe_throttle
    'f',  // membar: fence
    'm',  // mio_throttle
    'x',  // misc
    'i',  // no_instruction
    'n',  // not_selected
    kIssueMark,
    's',  // short_scoreboard
    'z',  // sleeping
    't',  // tex_throttle
    'w',  // wait
};

inline char letter_of(WarpState state) {
  return kStateLetters[static_cast<std::size_t>(state)];
}

}  // namespace smsim
