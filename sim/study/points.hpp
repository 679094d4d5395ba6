// The points of a study: every combination of its axes, with what follows from them.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/diagnostics.hpp"
#include "sim/config/study.hpp"
#include "smsim/gpu_file.hpp"
#include "smsim/kernel_spec.hpp"
#include "smsim/result.hpp"

namespace smsim {

using StudyInput = std::pair<std::string, std::string>;  // "params.n", "1024"

/// One simulation of a study.
struct StudyPoint {
  std::uint64_t number = 0;        // in the order of the axes, from 0
  std::vector<StudyInput> inputs;  // axes, then derived values
  std::vector<StudyInput> fixed;   // the same at every point

  /// The value of an input or a fixed value; "" if there is no such name.
  [[nodiscard]] std::string value_of(const std::string& name) const;
};

/// All points, in order. A formula that cannot be evaluated is a problem at its place.
std::vector<StudyPoint> points_of(const StudySpec& study, Diagnostics& problems);

/// Kernel, GPU and policy of one point, ready to run.
struct PreparedPoint {
  std::shared_ptr<const LoadedGpu> gpu;
  KernelSpec kernel;
  std::string scheduler;  // "": the GPU's
  std::string refusal;    // why it cannot even be read, "params.n: found 0, expected ..."
};

/// Reads what points need, each file once; may be used by several threads.
class PointLoader {
 public:
  /// Throws InputError where a kernel or GPU file cannot be read.
  explicit PointLoader(const std::vector<StudyPoint>& points);

  [[nodiscard]] PreparedPoint prepare(const StudyPoint& point);

  /// A number that differs wherever anything that decides the point's result does: version, kernel
  /// file, figures of the GPU, inputs.
  [[nodiscard]] std::string fingerprint(const StudyPoint& point, const StudySpec& study);

 private:
  struct KernelFile {
    std::string path;
    std::string text;
    std::string trace;  // hash of the trace that it names; "" without one
  };
  struct ChangedGpu {
    std::shared_ptr<const LoadedGpu> gpu;
    std::string figures;  // all of them, hashed
    std::string refusal;  // what is wrong with the changes
  };
  [[nodiscard]] const ChangedGpu& gpu_of(const StudyPoint& point);

  std::map<std::string, KernelFile> kernels_;       // by the name that the study gives
  std::map<std::string, LoadedGpu> gpus_;           // likewise
  std::map<std::string, ChangedGpu> changed_gpus_;  // by name and changes
  std::mutex lock_;                                 // of changed_gpus_
};

/// Why a point could not run to its end; "" where it could.
std::string reason_of(const Result& result);

/// The result of one point, with nothing left out.
Result run_point(const PreparedPoint& point, std::uint64_t max_cycles,
                 const std::atomic<bool>* interrupt);

}  // namespace smsim
