// Which memory instruction of a profile hits where. A profile counts what each instruction touches,
// but hits and misses only for the whole kernel; here they are shared out.
//
// Data in a row are met for the first time by what comes first in the code, so the misses are given
// to their loads in that order, those of one straight piece of code or of one loop together; what
// is left is shared alike by scattered loads. DRAM's sectors, the sectors that cross between the
// halves of L2, and the atomics' requests are counts of the profile too.
#pragma once

#include <vector>

#include "sim/import/ncu_raw.hpp"
#include "sim/import/ncu_source.hpp"
#include "sim/kernel/sass_listing.hpp"

namespace smsim {

/// Sets hit rates, DRAM sectors, dirty and partial shares, and the sectors and addresses of atomics
/// in `lines`, which stand for the first rows of `source`.
void share_out_traffic(const NcuLaunch& launch, const NcuSourceBlock& source,
                       std::vector<sass::SassLine>& lines);

}  // namespace smsim
