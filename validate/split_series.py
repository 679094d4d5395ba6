#!/usr/bin/env python3
"""Turns ncu's PM sampling of one run of a profiled program into one compact CSV: warp states over time.

Usage: split_series.py NAMES.csv SERIES.raw.csv OUT.csv

NAMES.csv is what the program printed (id,name,...), a line for each launch; SERIES.raw.csv is ncu's raw page with
--print-metric-instances values, whose sampled columns look like "TOTAL (v0; v1; ...)". OUT.csv has a line for each
launch and state:

  launch,state,interval_ns,values

values are the samples from the start of the kernel, separated by spaces, in warps per scheduler (mean over the sample,
3 significant digits); zeros at the end are left out. The sampler gives no not_selected, membar and gmma.

Metrics of one pass group are sampled together, another group in another replay: each group starts at its own first
sample in which the kernel shows (a sliver of one does not count), so two states of different groups may be shifted by
up to one sample.
"""

import csv
import re
import sys
from typing import Iterator

STATE = re.compile(r"pmsampling:smsp__warps_issue_stalled_(\w+)\.avg")
# One instruction is issued by one selected warp: the share of issue slots used is the warps selected, to 1 or 2 %.
SELECTED = "TPC.TriageCompute.sm__inst_executed_realtime.avg.pct_of_peak_sustained_elapsed"
# In the group of SELECTED other columns (L2, DRAM) are busy before the kernel; this one starts with it.
ACTIVE = "TPC.TriageCompute.sm__cycles_active.avg"
# A kernel that starts at the very end of a sample leaves less than this share of the next sample's value in it.
SLIVER = 0.05

Row = dict[str, str]


def number(text: str) -> float:
    return float(text.replace(",", ""))


def samples(cell: str) -> list[float]:
    return [number(value) for value in cell[cell.index("(") + 1:cell.rindex(")")].split(";")]


def first(cell: str) -> float:
    """The total of a cell with or without instances."""
    return number(cell.split("(")[0])


def groups(row: Row) -> list[list[str]]:
    cell = row["profiler__pmsampler_pass_groups"]
    return [group.strip().split(",") for group in cell[cell.index("(") + 1:cell.rindex(")")].split(";")]


def start(row: Row, group: list[str]) -> int:
    """The first sample that the kernel moves; only its own metrics count."""
    moved = [samples(row[metric]) for metric in group if metric == ACTIVE or STATE.fullmatch(metric)]
    sums = [sum(values) for values in zip(*moved)]
    at = next((at for at, value in enumerate(sums) if value), 0)
    return at + 1 if sums[at] < SLIVER * sums[at + 1] else at


def states(row: Row) -> Iterator[tuple[str, list[float]]]:
    interval = first(row["profiler__pmsampler_interval_time"])
    cycles = interval * first(row["gpc__cycles_elapsed.max"]) / first(row["gpu__time_duration.sum"])
    for group in groups(row):
        begin = start(row, group)
        for metric in group:
            state = STATE.fullmatch(metric)
            if state:
                yield state.group(1), [value / cycles for value in samples(row[metric])[begin:]]
            elif metric == SELECTED:
                yield "selected", [value / 100 for value in samples(row[metric])[begin:]]


def text(values: list[float]) -> str:
    rounded = [f"{round(value, 4):.3g}" for value in values]
    while len(rounded) > 1 and rounded[-1] == "0":
        rounded.pop()
    return " ".join(rounded)


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    names_path, raw_path, out_path = sys.argv[1:]
    with open(names_path, newline="") as file:
        names = [row["name"] for row in csv.DictReader(file)]
    with open(raw_path, newline="") as file:
        rows = list(csv.DictReader(file))[1:]  # the first is the units
    if len(rows) != len(names):
        sys.exit(f"{raw_path} has {len(rows)} launches, {names_path} {len(names)}")
    with open(out_path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["launch", "state", "interval_ns", "values"])
        for name, row in zip(names, rows):
            interval = f"{first(row['profiler__pmsampler_interval_time']):g}"
            for state, values in sorted(states(row)):
                out.writerow([name, state, interval, text(values)])


if __name__ == "__main__":
    main()
