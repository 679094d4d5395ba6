#include "sim/metrics/arithmetic.hpp"

#include <array>
#include <cctype>
#include <charconv>

namespace smsim {
namespace {

struct Row {
  std::string_view opcode;
  const char* precision;
  double per_lane;
};

constexpr Row kScalar[] = {
    {"FFMA", "fp32", 2},  {"FADD", "fp32", 1},  {"FMUL", "fp32", 1},  {"FFMA2", "fp32", 4},
    {"FADD2", "fp32", 2}, {"FMUL2", "fp32", 2}, {"MUFU", "fp32", 1},  {"DFMA", "fp64", 2},
    {"DADD", "fp64", 1},  {"DMUL", "fp64", 1},  {"HFMA2", "fp16", 4}, {"HADD2", "fp16", 2},
    {"HMUL2", "fp16", 2},
};

constexpr Row kMatrix[] = {
    {"HMMA", "tensor fp16", 0}, {"HGMMA", "tensor fp16", 0}, {"QGMMA", "tensor fp8", 0},
    {"QMMA", "tensor fp8", 0},  {"IMMA", "tensor int8", 0},  {"IGMMA", "tensor int8", 0},
    {"DMMA", "tensor fp64", 0},
};

std::string_view opcode_of(std::string_view name) {
  return name.substr(0, name.find('.'));
}

double to_number(std::string_view digits) {
  int value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

bool all_digits(std::string_view text) {
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
      return false;
    }
  }
  return !text.empty();
}

// "64x128x16" -> 64 * 128 * 16; 0 when it is not of that form.
double product_of_dimensions(std::string_view part) {
  double product = 1;
  int factors = 0;
  while (!part.empty()) {
    const std::size_t end = part.find('x');
    const std::string_view factor = part.substr(0, end);
    if (!all_digits(factor)) {
      return 0;
    }
    product *= to_number(factor);
    ++factors;
    part = end == std::string_view::npos ? std::string_view() : part.substr(end + 1);
  }
  return factors == 3 ? product : 0;
}

// SASS writes m, n and k of small matrix instructions as one number.
double packed_shape(std::string_view digits) {
  struct Shape {
    std::string_view digits;
    double product;
  };
  constexpr Shape kShapes[] = {
      {"884", 8 * 8 * 4},     {"1684", 16 * 8 * 4},   {"1688", 16 * 8 * 8}, {"16816", 16 * 8 * 16},
      {"16832", 16 * 8 * 32}, {"16864", 16 * 8 * 64}, {"8816", 8 * 8 * 16}, {"8832", 8 * 8 * 32}};
  for (const Shape& shape : kShapes) {
    if (shape.digits == digits) {
      return shape.product;
    }
  }
  return 0;
}

double matrix_products(std::string_view name) {
  while (!name.empty()) {
    const std::size_t end = name.find('.');
    const std::string_view part = name.substr(0, end);
    const double product = all_digits(part) ? packed_shape(part) : product_of_dimensions(part);
    if (product > 0) {
      return product;
    }
    name = end == std::string_view::npos ? std::string_view() : name.substr(end + 1);
  }
  return 0;
}

// Warp-group instructions are issued by four warps, and their shape is what the four do together.
double warps_of(std::string_view opcode) {
  return opcode.find("GMMA") == std::string_view::npos ? 1 : 4;
}

}  // namespace

std::string_view mnemonic(std::string_view text) {
  constexpr std::string_view kBlank = " \t{";
  std::size_t begin = text.find_first_not_of(kBlank);
  if (begin != std::string_view::npos && text[begin] == '@') {
    begin = text.find_first_of(kBlank, begin);
    begin = begin == std::string_view::npos ? begin : text.find_first_not_of(kBlank, begin);
  }
  if (begin == std::string_view::npos) {
    return {};
  }
  const std::size_t end = text.find_first_of(" \t;", begin);
  return text.substr(begin, end == std::string_view::npos ? end : end - begin);
}

Arithmetic arithmetic_of(std::string_view text) {
  const std::string_view name = mnemonic(text);
  const std::string_view opcode = opcode_of(name);
  for (const Row& row : kScalar) {
    if (row.opcode == opcode) {
      return {row.precision, row.per_lane, 0};
    }
  }
  for (const Row& row : kMatrix) {
    if (row.opcode == opcode) {
      return {row.precision, 0, 2 * matrix_products(name) / warps_of(opcode)};
    }
  }
  return {};
}

}  // namespace smsim
