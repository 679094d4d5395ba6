#!/usr/bin/env bash
# Measures a GPU for smsim: builds the programs in cuda/, runs them, and writes CSV files to OUT_DIR.
#
#   validate/capture.sh OUT_DIR [PART...]
#
# Parts (all by default): info launch replace wave latency chase ops queue writeback policy atomics sync
# async icache halves eligible apps micro develop held_out series. APPS="name name" restricts the part apps to some kernels. BIN=folder uses (and keeps)
# binaries there; they are built when missing. Needs nvcc and ncu, with access to the counters; clocks are
# left as they are (--clock-control none). A part that fails is reported and the others go on.
set -u

out=${1:?usage: capture.sh OUT_DIR [PART...]}
shift
parts=${*:-info launch replace wave latency chase ops queue writeback policy atomics sync async icache halves eligible apps micro develop held_out series}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out/measured" "$out/reference" "$out/raw"
out=$(cd "$out" && pwd)
bin=${BIN:-$out/bin}
mkdir -p "$bin"
started=$(date +%s)
ncu_base="ncu --clock-control none --target-processes application-only"
launch_metrics=gpc__cycles_elapsed.max,sm__cycles_active.avg,gpu__time_duration.sum,sm__warps_active.avg.per_cycle_active,smsp__inst_executed.sum
memory_metrics=dram__bytes_read.sum,dram__bytes_write.sum,gpc__cycles_elapsed.max,gpu__time_duration.sum,lts__t_sector_hit_rate.pct,lts__t_sectors_srcunit_ltcfabric.sum

say() { echo "[$(($(date +%s) - started)) s] $*"; }

build() { # build PROGRAM...: in parallel
  local program
  for program in "$@"; do
    if [ ! -x "$bin/$program" ]; then
      nvcc -std=c++17 -O3 -lineinfo -arch=sm_90 -o "$bin/$program" "$here/cuda/$program.cu" &
    fi
  done
  wait
}

# csv NAME PROGRAM ARG...: standard output becomes measured/NAME.csv
csv() {
  local name=$1 program=$2
  shift 2
  timeout "${LIMIT:-120}" "$bin/$program" "$@" >"$out/measured/$name.csv" 2>"$out/raw/$name.err" ||
    say "FAILED: $name ($(tail -n 1 "$out/raw/$name.err"))"
  say "$name: $(wc -l <"$out/measured/$name.csv") lines"
}

# counted NAME METRICS PROGRAM ARG...: the same under ncu, joined with the counters
counted() {
  local name=$1 metrics=$2 program=$3
  shift 3
  timeout "${LIMIT:-150}" $ncu_base --csv --page raw --print-units base --metrics "$metrics" \
    --log-file "$out/raw/$name.ncu.csv" "$bin/$program" "$@" >"$out/raw/$name.launches.csv" \
    2>"$out/raw/$name.err" || say "FAILED: $name ($(tail -n 1 "$out/raw/$name.err"))"
  grep -v '^==' "$out/raw/$name.launches.csv" >"$out/raw/$name.list.csv"
  python3 "$here/join_ncu.py" "$out/raw/$name.list.csv" "$out/raw/$name.ncu.csv" \
    >"$out/measured/$name.csv" || say "FAILED: joining $name"
  say "$name: $(wc -l <"$out/measured/$name.csv") lines"
}

part_info() {
  {
    nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,power.limit,temperature.gpu --format=csv
    nvcc --version | tail -n 2
    ncu --version | tail -n 1
  } >"$out/measured/machine.txt" 2>&1
  build op_latency
  (for _ in 1 2 3 4; do "$bin/op_latency"; done) >/dev/null &
  sleep 1.5
  nvidia-smi --query-gpu=clocks.sm,clocks.gr,clocks.mem,clocks.video --format=csv \
    >>"$out/measured/machine.txt"
  wait
  cat "$out/measured/machine.txt"
}

part_launch() {
  build empty_launch cluster_launch
  counted empty_launch "$launch_metrics" empty_launch
  counted cluster_launch "$launch_metrics" cluster_launch
}

part_replace() {
  build block_replace
  csv block_replace block_replace log
  csv block_replace_jitter block_replace jitter
  csv block_replace_early block_replace early
  csv block_replace_single block_replace single
  counted block_replace_cycles "$launch_metrics" block_replace cycles
}

part_wave() {
  build first_wave
  csv first_wave_blocks first_wave blocks
  csv first_wave_warps first_wave warps
  csv gpc_map first_wave gpc
  cat "$out/raw/first_wave_blocks.err"
}

part_latency() {
  build loaded_latency
  csv loaded_latency loaded_latency
}

part_chase() {
  build pointer_chase
  csv chase_sizes pointer_chase sizes
  csv chase_pages pointer_chase pages
  csv chase_spread pointer_chase spread
}

part_ops() {
  build op_latency barrier_cost
  csv op_latency op_latency
  csv barrier_cost barrier_cost
}

