#!/usr/bin/env python3
"""Split ncu's raw and source CSV pages of one run of a profiled program into one folder per launch.

Usage: split_profiles.py NAMES.csv LIST.csv RAW.csv SOURCE.csv ALL.sass USE OUT_DIR

NAMES.csv is what the program printed (id,name,...), LIST.csv what it prints with --list. Each folder gets
raw.csv.gz (header, units, one row whose ID is 0), source.csv.gz, kernel.sass.gz (the function's part of
the cuobjdump listing) and reference.yaml.
"""

import csv
import gzip
import io
import os
import re
import sys


def write_gz(path: str, text: str) -> None:
    with open(path, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as file:
        file.write(text.encode())


def csv_text(rows: list) -> str:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return out.getvalue()


def description(row: dict, use: str) -> str:
    pair = f"pair: {row['pair']}\n" if row["pair"] else ""
    return (f"gpu: h200\nlaunch: 0\nfamily: {row['family']}\nuse: {use}\n{pair}"
            f"problem: \"{row['problem']}\"\n")


def source_blocks(path: str) -> list:
    blocks = []
    with open(path) as file:
        for line in file:
            if line.startswith('"Kernel Name"'):
                blocks.append([])
            if blocks and line.startswith('"'):
                blocks[-1].append(line)
    return ["".join(block) for block in blocks]


def sass_functions(path: str) -> dict:
    functions = {}
    name = None
    with open(path, errors="replace") as file:
        for line in file:
            match = re.match(r"\s*Function : (\S+)", line)
            if match:
                name = match.group(1)
                functions[name] = ["\tcode for sm_90\n"]
            if name is not None:
                functions[name].append(line)
                if re.match(r"\s*\.{8,}", line):
                    name = None
    return {key: "".join(lines) for key, lines in functions.items()}


def mangled_pattern(kernel: str) -> str:
    match = re.match(r"(?:void )?(\w+)(?:<([^>]*)>)?\(", kernel)
    base, arguments = match.group(1), match.group(2)
    pattern = f"_Z{len(base)}{base}"
    if arguments:
        numbers = re.findall(r"\d+", re.sub(r"\([^)]*\)", "", arguments))
        pattern += "I" + "".join(f"Li{number}E" for number in numbers) + "E"
    return pattern


def main() -> None:
    names_path, list_path, raw_path, source_path, sass_path, use, out_dir = sys.argv[1:8]
    with open(list_path, newline="") as file:
        described = {row["name"]: row for row in csv.DictReader(file)}
    with open(names_path, newline="") as file:
        names = [row["name"] for row in csv.DictReader(file)]
    with open(raw_path, newline="") as file:
        rows = list(csv.reader(line for line in file if line.startswith('"')))
    header, units, launches = rows[0], rows[1], rows[2:]
    kernel_column = header.index("Kernel Name")
    blocks = source_blocks(source_path) if os.path.exists(source_path) else []
    functions = sass_functions(sass_path)
    if len(launches) != len(names):
        print(f"{len(launches)} launches profiled, {len(names)} expected", file=sys.stderr)
    for index, row in enumerate(launches):
        name = names[index]
        folder = os.path.join(out_dir, name)
        os.makedirs(folder, exist_ok=True)
        write_gz(os.path.join(folder, "raw.csv.gz"), csv_text([header, units, ["0"] + row[1:]]))
        with open(os.path.join(folder, "reference.yaml"), "w") as file:
            file.write(description(described[name], use))
        # ncu prints a launch's block once or twice, depending on its version.
        if blocks and len(blocks) % len(launches) == 0:
            repeat = len(blocks) // len(launches)
            write_gz(os.path.join(folder, "source.csv.gz"), blocks[index * repeat])
        pattern = mangled_pattern(row[kernel_column])
        found = [key for key in functions if key.startswith(pattern)]
        if len(found) == 1:
            write_gz(os.path.join(folder, "kernel.sass.gz"), functions[found[0]])
        else:
            print(f"{name}: {len(found)} functions match {pattern}", file=sys.stderr)


if __name__ == "__main__":
    main()
