#!/usr/bin/env python3
"""Join a program's list of launches (column id) with ncu's raw CSV page of the same run.

Usage: join_ncu.py LAUNCHES.csv NCU_RAW.csv > JOINED.csv
"""

import csv
import re
import sys

# Counters, and the one launch property that the driver chooses; ncu adds hundreds of constant columns.
KEPT = re.compile(
    r"(gpc|sm|smsp|gpu|dram|lts)__[^.]*\.(sum|max|avg|pct)|sm__cycles_active\.min"
    r"|launch__shared_mem_config_size"
)


def main() -> None:
    with open(sys.argv[1], newline="") as file:
        launches = list(csv.DictReader(file))
    with open(sys.argv[2], newline="") as file:
        lines = [line for line in file if line.startswith('"')]
    rows = list(csv.reader(lines))
    header = rows[0]
    kept = [i for i, name in enumerate(header) if KEPT.match(name)]
    metrics = [header[i] for i in kept]
    by_id = {row[0]: [row[i] for i in kept] for row in rows[1:] if row[0]}
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(list(launches[0]) + metrics)
    for launch in launches:
        values = by_id.get(launch["id"], [""] * len(metrics))
        writer.writerow(list(launch.values()) + [value.replace(",", "") for value in values])


if __name__ == "__main__":
    main()
