#!/usr/bin/env python3
"""Simulates every committed reference and writes the tables of README.md, its plots and current_errors.csv.

usage: tables.py SMSIM [--json FILE]        FILE: what `smsim validate --format json` printed, to save the run

No GPU is needed. README.md keeps everything outside the lines <!-- NAME --> and <!-- /NAME -->;
current_errors.csv is what the tests hold a part of the references against.
"""
import argparse
import csv
import json
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CYCLES = "gpc__cycles_elapsed.max"
OCCUPANCY = "sm__warps_active.avg.pct_of_peak_sustained_active"
ELIGIBLE = "smsp__warps_eligible.avg.per_cycle_active"
ISSUE = "smsp__issue_active.avg.pct_of_peak_sustained_active"
PLOTS = ("scatter_cycles", "scatter_occupancy", "scatter_eligible", "scatter_issue")
STYLE = ("text{font:11px sans-serif;fill:#222}.grid{stroke:#ccc;stroke-width:.5}.diagonal{stroke:#222}"
         ".held_out{fill:#0072b2}.develop{fill:none;stroke:#d55e00;stroke-width:1.5}.fit{fill:none;stroke:#777}")
USES = {"fit": "microbenchmarks, and three kernels used for DRAM (fit)", "develop": "looked at while the model was made",
        "held_out": "held out"}


def simulate(smsim: str) -> dict:
    """Also writes the scatter plots of the page that `--html` makes."""
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.html"
        run = subprocess.run([smsim, "validate", "--format", "json", "--html", str(page)], capture_output=True)
        if run.returncode != 0:
            raise SystemExit(run.stderr.decode())
        plots = re.findall(r"<svg .*?</svg>", page.read_text(), re.DOTALL)
    for name, plot in zip(PLOTS, plots):
        picture = plot.replace("<svg ", "<svg xmlns='http://www.w3.org/2000/svg' width='420' ", 1)
        head, rest = picture.split(">", 1)
        (HERE / "plots" / f"{name}.svg").write_text(f"{head}><style>{STYLE}</style>"
                                                    f"<rect width='100%' height='100%' fill='#fff'/>{rest}\n")
    return json.loads(run.stdout)


def short(name: str) -> str:
    return name.split("/")[-1]


def error(reference: dict, metric: str) -> float:
    return reference["metrics"][metric]["error"]


def largest(stalls: dict, side: str) -> str:
    sizes = {reason: values[side] or 0 for reason, values in stalls.items() if reason != "selected"}
    return max(sizes, key=sizes.get)


def first_look() -> dict:
    with open(HERE / "first_look.csv", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {row["reference"]: float(row["cycles_error_pct"]) for row in rows}


def accuracy_row(name: str, a: dict) -> str:
    return (f"| {name} | {a['references']} | {a['cycles_mape']:.1f} | {a['cycles_median']:.1f} | {a['cycles_p90']:.1f} "
            f"| {a['cycles_worst']:.0f} ({short(a['cycles_worst_reference'])}) | {a['occupancy_error_points']:.1f} "
            f"| {a['eligible_error_warps']:.2f} | {a['issue_error_points']:.1f} | {a['top_stall_right_pct']:.0f} "
            f"| {a['top_two_right_pct']:.0f} | {a['stall_rank_agreement']:.2f} |")


HEADER = ("| | launches | cycles: mean abs. error % | median | 90th percentile | worst | occupancy, points "
          "| eligible, warps | issue slots, points | largest stall right % | two largest % | rank agreement |\n"
          "|---|---|---|---|---|---|---|---|---|---|---|---|\n")


def summary(result: dict) -> str:
    rows = [accuracy_row(text, result["by_use"][use]) for use, text in USES.items()]
    pairs = [pair for pair in result["what_if"]["pairs"] if pair["use"] != "fit"]
    counted = [pair for pair in pairs if pair["counts"]]
    right = sum(pair["sign_right"] for pair in counted)
    size = sum(abs(pair["size_error"]) for pair in pairs) / len(pairs)
    return (HEADER + "\n".join(rows) + f"\n\nWhat-if pairs (develop and held out): the sign of the change is right in {right} of "
            f"{len(counted)} pairs whose measured cycles differ by more than 5 % ({100 * right / len(counted):.0f} %); over all "
            f"{len(pairs)} pairs the ratio is off by {100 * size:.1f} % on average.\n")


def families(result: dict) -> str:
    rows = [accuracy_row(name, a) for name, a in result["by_family"].items()]
    return HEADER + "\n".join(rows) + "\n"


def launches(result: dict, use: str) -> str:
    seen_first = first_look() if use == "held_out" else {}
    extra = " first look |" if seen_first else ""
    text = (f"| launch | family | cycles, measured / predicted | error % |{extra} occupancy, points | eligible, warps "
            "| issue slots, points | largest stall |\n|" + "---|" * (9 if seen_first else 8) + "\n")
    for one in result["references"]:
        if one["use"] != use:
            continue
        cycles = one["metrics"][CYCLES]
        theirs, ours = (largest(one["stalls"], side) for side in ("measured", "predicted"))
        first = f" {seen_first[short(one['name'])]:+.1f} |" if seen_first else ""
        text += (f"| {short(one['name'])} | {one['family']} | {cycles['measured']:,.0f} / {cycles['predicted']:,.0f} "
                 f"| {100 * cycles['error']:+.1f} |{first} {error(one, OCCUPANCY):+.1f} | {error(one, ELIGIBLE):+.2f} "
                 f"| {error(one, ISSUE):+.1f} | {theirs if theirs == ours else theirs + ', predicted ' + ours} |\n")
    return text


def what_if(result: dict) -> str:
    text = "| from | to | cycles change by, measured % | predicted % | |\n|---|---|---|---|---|\n"
    for pair in result["what_if"]["pairs"]:
        if pair["use"] == "fit":
            continue
        mark = "" if not pair["counts"] else "right" if pair["sign_right"] else "WRONG"
        text += (f"| {short(pair['from'])} | {short(pair['to'])} | {100 * pair['measured_change']:+.1f} "
                 f"| {100 * pair['predicted_change']:+.1f} | {mark} |\n")
    return text


def replace(page: str, name: str, text: str) -> str:
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    if not pattern.search(page):
        raise SystemExit(f"README.md has no <!-- {name} -->")
    return pattern.sub(lambda match: match.group(1) + text + match.group(2), page)


def write_errors(result: dict) -> None:
    with open(HERE / "current_errors.csv", "w", newline="") as file:
        file.write("# Made by validate/tables.py: cycle errors of the present model, in percent\n")
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["reference", "cycles_error_pct"])
        for one in result["references"]:
            rows.writerow([short(one["name"]), f"{100 * error(one, CYCLES):.3f}"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("smsim")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    result = json.loads(arguments.json.read_text()) if arguments.json else simulate(arguments.smsim)
    page = (HERE / "README.md").read_text()
    for name, text in {"summary": summary(result), "families": families(result), "what-if": what_if(result),
                       **{use: launches(result, use) for use in USES}}.items():
        page = replace(page, name, text)
    (HERE / "README.md").write_text(page)
    write_errors(result)


if __name__ == "__main__":
    main()