part_queue() {
  build mem_queue
  csv mem_queue mem_queue
  if [ ! -f "$bin/mem_queue.cubin" ]; then
    nvcc -std=c++17 -O3 -arch=sm_90 -cubin -o "$bin/mem_queue.cubin" "$here/cuda/mem_queue.cu"
  fi
  python3 "$here/patch_stalls.py" "$bin/mem_queue.cubin" "$out/raw/mem_queue_patched.cubin"
  csv mem_queue_stall1 mem_queue "$out/raw/mem_queue_patched.cubin"
}

part_writeback() {
  build write_back
  counted write_back "$memory_metrics" write_back
}

part_policy() {
  build sched_policy
  csv sched_order sched_policy order
  csv sched_slots sched_policy slots
  csv sched_age sched_policy age
}

part_atomics() {
  build atomics
  csv atomics atomics
}

part_sync() {
  build sync_cost
  csv sync_cost sync_cost
}

part_async() {
  build async_copy
  csv async_copy async_copy
}

part_icache() {
  build icache
  csv icache icache
}

part_halves() {
  local metrics=lts__t_sectors_op_read.sum,lts__t_sectors_op_read_lookup_miss.sum
  metrics+=,lts__t_sectors_srcunit_tex_op_read.sum,lts__t_sectors_op_write.sum
  metrics+=,lts__t_sectors_srcunit_tex_op_write.sum,lts__t_sectors_op_atom.sum
  metrics+=,lts__t_sectors_op_red.sum,lts__t_sectors_srcunit_ltcfabric.sum
  build apps
  ncu_base="$ncu_base --profile-from-start off" counted l2_halves "$metrics" apps
}

# Occupancy, ILP and intensity over the same work (configs/sweeps/eligible_vs_occupancy.yaml).
part_eligible() {
  local metrics=gpc__cycles_elapsed.max,sm__warps_active.avg.pct_of_peak_sustained_active
  metrics+=,smsp__warps_eligible.avg.per_cycle_active,smsp__issue_active.avg.per_cycle_active
  metrics+=,smsp__inst_executed.sum,dram__bytes_read.sum
  build eligible
  LIMIT=400 counted eligible_vs_occupancy "$metrics" eligible
}

# profile PROGRAM USE [NAME...]: every launch of a program with the whole Nsight set
profile() {
  local tag=$1 use=$2
  shift 2
  build "$tag"
  timeout "${LIMIT:-400}" $ncu_base --set full --import-source yes --profile-from-start off -f \
    -o "$out/raw/$tag" "$bin/$tag" "$@" >"$out/raw/$tag.out" 2>"$out/raw/$tag.err" ||
    say "FAILED: $tag ($(tail -n 1 "$out/raw/$tag.err"))"
  grep -E '^(id,|[0-9]+,)' "$out/raw/$tag.out" >"$out/raw/$tag.names.csv"
  "$bin/$tag" --list >"$out/raw/$tag.list.csv"
  say "$tag profiled: $(($(wc -l <"$out/raw/$tag.names.csv") - 1))"
  ncu --import "$out/raw/$tag.ncu-rep" --csv --page raw --print-units base >"$out/raw/$tag.raw.csv"
  ncu --import "$out/raw/$tag.ncu-rep" --csv --page source --print-units base \
    >"$out/raw/$tag.source.csv"
  cuobjdump -sass "$bin/$tag" >"$out/raw/$tag.sass"
  python3 "$here/split_profiles.py" "$out/raw/$tag.names.csv" "$out/raw/$tag.list.csv" \
    "$out/raw/$tag.raw.csv" "$out/raw/$tag.source.csv" "$out/raw/$tag.sass" "$use" "$out/reference"
  say "references: $(ls "$out/reference" | wc -l)"
}

# Warp states over time, for kernels with a tail, a queue or phases
part_series() {
  build apps
  local tag=series
  timeout "${LIMIT:-150}" $ncu_base --section PmSampling --section PmSampling_WarpStates \
    --pm-sampling-interval 1000 --profile-from-start off -f -o "$out/raw/$tag" "$bin/apps" \
    static_tasks persistent_queue persistent_queue_one_block softmax_rows_long mandelbrot \
    integer_hash >"$out/raw/$tag.out" 2>"$out/raw/$tag.err" ||
    say "FAILED: series ($(tail -n 1 "$out/raw/$tag.err"))"
  grep -E '^(id,|[0-9]+,)' "$out/raw/$tag.out" >"$out/raw/$tag.names.csv"
  ncu --import "$out/raw/$tag.ncu-rep" --csv --page raw --print-units base \
    --print-metric-instances values >"$out/raw/$tag.raw.csv"
  python3 "$here/split_series.py" "$out/raw/$tag.names.csv" "$out/raw/$tag.raw.csv" \
    "$out/measured/warp_states.csv" || say "FAILED: splitting $tag"
  say "series: $(wc -l <"$out/measured/warp_states.csv") lines"
}

part_apps() {
  # shellcheck disable=SC2086
  profile apps develop ${APPS:-}
}
part_micro() { profile micro fit; }
part_develop() { profile apps_develop develop; }
part_held_out() { profile apps_held_out held_out; }

for part in $parts; do
  say "part $part"
  "part_$part" || say "FAILED: part $part"
done
say "done"
