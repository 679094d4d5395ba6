#include "sim/import/trace_stream.hpp"

#include "sim/import/accelsim_reader.hpp"

namespace smsim {

namespace {

class FileStream : public TraceStream {
 public:
  explicit FileStream(const std::string& path) : reader_(path) {}
  const AccelsimHeader& header() const override { return reader_.header(); }
  const std::vector<std::string>& opcodes() const override { return reader_.opcodes(); }
  bool next_block(AccelsimBlock& block) override { return reader_.next_block(block); }
  void rewind() override { reader_.rewind(); }

 private:
  AccelsimReader reader_;
};

}  // namespace

std::unique_ptr<TraceStream> open_trace_file(const std::string& path) {
  return std::make_unique<FileStream>(path);
}

}  // namespace smsim
