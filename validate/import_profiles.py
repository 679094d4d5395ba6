#!/usr/bin/env python3
"""Imports every profile under reference/h200, simulates it and prints prediction beside measurement.

  validate/import_profiles.py SMSIM [NAME...]

Columns: elapsed cycles (measured, predicted, error), executed instructions and L1 and L2 sectors (error), achieved
occupancy and eligible warps (measured / predicted), the largest warp state of each.
"""
import csv
import gzip
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

REFERENCES = pathlib.Path(__file__).resolve().parent / "reference" / "h200"
CYCLES = "gpc__cycles_elapsed.max"
OCCUPANCY = "sm__warps_active.avg.pct_of_peak_sustained_active"
ELIGIBLE = "smsp__warps_eligible.avg.per_cycle_active"
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
# Ours, theirs: what follows from the profile's counts and should be the same.
COUNTS = [
    ("smsp__inst_executed.sum", "smsp__inst_executed.sum"),
    ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",) * 2,
    ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",) * 2,
    ("l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum", "lts__t_sectors_srcunit_tex_op_read.sum"),
    ("l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_st.sum", "lts__t_sectors_srcunit_tex_op_write.sum"),
]


def measured(folder):
    with gzip.open(folder / "raw.csv.gz", "rt") as file:
        header, _, values = list(csv.reader(file))[:3]
    numbers = {}
    for name, text in zip(header, values):
        try:
            numbers[name] = float(text.replace(",", ""))
        except ValueError:
            pass
    return numbers


def predicted(smsim, folder, scratch):
    kernel = pathlib.Path(scratch) / (folder.name + ".yaml")
    sources = [option for page in ("source.csv", "raw.csv", "kernel.sass")
               for option in ("--" + page.split(".")[0].replace("kernel", "sass"), str(folder / (page + ".gz")))]
    subprocess.run([smsim, "import", "ncu", *sources, "-o", str(kernel)], check=True, capture_output=True)
    run = subprocess.run([smsim, "run", str(kernel), "--format", "json"], check=True, capture_output=True)
    return json.loads(run.stdout)


def error(ours, theirs):
    return 100 * (ours / theirs - 1) if theirs else (0.0 if not ours else float("inf"))


def first_state(profile, states):
    ratios = {state: profile.get(STALL.format(state), 0) for state in states if state != "selected"}
    return max(ratios, key=ratios.get)


def main():
    smsim, names = sys.argv[1], sys.argv[2:]
    errors, right, failed = [], 0, []
    print("| profile | cycles, measured / predicted | error | instructions | L1 loads | L1 stores | L2 reads | L2 writes |"
          " occupancy % | eligible | largest state |")
    print("|" + "---|" * 11)
    with tempfile.TemporaryDirectory() as scratch:
        for folder in sorted(path for path in REFERENCES.iterdir() if path.is_dir()):
            if names and folder.name not in names:
                continue
            try:
                profile, prediction = measured(folder), predicted(smsim, folder, scratch)
            except subprocess.CalledProcessError as problem:
                failed.append(f"{folder.name}: {problem.stderr.decode().strip()}")
                continue
            metrics, stalls = prediction["metrics"], prediction["stalls"]
            cycles = error(metrics[CYCLES], profile[CYCLES])
            errors.append(abs(cycles))
            counts = [f"{error(metrics[ours], profile[theirs]):+.1f} %" if theirs in profile else "-"
                      for ours, theirs in COUNTS]
            theirs, ours = first_state(profile, stalls), max((s for s in stalls if s != "selected"), key=stalls.get)
            right += theirs == ours
            print(f"| {folder.name} | {profile[CYCLES]:,.0f} / {metrics[CYCLES]:,.0f} | {cycles:+.1f} % | "
                  + " | ".join(counts)
                  + f" | {profile[OCCUPANCY]:.1f} / {metrics[OCCUPANCY]:.1f}"
                  f" | {profile.get(ELIGIBLE, 0):.2f} / {metrics[ELIGIBLE]:.2f}"
                  f" | {theirs if theirs == ours else theirs + ' / ' + ours} |", flush=True)
    if errors:
        print(f"\n{len(errors)} profiles: mean absolute cycle error {statistics.mean(errors):.1f} %, "
              f"median {statistics.median(errors):.1f} %, worst {max(errors):.0f} %; "
              f"largest warp state right in {right} of {len(errors)}")
    for line in failed:
        print("FAILED " + line, file=sys.stderr)
    return 1 if failed or not errors else 0


if __name__ == "__main__":
    sys.exit(main())
