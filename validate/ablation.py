#!/usr/bin/env python3
"""What each mechanism of the model is worth: every one switched off in turn, by its switch in the GPU file.

usage: ablation.py SMSIM [--most MILLIONS] [--threads N]

Simulates the develop and held-out references with at most MILLIONS of executed warp instructions (default 18,
about half of them), once as the model is and once without each mechanism, and prints a Markdown table: the mean
absolute cycle error, what it is without the mechanism, and the reference that changes most.
"""
import argparse
import csv
import gzip
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile

REFERENCES = pathlib.Path(__file__).resolve().parent / "reference" / "h200"
CYCLES = "gpc__cycles_elapsed.max"
INSTRUCTIONS = "smsp__inst_executed.sum"
# Mechanism: what to set in the GPU file to be without it.
SWITCHES = {
    "register banks (conflicts hold up the issue)": ["register_file.bank_conflicts=false"],
    "predicated-off memory instructions pass their queue": ["mio.queue_when_off=false"],
    "L1 hits on lines under way wait for them": ["l1.hit_on_miss=false"],
    "partial sectors: L2 completes them from DRAM": ["l2.completes_partial_sectors=false"],
    "what is written again stays in L2": ["l2.merges_partial_writes=false"],
    "a request takes an L2 slice a cycle of its clock": ["l2.slice_request_cycles=0"],
    "far half of L2": ["l2.far_extra_cycles=0"],
    "distances of the slices": ["l2.slice_spread_cycles=0"],
    "DRAM banks (row activation)": ["dram.bank_busy_cycles=0"],
    "DRAM refresh": ["dram.refresh_interval_cycles=0"],
    "dirty data that stay in L2": ["l2.dirty_bytes=0"],
    "neighbouring lines share a slice (atomics)": ["atomic.near_lines_share_slice=false"],
    "atomics on one address follow one another": ["atomic.same_address_interval_cycles=0"],
    "LG and MIO queues of limited depth": ["mio.lg_queue_entries=32", "mio.mio_queue_entries=32"],
    "instruction fetch": ["front_end.instruction_cache=false"],
    "branches take time to resolve": ["front_end.branch_resolve_cycles=0"],
    "bank conflicts of shared memory": ["shared_memory.cycles_per_extra_wavefront=0",
                                        "shared_memory.latency_per_extra_wavefront_cycles=0"],
    "block ends handled one by one": ["dispatch.gpu_end_interval_cycles=0"],
    "a block's room is free only after a while": ["dispatch.replacement_cycles=1"],
    "compare-and-swap slower than other atomics": ["atomic.cas_interval_cycles=0"],
    "further sectors of an atomic come later": ["atomic.extra_sector_cycles=0"],
    "fences wait for reports of errors": ["barrier.error_barrier_cycles=0"],
    "oldest block first, its warps in turn: greedy, then oldest instead": ["scheduler=gto"],
    "the same: loose round robin instead": ["scheduler=lrr"],
    "loop stays differ where lanes leave one by one": ["front_end.uneven_loops=false"],
    "kernel start and end": ["dispatch.kernel_start_cycles=1", "dispatch.kernel_end_cycles=0"],
}


def configs_with(folder: str, scheduler: str) -> str:
    """A copy of the configs whose Hopper has another scheduling policy."""
    configs = pathlib.Path(folder) / "configs"
    shutil.copytree(REFERENCES.parents[2] / "configs", configs)
    hopper = configs / "gpus" / "sm_90.yaml"
    hopper.write_text(re.sub(r"^scheduler: .*", f"scheduler: {scheduler}", hopper.read_text(), flags=re.MULTILINE))
    return str(configs)


def errors(smsim: str, names: list, changes: list, threads: int) -> dict:
    """Signed cycle errors in percent, by reference."""
    command = [smsim, "validate", "--format", "json", "--threads", str(threads)]
    for name in names:
        command += ["--only", name]
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ)
        for change in changes:
            if change.startswith("scheduler="):
                command.insert(2, str(REFERENCES))
                environment["SMSIM_CONFIG_DIR"] = configs_with(folder, change.split("=")[1])
            else:
                command += ["--gpu-set", change]
        run = subprocess.run(command, capture_output=True, env=environment)
    if run.returncode not in (0, 3):
        raise SystemExit(run.stderr.decode())
    found = {}
    for reference in json.loads(run.stdout)["references"]:
        error = reference["metrics"].get(CYCLES, {}).get("error")
        if error is not None:
            found[reference["name"].split("/")[-1]] = 100 * error
    return found


def small_references(most: float) -> list:
    """Develop and held-out references that are simulated quickly; sizes are read from the profiles."""
    names = []
    for folder in sorted(path for path in REFERENCES.iterdir() if path.is_dir()):
        if "use: fit" in (folder / "reference.yaml").read_text():
            continue
        with gzip.open(folder / "raw.csv.gz", "rt") as file:
            header, _, values = list(csv.reader(file))[:3]
        if float(values[header.index(INSTRUCTIONS)].replace(",", "")) <= most * 1e6:
            names.append(folder.name)
    return names


def mape(found: dict) -> float:
    return statistics.mean(abs(error) for error in found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("smsim")
    parser.add_argument("--most", type=float, default=18, metavar="MILLIONS")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    names = small_references(arguments.most)
    base = errors(arguments.smsim, names, [], arguments.threads)
    print(f"{len(base)} launches; mean absolute cycle error with all mechanisms: {mape(base):.2f} %\n")
    print("| without | mean error % | worth, points | changes most | error there %, with and without |")
    print("|---|---|---|---|---|")
    for mechanism, changes in SWITCHES.items():
        without = errors(arguments.smsim, names, changes, arguments.threads)
        most_changed = max(without, key=lambda name: abs(without[name] - base[name]))
        print(f"| {mechanism} (`{'`, `'.join(changes)}`) | {mape(without):.2f} | {mape(without) - mape(base):+.2f} "
              f"| {most_changed} | {base[most_changed]:+.1f}, {without[most_changed]:+.1f} |", flush=True)


if __name__ == "__main__":
    main()
