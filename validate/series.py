#!/usr/bin/env python3
"""Warp states over time, measured beside simulated: a table on standard output, a plot for each launch in plots/.

  validate/series.py SMSIM [NAME...]        default: every launch of measured/h200/warp_states.csv

The measured series are ncu's PM sampling (see split_series.py). A simulated run cut after N cycles is the beginning of
the whole run, so the differences between runs of the reference's import cut at successive N are its series. The
measured one begins with the sample in which the first block starts, the simulated one when it starts; where in the
sample that was is not known, so the simulated series is moved right by the part of a sample that fits best.
not_selected, membar and gmma are missing from the sampler and left out of both: the totals are the warps that are
issuing or stalled for another reason.

Table: step (length of a simulated interval), mean of the total warps per scheduler, mean absolute difference of the
totals over time, tail (from the last interval with half of the peak of the totals to the end, to a sample or step), and
the state whose mean differs most. Needs gnuplot.
"""
import collections
import concurrent.futures
import csv
import dataclasses
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
MEASURED = HERE / "measured" / "h200" / "warp_states.csv"
REFERENCES = HERE / "reference" / "h200"
PLOTS = HERE / "plots"
MOST_POINTS = 40
SCHEDULERS_PER_SM = 4
PROBE_CYCLES = 5000  # by then the first block has started
SHOWN_STATES = 6
NO_WARPS = 0.001  # a scheduler: half a warp on a GPU of 528, nothing but rounding and the end of the launch
# One colour a state in all plots: Okabe and Ito's, then some of Tol's muted ones.
COLOURS = {
    "selected": "#009E73", "wait": "#E69F00", "long_scoreboard": "#0072B2", "math_pipe_throttle": "#D55E00",
    "short_scoreboard": "#56B4E9", "barrier": "#CC79A7", "lg_throttle": "#F0E442", "dispatch_stall": "#882255",
    "mio_throttle": "#332288", "no_instruction": "#DDCC77", "branch_resolving": "#999933", "drain": "#000000",
    "imc_miss": "#AA4499", "misc": "#661100", "sleeping": "#88CCEE", "tex_throttle": "#117733",
}
OTHERS = "others"
OTHERS_COLOUR = "#BBBBBB"

States = dict[str, list[float]]  # warps per scheduler, one value a step


@dataclasses.dataclass
class Series:
    step_us: float
    states: States
    start_us: float = 0.0

    def points(self) -> int:
        return max(len(values) for values in self.states.values())

    def totals(self) -> list[float]:
        return [sum(values[at] for values in self.states.values()) for at in range(self.points())]

    def mean(self, state: str, points: int) -> float:
        return sum(self.states[state]) / points

    def merged(self, steps: int) -> "Series":
        """Means over so many steps each."""
        states = {state: [sum(values[at:at + steps]) / steps for at in range(0, len(values), steps)]
                  for state, values in self.states.items()}
        return Series(self.step_us * steps, states)

    def tail_us(self) -> float:
        totals = self.totals()
        end = max(at for at, total in enumerate(totals) if total >= NO_WARPS)
        last = max(at for at, total in enumerate(totals) if total >= max(totals) / 2)
        return (end - last) * self.step_us


def measured() -> dict[str, Series]:
    states: dict[str, States] = collections.defaultdict(dict)
    steps: dict[str, float] = {}
    with open(MEASURED, newline="") as file:
        for row in csv.DictReader(file):
            states[row["launch"]][row["state"]] = [float(value) for value in row["values"].split()]
            steps[row["launch"]] = float(row["interval_ns"]) / 1000
    for launch in states.values():
        longest = max(len(values) for values in launch.values())
        for values in launch.values():
            values.extend([0.0] * (longest - len(values)))
    return {name: Series(steps[name], launch) for name, launch in states.items()}


def imported(smsim: str, name: str, scratch: str) -> str:
    folder, kernel = REFERENCES / name, os.path.join(scratch, name + ".yaml")
    subprocess.run([smsim, "import", "ncu", "--source", folder / "source.csv.gz", "--raw", folder / "raw.csv.gz",
                    "--sass", folder / "kernel.sass.gz", "-o", kernel], check=True, capture_output=True)
    return kernel


