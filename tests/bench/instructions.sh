#!/usr/bin/env bash
# Host instructions per simulated warp instruction, by callgrind: repeatable whatever else the machine does.
#   tests/bench/instructions.sh BUILD_DIR [KERNEL...]
set -euo pipefail
bench=$1/tests/bench
shift
kernels=("$@")
[ ${#kernels[@]} -gt 0 ] || kernels=(fma_dependent fma_ilp8 saxpy block_reduce sgemm_register_tiled persistent_queue)
printf '%-20s %14s\n' kernel 'host inst/inst'
for kernel in "${kernels[@]}"; do
  log=$(mktemp)
  simulated=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='smsim::simulate(*' \
    "$bench" "$kernel" 2>"$log")
  collected=$(sed -n 's/.*Collected : //p' "$log")
  rm -f "$log"
  awk -v k="$kernel" -v c="$collected" -v s="$simulated" 'BEGIN { printf "%-20s %14.0f\n", k, c / s }'
done
