#!/usr/bin/env python3
"""Lay the hand-written kernels of configs/kernels beside the profiles of the same name, as a Markdown table.

usage: compare_yaml.py SMSIM [NAME...]        default: every kernel that has a reference

Nothing measured goes into a prediction: the kernel files hold sizes and instruction mixes only.
"""
import csv
import gzip
import json
import os
import re
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "configs", "kernels")
REFERENCES = os.path.join(HERE, "reference", "h200")
# What `problem` in a reference.yaml says, as parameters of the kernel files (which run small problems).
SIZES = [
    (r"^n=2\^(\d+) as float4", lambda power: {"n": 2 ** (int(power) - 2)}),
    (r"^n=2\^(\d+)(?! as)\b", lambda power: {"n": 2 ** int(power)}),
    (r"^2\^(\d+) (?:keys|random reads)", lambda power: {"n": 2 ** int(power)}),
    (r"^(\d+)\^3", lambda n: {"n": int(n)}),
    (r"^(\d+) x (\d+)", lambda width, height: {"width": int(width), "height": int(height), "n": int(width)}),
    (r"^([\d,]+) (?:skewed )?rows", lambda rows: {"rows": int(rows.replace(",", ""))}),
    (r"([\d,]+) (?:uneven )?tasks", lambda tasks: {"tasks": int(tasks.replace(",", ""))}),
    (r"(\d+) threads a block", lambda block: {"block": int(block)}),
    (r"(\d+) x \1 tiles", lambda tile: {"tile": int(tile)}),
]
# It does not say how often these repeat their arithmetic.
ROUNDS = {"fma_ilp8": 32, "fp64_polynomial": 32, "mufu_heavy": 32}
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


def kernel_file(name):
    """The kernel file of a reference: "saxpy_b64" and "sgemm_tiled16" are configurations of saxpy and sgemm_tiled."""
    return os.path.join(KERNELS, re.sub(r"^(saxpy)_b\d+$|^(sgemm_tiled)\d+$", r"\1\2", name) + ".yaml")


def problem(name):
    with open(os.path.join(REFERENCES, name, "reference.yaml")) as file:
        return re.search(r'^problem: "(.*)"$', file.read(), re.MULTILINE).group(1)


def parameters(name):
    sizes = {}
    for pattern, read in SIZES:
        match = re.search(pattern, problem(name))
        if match:
            sizes.update(read(*match.groups()))
    if name in ROUNDS:
        sizes["rounds"] = ROUNDS[name]
    with open(kernel_file(name)) as file:
        known = re.findall(r"(\w+):", re.search(r"^params: \{(.*)\}", file.read(), re.MULTILINE).group(1))
    return {size: value for size, value in sizes.items() if size in known}


def predicted(smsim, name):
    command = [smsim, "run", kernel_file(name), "--gpu", "h200", "--format", "json"]
    for parameter, value in parameters(name).items():
        command += ["--set", f"params.{parameter}={value}"]
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
        if os.path.exists(os.path.join(REFERENCES, name, "raw.csv.gz")) and os.path.exists(kernel_file(name)):
            yield name


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print("| kernel | instructions, predicted per measured | cycles, measured / predicted | error | achieved occupancy % | eligible warps | issue slots % | first stall |")
    print("|---|---|---|---|---|---|---|---|")
    errors = []
    failed = 0
    for name in sys.argv[2:] or names():
        try:
            error, line = row(name, measured(name), predicted(sys.argv[1], name))
        except subprocess.CalledProcessError as problem:
            print(f"{name}: smsim exited {problem.returncode}\n{problem.stderr}", file=sys.stderr)
            failed += 1
            continue
        errors.append(abs(error))
        print(line, flush=True)
    if errors:
        print(f"\n{len(errors)} kernels: mean absolute cycle error {statistics.mean(errors):.1f} %, "
              f"median {statistics.median(errors):.1f} %, worst {max(errors):.0f} %.")
    if failed:
        sys.exit(f"{failed} kernels failed")


if __name__ == "__main__":
    main()