def run(smsim: str, kernel: str, cut: int | None = None) -> dict[str, Any]:
    options = [] if cut is None else ["--max-cycles", str(cut)]
    done = subprocess.run([smsim, "run", kernel, "--threads", "1", "--format", "json", *options],
                          check=True, capture_output=True)
    return json.loads(done.stdout)


def warp_cycles(result: dict[str, Any], state: str) -> float:
    """Of one scheduler, from the start of the run."""
    metrics = result["metrics"]
    ratio = result["stalls"][state] or 0  # none while nothing has been issued
    return ratio * metrics["smsp__inst_issued.sum"] / (metrics["launch__sm_count"] * SCHEDULERS_PER_SM)


class Simulation:
    """The runs of one launch, on a pool: the whole one at once, the cut ones when its length is known."""

    def __init__(self, smsim: str, kernel: str, pool: concurrent.futures.Executor):
        self.smsim, self.kernel, self.pool = smsim, kernel, pool
        self.whole = pool.submit(run, smsim, kernel)
        self.probe = pool.submit(run, smsim, kernel, PROBE_CYCLES)

    def cut(self, step_us: float, measured_points: int) -> None:
        whole, probe = self.whole.result()["metrics"], self.probe.result()["metrics"]
        # The SM of the first block has been active since.
        start = probe["gpc__cycles_elapsed.max"] - probe["sm__cycles_active.max"]
        sample = step_us * 1e-6 * whole["gpc__cycles_elapsed.max.per_second"]
        points = math.ceil((whole["gpc__cycles_elapsed.max"] - start) / sample)
        self.steps = math.ceil(max(points, measured_points) / MOST_POINTS)
        self.step_us = step_us * self.steps
        self.step_cycles = sample * self.steps
        cuts = [round(start + at * self.step_cycles) for at in range(1, math.ceil(points / self.steps))]
        self.parts = [self.pool.submit(run, self.smsim, self.kernel, cut) for cut in cuts]

    def series(self, states: list[str]) -> Series:
        results = [part.result() for part in self.parts] + [self.whole.result()]
        series = {}
        for state in states:
            sums = [0.0] + [warp_cycles(result, state) for result in results]
            series[state] = [(after - before) / self.step_cycles for before, after in zip(sums, sums[1:])]
        return Series(self.step_us, series)


def padded(values: list[float], points: int) -> list[float]:
    return values + [0.0] * (points - len(values))


def difference(real: Series, ours: Series, shift_us: float) -> float:
    """Mean absolute difference of the totals with ours that much later, over the intervals of either; equal steps."""
    late = shift_us / ours.step_us
    points = max(real.points(), ours.points() + 1)
    theirs, totals = padded(real.totals(), points), padded(ours.totals(), points)
    moved = [(1 - late) * now + late * before for now, before in zip(totals, [0.0, *totals])]
    return sum(abs(a - b) for a, b in zip(theirs, moved)) / max(real.points(), ours.points())


def row(name: str, real: Series, ours: Series) -> str:
    merged = real.merged(round(ours.step_us / real.step_us))
    points = max(merged.points(), ours.points())
    means = [sum(series.totals()) / points for series in (merged, ours)]
    tails = real.tail_us(), ours.tail_us()
    state = max(real.states, key=lambda state: abs(merged.mean(state, points) - ours.mean(state, points)))
    return (f"| {name} | {ours.step_us:g} | {means[0]:.2f} / {means[1]:.2f} | "
            f"{difference(merged, ours, ours.start_us):.2f} | {tails[0]:g} / {tails[1]:g} | {tails[1] - tails[0]:+g} | "
            f"{state} {merged.mean(state, points):.2f} / {ours.mean(state, points):.2f} |")


def placed(real: Series, ours: Series) -> Series:
    """Ours where in the first measured sample it fits best."""
    merged = real.merged(round(ours.step_us / real.step_us))
    shifts = [real.step_us * tenth / 10 for tenth in range(10)]
    return dataclasses.replace(ours, start_us=min(shifts, key=lambda shift: difference(merged, ours, shift)))


