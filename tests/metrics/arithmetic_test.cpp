#include "sim/metrics/arithmetic.hpp"

#include <string>

#include "tests/catch.hpp"

using namespace smsim;

TEST_CASE("the mnemonic of a line is found behind predicates") {
  CHECK(mnemonic("FFMA R0, R1, R2, R3 ;") == "FFMA");
  CHECK(mnemonic("@!P0 FADD.FTZ R0, R1, R2 ;") == "FADD.FTZ");
  CHECK(mnemonic("  { @P1 EXIT ;") == "EXIT");
  CHECK(mnemonic("EXIT;") == "EXIT");
  CHECK(mnemonic("@P0").empty());
  CHECK(mnemonic("").empty());
}

TEST_CASE("arithmetic is counted per lane, a fused multiply-add twice") {
  CHECK(arithmetic_of("FFMA R0, R1, R2, R3").operations_per_lane == 2);
  CHECK(arithmetic_of("FADD R0, R1, R2").operations_per_lane == 1);
  CHECK(std::string(arithmetic_of("DFMA R0, R2, R4, R6").precision) == "fp64");
  CHECK(arithmetic_of("HFMA2 R0, R1, R2, R3").operations_per_lane == 4);
  CHECK(arithmetic_of("HFMA2.MMA R0, R1, R2, R3").operations_per_lane == 4);
  CHECK(arithmetic_of("IADD3 R0, R1, R2, R3").operations_per_lane == 0);
  CHECK(std::string(arithmetic_of("LDG.E R0, [R2]").precision).empty());
}

TEST_CASE("matrix instructions are counted by their shape") {
  CHECK(arithmetic_of("HMMA.16816.F32 R0, R4, R8, R0").operations_per_warp == 2 * 16 * 8 * 16);
  CHECK(arithmetic_of("HMMA.1688.F32 R0, R4, R8, R0").operations_per_warp == 2 * 16 * 8 * 8);
  // Four warps issue a warp-group instruction together.
  CHECK(arithmetic_of("HGMMA.64x256x16.F32 R24, gdesc[UR4]").operations_per_warp ==
        2 * 64 * 256 * 16 / 4.0);
  CHECK(arithmetic_of("HMMA.STRANGE R0, R4, R8, R0").operations_per_warp == 0);
}
