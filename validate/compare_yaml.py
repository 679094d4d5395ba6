#!/usr/bin/env python3
"""Lay the hand-written kernels of configs/kernels beside the profiles of the same name, as a Markdown table.

usage: compare_yaml.py SMSIM [NAME...]        default: every kernel that has a reference

Nothing measured goes into a prediction: the kernel files hold sizes and instruction mixes only.
"""
import csv
import gzip
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "configs", "kernels")
REFERENCES = os.path.join(HERE, "reference", "h200")
# References that are another configuration of a kernel file.
VARIANTS = {f"saxpy_b{b}": ("saxpy", [f"params.block={b}"]) for b in (32, 64, 128, 256, 512, 1024)}
# The kernel files run small problems; the profiles' problems are those of reference/h200/index.csv.
for name, sizes in {
        "block_reduce": "n=67108864", "fma_ilp8": "rounds=32", "fp64_polynomial": "rounds=32", "mufu_heavy": "rounds=32",
        "gather_dram": "n=8388608", "gather_l2": "n=8388608", "histogram_shared": "n=33554432",
        "last_block_reduce": "n=33554432", "layernorm_rows": "rows=8192", "softmax_rows": "rows=8192",
        "mandelbrot": "width=2048 height=2048", "persistent_queue": "tasks=65536", "static_tasks": "tasks=65536",
        "saxpy_float4": "n=16777216", "saxpy_grid_stride": "n=67108864", "triad": "n=67108864",
        "warp_reduce": "n=67108864", "sgemm_naive": "n=512", "sgemm_register_tiled": "n=1024",
        "spmv_csr_scalar": "rows=200000", "spmv_csr_vector": "rows=200000", "stencil_2d": "width=8192 height=4096",
        "transpose_naive": "n=4096", "transpose_shared_conflicts": "n=4096", "transpose_shared_padded": "n=4096"}.items():
    VARIANTS[name] = (name, ["params." + size for size in sizes.split()])
VARIANTS["sgemm_tiled16"] = ("sgemm_tiled", ["params.n=1024", "params.tile=16"])
VARIANTS["sgemm_tiled32"] = ("sgemm_tiled", ["params.n=1024", "params.tile=32"])
CYCLES = "gpc__cycles_elapsed.max"
OCCUPANCY = "sm__warps_active.avg.pct_of_peak_sustained_active"
ELIGIBLE = "smsp__warps_eligible.avg.per_cycle_active"
INSTRUCTIONS = "smsp__inst_executed.sum"
ISSUE = "smsp__issue_active.avg.pct_of_peak_sustained_active"
STALL = "smsp__average_warps_issue_stalled_"
RATIO = "_per_issue_active.ratio"


def measured(name):
    with gzip.open(os.path.join(REFERENCES, name, "raw.csv.gz"), "rt") as file:
        rows = list(csv.reader(file))
    values = {}
    for metric, text in zip(rows[0], rows[2]):
        try:
            values[metric] = float(text.replace(",", ""))
        except ValueError:
            pass
    return values


def predicted(smsim, name):
    kernel, sets = VARIANTS.get(name, (name, []))
    command = [smsim, "run", os.path.join(KERNELS, kernel + ".yaml"), "--gpu", "h200", "--format", "json"]
    for item in sets:
        command += ["--set", item]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["metrics"]


def top_stall(values):
    ignored = ("selected", "not_selected")
    stalls = {}
    for metric, value in values.items():
        if metric.startswith(STALL) and metric.endswith(RATIO) and value is not None:
            reason = metric[len(STALL):-len(RATIO)]
            if reason not in ignored:
                stalls[reason] = value
    return max(stalls, key=stalls.get)


def row(name, want, have):
    error = 100 * (have[CYCLES] / want[CYCLES] - 1)
    both = lambda metric, form: f"{want[metric]:{form}} / {have[metric]:{form}}"
    tops = top_stall(want), top_stall(have)
    stall = tops[0] if tops[0] == tops[1] else " / ".join(tops)
    instructions = have[INSTRUCTIONS] / want[INSTRUCTIONS]
    return error, (f"| {name} | {instructions:.2f} | {want[CYCLES]:,.0f} / {have[CYCLES]:,.0f} | {error:+.1f} % | {both(OCCUPANCY, '.1f')} | "
                   f"{both(ELIGIBLE, '.2f')} | {both(ISSUE, '.1f')} | {stall} |")


def names():
    for name in sorted(os.listdir(REFERENCES)):
        kernel = VARIANTS.get(name, (name, []))[0]
        if os.path.exists(os.path.join(REFERENCES, name, "raw.csv.gz")) and \
                os.path.exists(os.path.join(KERNELS, kernel + ".yaml")):
            yield name


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print("| kernel | instructions, predicted per measured | cycles, measured / predicted | error | achieved occupancy % | eligible warps | issue slots % | first stall |")
    print("|---|---|---|---|---|---|---|---|")
    errors = []
    for name in sys.argv[2:] or names():
        try:
            error, line = row(name, measured(name), predicted(sys.argv[1], name))
        except subprocess.CalledProcessError as problem:
            print(f"{name}: smsim exited {problem.returncode}", file=sys.stderr)
            continue
        errors.append(abs(error))
        print(line, flush=True)
    errors.sort()
    print(f"\n{len(errors)} kernels: mean absolute cycle error {sum(errors) / len(errors):.1f} %, "
          f"median {errors[len(errors) // 2]:.1f} %, worst {errors[-1]:.0f} %.")


if __name__ == "__main__":
    main()
