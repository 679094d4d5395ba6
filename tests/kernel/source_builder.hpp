// Kernel sources in a few words, for tests of the assembler.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/kernel/assembler.hpp"

namespace smsim::test {

inline KernelSource kernel_source(std::uint64_t blocks = 4, std::uint64_t threads = 128) {
  KernelSource source;
  source.name = "test";
  source.launch.grid.x = blocks;
  source.launch.block.x = threads;
  for (const char* name : {"A", "B", "C"}) {
    ArraySource array;
    array.array.name = name;
    array.array.bytes = 1 << 20;
    source.arrays.push_back(array);
  }
  ArraySource shared;
  shared.array.name = "s";
  shared.array.bytes = 4096;
  shared.space = Space::shared;
  source.arrays.push_back(shared);
  source.scalars = {"a", "b"};
  return source;
}

inline Statement statement(Statement::What what, int line = 1) {
  return {{line, 1}, std::move(what)};
}

inline Statement op(const std::string& result, const std::string& name,
                    const std::vector<std::string>& sources, int line = 1) {
  OperationStatement made;
  if (!result.empty()) {
    made.result = ValueSource{result, {line, 1}};
  }
  made.op = name;
  for (const std::string& source : sources) {
    made.sources.push_back({source, {line, 1}});
  }
  return statement(made, line);
}

inline Statement load(const std::string& result, const std::string& name, const std::string& array,
                      const std::string& index, int bytes = 4, int line = 1) {
  Statement made = op(result, name, {}, line);
  AccessSource access;
  access.array = array;
  access.index.terms = {{index, 1}};
  access.bytes = bytes;
  std::get<OperationStatement>(made.what).access = access;
  return made;
}

inline Statement store(const std::string& name, const std::string& array, const std::string& index,
                       const std::string& value, int bytes = 4, int line = 1) {
  Statement made = load("", name, array, index, bytes, line);
  std::get<OperationStatement>(made.what).sources = {{value, {line, 1}}};
  return made;
}

inline Statement loop(std::uint64_t trips, std::uint64_t unroll, Body body,
                      const std::string& index = "") {
  ForStatement made;
  made.trips.count = trips;
  made.unroll = unroll;
  made.index = index;
  made.body = std::move(body);
  return statement(made);
}

/// Mnemonics of a program, without modifiers, separated by spaces.
inline std::string mnemonics(const Assembly& assembly) {
  std::string all;
  for (const sass::Draft& draft : assembly.drafts.code) {
    if (!draft.is_label()) {
      all += (all.empty() ? "" : " ") + draft.mnemonic;
    }
  }
  return all;
}

}  // namespace smsim::test
