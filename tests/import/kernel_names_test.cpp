#include "sim/import/kernel_names.hpp"

#include "tests/import/import_test_support.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

using Indices = std::vector<std::size_t>;

Indices matches(const std::string& name, const std::vector<std::string>& mangled) {
  std::vector<SassFunction> functions;
  for (const std::string& one : mangled) {
    functions.emplace_back();
    functions.back().mangled_name = one;
  }
  return matching_functions(name, functions);
}

}  // namespace

TEST_CASE("Nsight's spelling and the demangler's are the same kernel") {
  CHECK(same_kernel("saxpy(int, float, const float *, float *)", "_Z5saxpyifPKfPf"));
  CHECK(same_kernel("void saxpy<256>(int, float, const float *, float *)",
                    "_Z5saxpyILi256EEvifPKfPf"));
  CHECK(same_kernel("void saxpy<(int)256>(int, float, const float *, float *)",
                    "void saxpy<256>(int, float, const float *, float *)"));
  CHECK(same_kernel("void k<(bool)1, (unsigned int)3, (int)-2>(unsigned long)",
                    "_Z1kILb1ELj3ELin2EEvm"));
  CHECK(same_kernel("void k<const float *>(const float *)", "_Z1kIPKfEvT_"));
  CHECK(same_kernel("histogram_global(int, const unsigned int *, unsigned int *)",
                    "_Z16histogram_globaliPKjPj"));
  CHECK(same_kernel("hmma(const __half *, const __half *)", "_Z4hmmaPK6__halfS1_"));
  CHECK(same_kernel("ns::k(const ns::Item<int> &)", "_ZN2ns1kERKNS_4ItemIiEE"));
  CHECK(same_kernel("void k<std::vector<int, std::allocator<int>>>(int)",
                    "void k<std::__1::vector<int, std::__1::allocator<int> > >(int)"));
  CHECK(same_kernel("<unnamed>::k(int)", "_ZN12_GLOBAL__N_11kEi"));
  CHECK(same_kernel("(anonymous namespace)::k(int)", "_ZN12_GLOBAL__N_11kEi"));
  CHECK(same_kernel("saxpy", "saxpy"));  // extern "C"
}

TEST_CASE("lambdas by their number") {
  const std::string ours = "void run<main::{lambda(int)#2}>(main::{lambda(int)#2})";
  CHECK(same_kernel("void run<main::[lambda(int) (instance 2)]>(main::[lambda(int) (instance 2)])",
                    ours));
  CHECK(!same_kernel("void run<main::[lambda(int) (instance 1)]>(main::[lambda(int) (instance 1)])",
                     ours));
}

TEST_CASE("different kernels stay different") {
  CHECK(!same_kernel("saxpy(int, float, const float *, float *)", "_Z5saxpyifPfS_"));
  CHECK(!same_kernel("void saxpy<128>(int, float, const float *, float *)",
                     "_Z5saxpyILi256EEvifPKfPf"));
  CHECK(!same_kernel("k(float *const)", "k(const float *)"));
  CHECK(!same_kernel("k(int)", "kk(int)"));
  CHECK(!same_kernel("k(int)", "ns::k(int)"));
}

TEST_CASE("a name without parameters is every kernel of that name, when asked loosely") {
  CHECK(same_kernel("saxpy", "_Z5saxpyILi256EEvifPKfPf", true));
  CHECK(same_kernel("saxpy<256>", "_Z5saxpyILi256EEvifPKfPf", true));
  CHECK(same_kernel("k", "ns::k(int)", true));
  CHECK(!same_kernel("saxpy<128>", "_Z5saxpyILi256EEvifPKfPf", true));
  CHECK(!same_kernel("saxpy(int)", "_Z5saxpyILi256EEvifPKfPf", true));
  CHECK(!same_kernel("axpy", "_Z5saxpyifPKfPf", true));
  CHECK(!same_kernel("saxpy", "_Z5saxpyifPKfPf"));
}

TEST_CASE("all functions that fit are given, the exact ones if there are any") {
  const std::vector<std::string> functions{"_Z5saxpyILi128EEvifPKfPf", "_Z5saxpyILi256EEvifPKfPf",
                                           "_Z5triadPf", "saxpy"};
  CHECK(matches("void saxpy<(int)256>(int, float, const float *, float *)", functions) ==
        Indices{1});
  CHECK(matches("saxpy", functions) == Indices{3});
  CHECK(matches("triad", functions) == Indices{2});
  CHECK(matches("void saxpy<512>(int, float, const float *, float *)", functions) == Indices{3});
  CHECK(matches("nbody", functions).empty());
  CHECK(matches("saxpy", {functions[0], functions[1]}) == Indices{0, 1});
  CHECK(matches("_Z5triadPf", functions) == Indices{2});
}

TEST_CASE("names that are hostile to a parser do no harm") {
  for (const char* name : {"", "<", ">", "(", "k<(", "[lambda(", "{lambda(int)#", "const", "void",
                           "_Z", "@", "k<(int)", "::", "const const const *"}) {
    INFO(name);
    CHECK(same_kernel(name, name));
    CHECK(!same_kernel(name, "k(int)"));
  }
}
