#include "tests/cli/kernels.hpp"

#include "tests/cli/tool.hpp"

namespace smsim::test {
namespace {

const ScratchFolder& folder() {
  static const ScratchFolder kFolder;
  return kFolder;
}

}  // namespace

std::string small_kernel() {
  return folder().write("small.yaml",
                        "name: small\n"
                        "params: {n: 16384, block: 128}\n"
                        "launch: {grid: ceil(n / block), block: block}\n"
                        "arrays: {X: 4 * n, Y: 4 * n}\n"
                        "program:\n"
                        "  - x: {op: LDG, array: X, index: i}\n"
                        "  - y: {op: FFMA, src: [x, x, x]}\n"
                        "  - {op: STG, array: Y, index: i, src: y}\n");
}

std::string long_kernel() {
  return folder().write("long.yaml",
                        "name: long\n"
                        "launch: {grid: 100000000, block: 256}\n"
                        "scalars: [a]\n"
                        "arrays: {Y: 1024}\n"
                        "program:\n"
                        "  - x: {op: MOV, src: 0}\n"
                        "  - for: {trips: 1000, body: [{x: {op: FFMA, src: [x, a, x]}}]}\n"
                        "  - {op: STG, array: Y, index: tid, src: x}\n");
}

std::string stuck_kernel() {
  return folder().write("stuck.yaml",
                        "name: stuck\n"
                        "launch: {grid: 2, block: 64}\n"
                        "arrays: {X: 256}\n"
                        "program:\n"
                        "  - if: {when: tid < 32, then: [{barrier: {id: 1, threads: 64}}]}\n"
                        "  - x: {op: LDG, array: X, index: tid}\n");
}

std::string too_big_kernel() {
  return folder().write("too_big.yaml",
                        "name: too_big\n"
                        "launch: {grid: 1, block: 256, smem_dynamic: 300000}\n"
                        "arrays: {X: 1024}\n"
                        "program:\n"
                        "  - x: {op: LDG, array: X, index: tid}\n");
}

std::string random_kernel() {
  return folder().write("random.yaml",
                        "name: random\n"
                        "launch: {grid: 600, block: 96}\n"
                        "scalars: [a]\n"
                        "arrays: {X: 400000, Y: 400000}\n"
                        "program:\n"
                        "  - x: {op: LDG, array: X, index: i}\n"
                        "  - for:\n"
                        "      per: warp\n"
                        "      trips: {distribution: exponential, mean: 20}\n"
                        "      body:\n"
                        "        - x: {op: FFMA, src: [x, a, x]}\n"
                        "        - y: {op: LDG, array: Y, index: i}\n"
                        "  - {op: STG, array: X, index: i, src: x}\n");
}

}  // namespace smsim::test
