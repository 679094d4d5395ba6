#include "sim/import/accelsim_writer.hpp"

#include <fmt/format.h>

#include <bit>
#include <iterator>
#include <ostream>
#include <span>
#include <utility>

namespace smsim {

namespace {

using Addresses = std::span<const std::uint64_t>;

std::int64_t distance(std::uint64_t from, std::uint64_t to) {
  return static_cast<std::int64_t>(to - from);
}

// As the tracer decides it: one run of at least two lanes, and a stride that its reader can hold.
bool has_stride(std::uint32_t mask, Addresses addresses) {
  const std::uint32_t run = mask >> std::countr_zero(mask);
  if (addresses.size() < 2 || (run & (run + 1)) != 0) {
    return false;
  }
  const std::int64_t stride = distance(addresses[0], addresses[1]);
  if (stride != static_cast<std::int32_t>(stride)) {
    return false;
  }
  for (std::size_t i = 2; i < addresses.size(); ++i) {
    if (distance(addresses[i - 1], addresses[i]) != stride) {
      return false;
    }
  }
  return true;
}

class BlockText {
 public:
  explicit BlockText(std::string& text) : text_(text) {}

  template <class... Parts>
  void add(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Parts>(parts)...);
  }

  void add_instruction(const AccelsimInstruction& instruction, const AccelsimWarp& warp,
                       const std::string& opcode) {
    add("{:04x} {:08x} {}", instruction.pc, instruction.mask, instruction.destinations);
    add_registers(instruction, 0, instruction.destinations);
    add(" {} {}", opcode, instruction.sources);
    add_registers(instruction, instruction.destinations, instruction.sources);
    const auto lanes = static_cast<unsigned>(std::popcount(instruction.mask));
    const bool is_known = instruction.addresses == lanes;
    const int width = is_known ? instruction.width_bytes : 0;
    add(" {}", width);
    if (width > 0 && lanes == 0) {
      text_ += " 1 0x0 0";  // what the tracer's search for a stride leaves
    } else if (width > 0) {
      add_addresses(instruction.mask,
                    Addresses(warp.addresses).subspan(instruction.first_address, lanes));
    }
    add(" {}\n", instruction.immediate);
  }

 private:
  void add_registers(const AccelsimInstruction& instruction, std::size_t first, std::size_t count) {
    for (const std::uint16_t number : std::span(instruction.registers).subspan(first, count)) {
      if (number >= kFirstUniformPredicate) {
        add(" UP{}", number - kFirstUniformPredicate);
      } else if (number >= kFirstPredicate) {
        add(" P{}", number - kFirstPredicate);
      } else if (number >= kFirstUniformRegister) {
        add(" UR{}", number - kFirstUniformRegister);
      } else {
        add(" R{}", number);
      }
    }
  }

  void add_addresses(std::uint32_t mask, Addresses addresses) {
    if (has_stride(mask, addresses)) {
      add(" 1 0x{:x} {}", addresses[0], distance(addresses[0], addresses[1]));
      return;
    }
    const std::size_t begin = text_.size();
    add(" 2 0x{:x}", addresses[0]);
    for (std::size_t i = 1; i < addresses.size(); ++i) {
      add(" {}", distance(addresses[i - 1], addresses[i]));
    }
    constexpr std::size_t kModeLength = 2;
    constexpr std::size_t kAddressLength = 19;
    if (text_.size() - begin <= kModeLength + addresses.size() * kAddressLength) {
      return;
    }
    text_.resize(begin);
    text_ += " 0";
    for (const std::uint64_t address : addresses) {
      add(" 0x{:016x}", address);
    }
  }

  std::string& text_;
};

}  // namespace

AccelsimWriter::AccelsimWriter(std::ostream& out, const AccelsimHeader& header) : out_(out) {
  BlockText text(text_);
  text.add("-kernel name = {}\n-kernel id = {}\n", header.kernel_name, header.kernel_id);
  text.add("-grid dim = ({},{},{})\n", header.grid.x, header.grid.y, header.grid.z);
  text.add("-block dim = ({},{},{})\n", header.block.x, header.block.y, header.block.z);
  text.add("-shmem = {}\n-nregs = {}\n", header.smem_bytes, header.registers);
  text.add("-binary version = {}\n-cuda stream id = {}\n", header.binary_version,
           header.cuda_stream);
  text.add("-shmem base_addr = 0x{:016x}\n-local mem base_addr = 0x{:016x}\n", header.smem_base,
           header.local_base);
  text.add("-nvbit version = {}\n", header.nvbit_version);
  text.add("-accelsim tracer version = 5\n-enable lineinfo = 0\n\n");
  text.add(
      "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
      "mem_width [adrrescompress?] [mem_addresses] immediate\n\n");
  out_ << text_;
}

void AccelsimWriter::write(const AccelsimBlock& block, const std::vector<std::string>& opcodes) {
  text_.clear();
  BlockText text(text_);
  text.add("\n#BEGIN_TB\n\nthread block = {},{},{}\n", block.id.x, block.id.y, block.id.z);
  for (const AccelsimWarp& warp : block.warps) {
    text.add("\nwarp = {}\ninsts = {}\n", warp.warp, warp.code.size());
    for (const AccelsimInstruction& instruction : warp.code) {
      text.add_instruction(instruction, warp, opcodes[instruction.opcode]);
    }
  }
  text_ += "\n#END_TB\n";
  out_ << text_;
}

}  // namespace smsim
