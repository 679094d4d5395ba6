#include "smsim/counters.hpp"

namespace smsim {

const std::array<const char*, kWarpStates> kWarpStateNames = {"barrier",
                                                              "branch_resolving",
                                                              "dispatch_stall",
                                                              "drain",
                                                              "gmma",
                                                              "imc_miss",
                                                              "lg_throttle",
                                                              "long_scoreboard",
                                                              "math_pipe_throttle",
                                                              "membar",
                                                              "mio_throttle",
                                                              "misc",
                                                              "no_instruction",
                                                              "not_selected",
                                                              "selected",
                                                              "short_scoreboard",
                                                              "sleeping",
                                                              "tex_throttle",
                                                              "wait"};

}  // namespace smsim
