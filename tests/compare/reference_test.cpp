// Which folders are references, and what their reference.yaml may say.
#include "sim/compare/reference.hpp"

#include "smsim/diagnostic.hpp"
#include "tests/catch.hpp"
#include "tests/scratch_folder.hpp"

using namespace smsim;
using smsim::test::ScratchFolder;

namespace {

namespace fs = std::filesystem;

/// A folder in which files are made, those above them as well.
struct Tree {
  ScratchFolder scratch;

  std::string path(const std::string& name = "") const { return scratch.path(name); }
  const Tree& add(const std::string& file, const std::string& text = "x\n") const {
    fs::create_directories(fs::path(path(file)).parent_path());
    scratch.write(file, text);
    return *this;
  }
};

std::vector<std::string> names(const std::vector<Reference>& references) {
  std::vector<std::string> out;
  for (const Reference& reference : references) {
    out.push_back(reference.name);
  }
  return out;
}

std::string refusal(const std::string& dir) {
  try {
    find_references(dir);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void has(const std::string& all, const std::string& part) {
  INFO("found: " << all << "\nwanted: " << part);
  CHECK(all.find(part) != std::string::npos);
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("folders with raw.csv or reference.yaml are references, sorted by name") {
  const Tree tree;
  tree.add("b/raw.csv").add("a/reference.yaml", "use: fit\n").add("notes/readme.txt").add("x.csv");
  CHECK(names(find_references(tree.path())) == Names{"a", "b"});
}

TEST_CASE("nested folders give their path as the name") {
  const Tree tree;
  tree.add("h200/saxpy/raw.csv").add("h200/deep/er/raw.csv").add("top/raw.csv");
  CHECK(names(find_references(tree.path())) == Names{"h200/deep/er", "h200/saxpy", "top"});
}

TEST_CASE("below a reference no others are looked for") {
  const Tree tree;
  tree.add("a/raw.csv").add("a/old/raw.csv");
  CHECK(names(find_references(tree.path())) == Names{"a"});
}

TEST_CASE("a folder that is a reference itself is the only one, under its own name") {
  const Tree tree;
  tree.add("saxpy/raw.csv").add("saxpy/old/raw.csv");
  for (const char* spelling : {"saxpy", "saxpy/", "saxpy/.", "saxpy/old/.."}) {
    INFO(spelling);
    CHECK(names(find_references(tree.path(spelling))) == Names{"saxpy"});
  }
}

TEST_CASE("the spelling of the folder does not change names") {
  const Tree tree;
  tree.add("set/saxpy/raw.csv");
  for (const char* spelling : {"set", "set/", "set/.", "set/../set"}) {
    INFO(spelling);
    CHECK(names(find_references(tree.path(spelling))) == Names{"saxpy"});
  }
}

TEST_CASE("links to references are followed, links that lead round in circles are not") {
  const Tree tree;
  tree.add("kept/saxpy/raw.csv");
  fs::create_directories(tree.path("set"));
  fs::create_directory_symlink("../kept/saxpy", tree.path("set/linked"));
  fs::create_directory_symlink("..", tree.path("set/circle"));
  fs::create_symlink("nowhere", tree.path("set/broken"));
  CHECK(names(find_references(tree.path("set"))) == Names{"linked"});
}

TEST_CASE("each file may be compressed; machine code is a listing or a cubin") {
  const Tree tree;
  tree.add("a/raw.csv.gz").add("a/source.csv.zst").add("a/kernel.sass.xz");
  tree.add("b/raw.csv").add("b/raw.csv.gz").add("b/kernel.cubin.gz").add("c/raw.csv");
  const std::vector<Reference> all = find_references(tree.path());
  REQUIRE(all.size() == 3);
  CHECK(all[0].raw == tree.path("a/raw.csv.gz"));
  CHECK(all[0].source == tree.path("a/source.csv.zst"));
  CHECK(all[0].sass == tree.path("a/kernel.sass.xz"));
  CHECK(all[1].raw == tree.path("b/raw.csv"));  // what is not compressed goes first
  CHECK(all[1].source.empty());
  CHECK(all[1].sass == tree.path("b/kernel.cubin.gz"));
  CHECK(all[2].sass.empty());
}

TEST_CASE("a description says what the numbers are") {
  const Tree tree;
  tree.add("a/reference.yaml",
           "gpu: a100\nlaunch: 3\nfamily: streaming\npair: b\nuse: held_out\nproblem: n=2^20\n");
  const Reference one = find_references(tree.path())[0];
  CHECK(one.gpu == "a100");
  CHECK(one.launch == 3);
  CHECK(one.family == "streaming");
  CHECK(one.pair == "b");
  CHECK(one.use == Use::held_out);
  CHECK(one.problem == "n=2^20");
}

TEST_CASE("without a description it is a launch on an H200 that was developed with") {
  const Tree tree;
  tree.add("a/raw.csv");
  const Reference one = find_references(tree.path())[0];
  CHECK(one.gpu == "h200");
  CHECK(!one.launch);
  CHECK(one.family == "other");
  CHECK(one.pair.empty());
  CHECK(one.use == Use::develop);
}

TEST_CASE("uses have the names that descriptions give them") {
  CHECK(to_string(Use::fit) == std::string("fit"));
  CHECK(to_string(Use::develop) == std::string("develop"));
  CHECK(to_string(Use::held_out) == std::string("held_out"));
}

TEST_CASE("all problems of all descriptions are reported at once, each with its place") {
  const Tree tree;
  tree.add("a/reference.yaml", "gpu: h20\nuse: heldout\nlaunch: -1\nfamly: x\nfamily: [a]\n");
  tree.add("b/reference.yaml", "- gpu\n").add("c/reference.yaml", "");
  tree.add("d/reference.yaml", "pair: a\npair: b\n").add("e/reference.yaml", "gpu: h200\n");
  tree.add("f/reference.yaml", "family: \"\\e[31mred\"\n").add("g/reference.yaml", "gpu: [\n");
  const std::string all = refusal(tree.path());
  has(all, tree.path("a/reference.yaml:1:6: error: found 'h20', expected one of a10, "));
  has(all, "; did you mean 'h200'?");
  has(all,
      "a/reference.yaml:2:6: error: found 'heldout', expected one of fit, develop, held_out; "
      "did you mean 'held_out'?");
  has(all, "a/reference.yaml:3:9: error: found '-1', expected an integer from 0");
  has(all,
      "a/reference.yaml:4:1: error: found unknown key 'famly', expected one of gpu, launch, "
      "family, pair, problem, use; did you mean 'family'?");
  has(all, "a/reference.yaml:5:9: error: found a list, expected text");
  has(all, "b/reference.yaml:1:1: error: found a list, expected a mapping");
  has(all, "c/reference.yaml: error: found an empty file, expected a YAML mapping");
  has(all, "d/reference.yaml:2:1: error: found 'pair' a second time");
  has(all, "f/reference.yaml:1:9: error: found a control character in family, expected text");
  has(all, "g/reference.yaml:2:1: error: found no valid YAML");
  CHECK(all.find("e/reference.yaml") == std::string::npos);
}

TEST_CASE("a measurement was made on a product, not on a compute capability") {
  const Tree tree;
  tree.add("a/reference.yaml", "gpu: sm_90\n");
  has(refusal(tree.path()), "reference.yaml:1:6: error: found 'sm_90', expected one of a10, ");
}

TEST_CASE("names that a terminal would act upon are refused") {
  const Tree tree;
  tree.add("a\033[31mred/raw.csv");
  has(refusal(tree.path()), "found a control character in the name of a folder");
}

TEST_CASE("no folder, no reference") {
  const Tree tree;
  tree.add("file.txt").add("empty/folders/readme.txt");
  has(refusal(tree.path("none")), "none: found no such folder, expected one with references");
  has(refusal(tree.path("file.txt")), "file.txt: found no such folder");
  has(refusal(tree.path("empty")), "empty: found no reference, expected folders with raw.csv");
}

TEST_CASE("a folder that may not be read is a problem, not one without references") {
  const Tree tree;
  tree.add("a/raw.csv").add("locked/b/raw.csv");
  fs::permissions(tree.path("locked"), fs::perms::none);
  std::error_code cannot;
  fs::directory_iterator readable(tree.path("locked"), cannot);  // root may read everything
  if (cannot) {
    has(refusal(tree.path()), "locked: error: cannot be read: Permission denied");
  }
  fs::permissions(tree.path("locked"), fs::perms::owner_all);
}
