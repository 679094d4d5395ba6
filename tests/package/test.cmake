# Installs the build into SCRATCH, builds the consumer against it by find_package, and runs it and the installed tool
# with the installed data. Run by ctest with BUILD, SOURCE, SCRATCH and GENERATOR defined.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/installed)
file(WRITE ${SCRATCH}/source/CMakeLists.txt [[
cmake_minimum_required(VERSION 3.25)
project(consumer CXX)
find_package(smsim 0.1 REQUIRED)
add_executable(consumer consumer.cpp)
target_link_libraries(consumer PRIVATE smsim::smsim)
]])
file(COPY ${SOURCE}/tests/package/consumer.cpp DESTINATION ${SCRATCH}/source)
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SCRATCH}/source -B ${SCRATCH}/build
    -DCMAKE_PREFIX_PATH=${SCRATCH}/installed)
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${SCRATCH}/installed/bin/smsim gpus h200)
set(ENV{SMSIM_CONFIG_DIR} ${SCRATCH}/installed/share/smsim)
run(${SCRATCH}/build/consumer)
# The example project, as its first lines say.
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE}/tests/package/example -B ${SCRATCH}/example
    -DCMAKE_PREFIX_PATH=${SCRATCH}/installed)
run(${CMAKE_COMMAND} --build ${SCRATCH}/example)
run(${SCRATCH}/example/study ${SCRATCH}/installed/share/smsim/kernels/block_reduce.yaml h200 ${SCRATCH}/example.db)
file(REMOVE_RECURSE ${SCRATCH})
