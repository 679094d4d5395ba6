// A program of somebody else's: finds smsim by find_package and asks it one question.
#include <smsim/gpu_file.hpp>
#include <smsim/occupancy.hpp>

int main() {
  smsim::BlockRequest request;
  request.threads = 256;
  request.registers = 40;
  const int expected = 6;
  return smsim::occupancy(smsim::load_gpu("h200").spec, request).blocks_per_sm == expected ? 0 : 1;
}