def shown(real: Series, ours: Series) -> list[str]:
    """The largest states, the one that issues first and the largest of the others next to it."""
    def size(state: str) -> float:
        return real.mean(state, real.points()) + ours.mean(state, ours.points())
    largest = [state for state in sorted(real.states, key=size, reverse=True)[:SHOWN_STATES] if size(state) > 0]
    return sorted(largest, key=lambda state: state != "selected")


def stacked(series: Series, states: list[str]) -> list[str]:
    """Data lines: time and the running sums of the states and the others, each step as its two ends."""
    lines = []
    for at, total in enumerate(series.totals()):
        sums, level = [], 0.0
        for state in states:
            level += series.states[state][at]
            sums.append(level)
        values = " ".join(f"{value:.3f}" for value in [*sums, total])
        lines += [f"{series.start_us + end * series.step_us:g} {values}" for end in (at, at + 1)]
    return lines


def panel(series: Series, states: list[str], data: str) -> str:
    """Each sum down to the axis, the highest first, so that the next covers what is not its own."""
    layers = [*enumerate([*states, OTHERS], start=2)][::-1]
    return "plot " + ", ".join(
        f'{data} using 1:{column} with filledcurves y1=0 fc rgb "{COLOURS.get(state, OTHERS_COLOUR)}" title "{state}"'
        for column, state in layers)


def script(name: str, real: Series, ours: Series, path: pathlib.Path) -> str:
    states = shown(real, ours)
    width = max(series.start_us + series.points() * series.step_us for series in (real, ours))
    height = max(max(series.totals()) for series in (real, ours))
    lines = ["$measured << END", *stacked(real, states), "END", "$simulated << END", *stacked(ours, states), "END",
             'set terminal svg size 840,560 background rgb "white" font "sans-serif,13" noenhanced',
             f'set output "{path}"',
             'set style fill solid 1.0 border rgb "white"',
             f"set xrange [0:{width:g}]", f"set yrange [0:{height * 1.1:.3g}]",
             "set tics out nomirror", "set border 3", "set lmargin at screen 0.085", "set rmargin at screen 0.755",
             "set multiplot",
             "set tmargin at screen 0.94", "set bmargin at screen 0.575",
             f'set label 1 "{name}, measured on an H200" at graph 0, 1.05 front',
             'set ylabel "warps per scheduler" offset 1, 0', "set format x ''",
             "set key at screen 0.765, 0.94 top left Left reverse samplen 1.5 spacing 1.2",
             panel(real, states, "$measured"),
             "unset key", "set tmargin at screen 0.495", "set bmargin at screen 0.13",
             'set label 1 "simulated"', "set format x '%g'",
             'set xlabel "microseconds since the sample in which the first block starts"',
             panel(ours, states, "$simulated"),
             "unset multiplot"]
    return "\n".join(lines) + "\n"


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    smsim, series = sys.argv[1], measured()
    names = sys.argv[2:] or list(series)
    unknown = [name for name in names if name not in series]
    if unknown:
        sys.exit(f"{MEASURED} has no {', '.join(unknown)}, only {', '.join(series)}")
    PLOTS.mkdir(exist_ok=True)
    print("| launch | step, µs | mean total warps, measured / simulated | mean absolute difference | "
          "tail, µs, measured / simulated | difference | state that differs most, measured / simulated |")
    print("|" + "---|" * 7)
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        simulations = {name: Simulation(smsim, imported(smsim, name, scratch), pool) for name in names}
        for name, simulation in simulations.items():
            simulation.cut(series[name].step_us, series[name].points())
        for name, simulation in simulations.items():
            real = series[name]
            ours = placed(real, simulation.series(list(real.states)))
            print(row(name, real, ours), flush=True)
            subprocess.run(["gnuplot"], input=script(name, real, ours, PLOTS / f"{name}.svg"), text=True, check=True)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as problem:
        stderr = problem.stderr or b""
        sys.exit(f"{problem.cmd[0]} exited {problem.returncode}: {stderr.decode().strip()}")
