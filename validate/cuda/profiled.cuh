// What the profiled programs share: named launches, each made once between the profiler's start and
// stop. PROGRAM makes all of them; PROGRAM NAME... some; PROGRAM --list prints name, family,
// problem and pair.
#pragma once

#include <cuda_profiler_api.h>

#include <functional>

#include "common.cuh"

struct Launch {
  const char* name;
  const char* family;
  const char* problem;
  std::function<void()> launch;
  // The launch that this one differs from in one thing (block size, grid, shared memory, ...).
  const char* pair = "";
};

inline bool is_wanted(const Launch& launch, int argc, char** argv) {
  return argc == 1 || std::any_of(argv + 1, argv + argc, [&](const char* name) {
           return std::strcmp(name, launch.name) == 0;
         });
}

inline void list_launches(const std::vector<Launch>& launches) {
  std::printf("name,family,problem,pair\n");
  for (const Launch& launch : launches) {
    std::printf("%s,%s,\"%s\",%s\n", launch.name, launch.family, launch.problem, launch.pair);
  }
}

inline float timed_launch_ms(const Launch& launch) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  launch.launch();
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(end));
  CHECK(cudaDeviceSynchronize());
  float milliseconds = 0.0f;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  return milliseconds;
}

inline int profile_launches(int argc, char** argv, const std::vector<Launch>& launches,
                            void (*prepare)()) {
  if (argc > 1 && std::strcmp(argv[1], "--list") == 0) {
    list_launches(launches);
    return 0;
  }
  prepare();
  CHECK(cudaProfilerStart());
  int id = 0;
  std::printf("id,name,family,ms\n");
  for (const Launch& launch : launches) {
    if (is_wanted(launch, argc, argv)) {
      std::printf("%d,%s,%s,%.4f\n", id++, launch.name, launch.family, timed_launch_ms(launch));
      std::fflush(stdout);
    }
  }
  return 0;
}
