#!/usr/bin/env python3
"""The study configs/sweeps/eligible_vs_occupancy.yaml beside the H200's measurement of the same points.

Usage: eligible_vs_occupancy.py SMSIM OUT_DIR

Prints a table (Markdown) and writes two pictures by gnuplot: cycles over achieved occupancy, and cycles over
eligible warps. Lines are simulated, marks were measured.
"""

import csv
import io
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MEASURED = HERE / "measured/h200/eligible_vs_occupancy.csv"
CYCLES = "gpc__cycles_elapsed.max"
OCCUPANCY = "sm__warps_active.avg.pct_of_peak_sustained_active"
ELIGIBLE = "smsp__warps_eligible.avg.per_cycle_active"
COLOURS = {1: "#0072b2", 2: "#d55e00", 4: "#009e73", 8: "#cc79a7"}


def simulated(smsim, folder):
    database = pathlib.Path(folder) / "study.db"
    subprocess.run([smsim, "sweep", "eligible_vs_occupancy", "--db", database], check=True, stdout=subprocess.DEVNULL)
    text = subprocess.run(
        [smsim, "sweep", "eligible_vs_occupancy", "--db", database, "--csv"], check=True, capture_output=True, text=True
    ).stdout
    points = {}
    for row in csv.DictReader(io.StringIO(text)):
        key = tuple(int(row["params." + name]) for name in ("fma", "ilp", "warps"))
        points[key] = {name: float(row[name]) for name in (CYCLES, OCCUPANCY, ELIGIBLE)}
    return points


def measured():
    with open(MEASURED, newline="") as file:
        return {
            (int(row["fma"]), int(row["ilp"]), int(row["warps"])): {
                name: float(row[name]) for name in (CYCLES, OCCUPANCY, ELIGIBLE)
            }
            for row in csv.DictReader(file)
        }


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    result = [0.0] * len(values)
    for place, i in enumerate(order):
        result[i] = place
    return result


def rank_correlation(a, b):
    a, b = ranks(a), ranks(b)
    mean = (len(a) - 1) / 2
    top = sum((x - mean) * (y - mean) for x, y in zip(a, b))
    return top / sum((x - mean) ** 2 for x in a)


def speed_follows(points, fma, metric):
    """Rank correlation of speed (1 / cycles) with a metric, over all points of one intensity."""
    chosen = [point for key, point in points.items() if key[0] == fma]
    return rank_correlation([1 / point[CYCLES] for point in chosen], [point[metric] for point in chosen])


def table(sim, gpu):
    print("| multiply-adds per load | speed follows occupancy: simulated / measured | speed follows eligible warps: simulated / measured | cycles, mean abs. error |")
    print("|---|---|---|---|")
    for fma in sorted({key[0] for key in sim}):
        keys = [key for key in sim if key[0] == fma]
        error = sum(abs(sim[key][CYCLES] / gpu[key][CYCLES] - 1) for key in keys) / len(keys)
        print(
            f"| {fma} | {speed_follows(sim, fma, OCCUPANCY):.2f} / {speed_follows(gpu, fma, OCCUPANCY):.2f} "
            f"| {speed_follows(sim, fma, ELIGIBLE):.2f} / {speed_follows(gpu, fma, ELIGIBLE):.2f} | {100 * error:.1f} % |"
        )
    errors = [abs(sim[key][CYCLES] / gpu[key][CYCLES] - 1) for key in sim]
    print(f"\nOver all {len(errors)} points: mean absolute cycle error {100 * sum(errors) / len(errors):.1f} %, "
          f"worst {100 * max(errors):.0f} %.")


def draw(sim, gpu, metric, label, output):
    fmas = sorted({key[0] for key in sim})
    script = [
        "set terminal svg size 1000,760 noenhanced font 'sans-serif,13' background '#ffffff'",
        f"set output '{output}'",
        "set multiplot layout 2,2",
        "set grid lc '#cccccc'",
        "set logscale y",
        "set format y '%.0s%c'",
        f"set xlabel '{label}'",
        "set ylabel 'cycles'",
    ]
    if metric == ELIGIBLE:
        script.append("set logscale x")
    for fma in fmas:
        blocks, plots = [], []
        for ilp, colour in COLOURS.items():
            keys = sorted((key for key in sim if key[:2] == (fma, ilp)), key=lambda key: key[2])
            for name, points in (("sim", sim), ("gpu", gpu)):
                blocks.append(f"${name}{fma}_{ilp} << EOD")
                blocks += [f"{points[key][metric]} {points[key][CYCLES]}" for key in keys]
                blocks.append("EOD")
            plots.append(f"$sim{fma}_{ilp} with lines lw 2 lc '{colour}' title '{ilp} independent'")
            plots.append(f"$gpu{fma}_{ilp} with points pt 6 ps 0.8 lw 2 lc '{colour}' notitle")
        script += blocks
        script.append(f"set title '{fma} multiply-adds per load'")
        script.append("plot " + ", ".join(plots))
    subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, check=True)


def main():
    smsim, out = sys.argv[1], pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        sim = simulated(smsim, folder)
    gpu = measured()
    table(sim, gpu)
    draw(sim, gpu, OCCUPANCY, "achieved occupancy, %", out / "cycles_over_occupancy.svg")
    draw(sim, gpu, ELIGIBLE, "eligible warps per scheduler", out / "cycles_over_eligible.svg")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
