// Kernel files that many tests of the command line need; they live as long as the test run.
#pragma once

#include <string>

namespace smsim::test {

std::string small_kernel();    // completes in a few thousand cycles
std::string long_kernel();     // takes minutes
std::string stuck_kernel();    // a named barrier that half of its warps never reach
std::string too_big_kernel();  // more shared memory than an SM has
std::string random_kernel();   // trip counts drawn from a distribution

}  // namespace smsim::test
