#!/usr/bin/env python3
"""Recompute the figures of configs/gpus/h200.yaml and sm_90.yaml from the microbenchmarks that their sources name.

usage: fit.py            table: what is configured, what the CSV files of measured/h200 say, and how
       fit.py --check    the same; exits 1 if a figure is off by more than its rounding
       fit.py --write    puts the refitted value, rounded, where a figure is off by more than its rounding

A figure that no CSV file gives alone (fitted by simulation, read from a profile, a name instead of a number) is listed with its
source. The rounding says how far a figure can be trusted: slices, SMs and repeats differ by that much. --write changes the text of
values only, so that comments and order stay.
"""
import collections
import csv
import pathlib
import re
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
MEASURED = HERE / 'measured' / 'h200'
CONFIGS = [HERE.parent / 'configs' / 'gpus' / name for name in ('h200.yaml', 'sm_90.yaml')]

Row = dict[str, str]
Histogram = dict[int, int]  # latency to how often


# --- The description files ---------------------------------------------------------------------------------------------------


class Value(NamedTuple):
    """A value in a description file and where its text stands."""

    text: str
    file: pathlib.Path
    line: int
    column: int


class Description:
    """The values and sources of the description files, by dotted name: "l2.size_bytes", "operations.MUFU.latency_cycles"."""

    ENTRY = re.compile(r'^( *)([\w.]+): *(.*?)(?: +#.*)?$')
    FLOW_ENTRY = re.compile(r'(\w+): ([^,}]+)')

    def __init__(self, files: Iterable[pathlib.Path]) -> None:
        self.values: dict[str, Value] = {}
        self.sources: dict[tuple[pathlib.Path, str], str] = {}
        for file in files:
            self._read(file)

    def _read(self, file: pathlib.Path) -> None:
        section = ''
        for number, line in enumerate(file.read_text().splitlines()):
            match = self.ENTRY.match(line)
            if not match or line.lstrip().startswith('#'):
                continue
            indent, key, text = match.groups()
            if not indent:
                section = '' if text else key
            if not text:
                continue
            if section == 'sources':
                self.sources[file, key] = text
                continue
            name = f'{section}.{key}' if section else key
            if text.startswith('{'):
                for entry in self.FLOW_ENTRY.finditer(line, match.start(3)):
                    self.values[f'{name}.{entry[1]}'] = Value(entry[2], file, number, entry.start(2))
            else:
                self.values[name] = Value(text, file, number, match.start(3))

    def number(self, name: str) -> float:
        return float(self.values[name].text)

    def source_name(self, name: str) -> str:
        """The entry under sources: that speaks for a figure: its own or that of the nearest part around it."""
        parts = name.split('.')
        for length in range(len(parts), 0, -1):
            candidate = '.'.join(parts[:length])
            if (self.values[name].file, candidate) in self.sources:
                return candidate
        return ''

    def source(self, name: str) -> str:
        return self.sources.get((self.values[name].file, self.source_name(name)), '')


# --- The measurements --------------------------------------------------------------------------------------------------------


def rows(name: str, **wanted: object) -> list[Row]:
    """The rows of measured/h200/NAME.csv whose columns have the wanted values."""
    with open(MEASURED / f'{name}.csv', newline='') as file:
        found = [row for row in csv.DictReader(file) if all(row[key] == str(value) for key, value in wanted.items())]
    if not found:
        raise ValueError(f'{name}.csv: no row with {wanted}')
    return found


def numbers(table: Iterable[Row], column: str) -> list[float]:
    return [float(row[column]) for row in table]


def slope(points: Iterable[tuple[float, float]]) -> float:
    return statistics.linear_regression(*zip(*points)).slope


Compute = Callable[[Description], float]


class Figure(NamedTuple):
    files: tuple[str, ...]
    rounding: float
    how: str
    compute: Compute


FIGURES: dict[str, Figure] = {}


def figure(name: str, files: str, how: str, rounding: float = 1) -> Callable[[Compute], Compute]:
    """Registers the function below it as the one that computes a figure."""

    def register(compute: Compute) -> Compute:
        FIGURES[name] = Figure(tuple(files.split()), rounding, how, compute)
        return compute

    return register


# op_latency.csv: "chain" is the latency of dependent instructions, "ilp8" the interval of independent ones on one sub-partition.


def instruction(op: str, column: str, ways: int = 1) -> float:
    return float(rows('op_latency', op=op, ways=ways)[0][column])


LATENCIES = {
    'operations.MUFU.latency_cycles': 'mufu_ex2',
    'operations.POPC.latency_cycles': 'popc',
    'operations.FLO.latency_cycles': 'flo',
    'operations.BREV.latency_cycles': 'brev',
    'operations.SHFL.latency_cycles': 'shfl_bfly',
    'operations.REDUX.latency_cycles': 'redux_add',
    'operations.LDC.latency_cycles': 'ldc_indexed',
    'shared_memory.load_latency_cycles': 'lds_32',
    'shared_memory.shuffle_latency_cycles': 'shfl_bfly',
    'shared_memory.atomic_latency_cycles': 'atoms_add_return',
}
for _name, _op in LATENCIES.items():
    figure(_name, 'op_latency', f'{_op}, chain of one warp')(lambda _, op=_op: instruction(op, 'chain_1warp'))


@figure('operations.S2R.latency_cycles', 'op_latency', 's2r_pred less isetp_pred_add, chains of one warp')
def s2r_latency(_: Description) -> float:
    return instruction('s2r_pred', 'chain_1warp') - instruction('isetp_pred_add', 'chain_1warp')


@figure('mio.store_interval_cycles', 'op_latency', 'stg_32_with_iadd64, one warp')
def store_interval(_: Description) -> float:
    return instruction('stg_32_with_iadd64', 'ilp8_1warp')


@figure('mio.shared_interval_cycles', 'op_latency', 'per way of a conflict, one warp: lds_conflict and sts_32, 8 to 32 ways')
def shared_interval(_: Description) -> float:
    per_way = [(instruction(op, 'ilp8_1warp', 32) - instruction(op, 'ilp8_1warp', 8)) / 24 for op in ('lds_conflict', 'sts_32')]
    return statistics.mean(per_way)


@figure('mio.adu_interval_cycles', 'op_latency', 'ldc_indexed, 32 warps')
def adu_interval(_: Description) -> float:
    return instruction('ldc_indexed', 'ilp8_32warps')


@figure('mio.port_interval_cycles', 'op_latency', 'lds_32 and shfl_bfly, 32 warps, a quarter as four sub-partitions share the port')
def port_interval(_: Description) -> float:
    return statistics.mean(instruction(op, 'ilp8_32warps') for op in ('lds_32', 'shfl_bfly')) / 4


@figure('shared_memory.cycles_per_extra_wavefront', 'op_latency', 'lds_conflict, 32 warps: 32 ways less 1, by 31 and four sub-partitions')
def extra_wavefront(_: Description) -> float:
    return (instruction('lds_conflict', 'ilp8_32warps', 32) - instruction('lds_conflict', 'ilp8_32warps')) / 31 / 4


@figure('l1.store_bytes_per_cycle', 'op_latency', 'stg_32_with_iadd64, 32 warps: 128 bytes from each sub-partition per interval in whole cycles')
def store_bytes(_: Description) -> float:
    return 4 * 128 / round(instruction('stg_32_with_iadd64', 'ilp8_32warps'))


# mem_queue_stall1.csv: column n is the clock when n instructions have issued.


def issue_times(op: str, warps: int, warp: int) -> dict[int, int]:
    """Clock by number of instructions, without the programs that ptxas arranged differently (theirs goes back)."""
    row = rows('mem_queue_stall1', op=op, warps=warps, warp=warp)[0]
    times: dict[int, int] = {}
    for count in range(1, 17):
        clock = int(row[f'n{count}'])
        if clock >= max(times.values(), default=0):
            times[count] = clock
    return times


def queue_entries(op: str) -> int:
    """How many instructions of one warp issue before each has to wait until the one before it leaves the queue, as the last ones do."""
    times = issue_times(op, 1, 0)
    steady = (times[16] - times[14]) / 2
    return next(count for count in times if times.get(count + 1, 0) - times[count] >= steady)


@figure('mio.lg_queue_entries', 'mem_queue_stall1', 'STG of one warp before the steps are those of the last ones')
def lg_queue(_: Description) -> float:
    return queue_entries('stg')


@figure('mio.mio_queue_entries', 'mem_queue_stall1', 'STS of one warp before the steps are those of the last ones')
def mio_queue(_: Description) -> float:
    return queue_entries('sts')


@figure('mio.dispatch_latency_cycles', 'mem_queue_stall1', 'LDG of one warp: first to first beyond the queue')
def dispatch_latency(_: Description) -> float:
    times = issue_times('ldg', 1, 0)
    return times[queue_entries('stg') + 1] - times[1]


@figure('mio.load_interval_cycles', 'mem_queue_stall1', 'LDG of one warp, beyond the queue')
def load_interval(_: Description) -> float:
    return slope((count, clock) for count, clock in issue_times('ldg', 1, 0).items() if count > queue_entries('stg'))


@figure('mio.store_port_cycles', 'mem_queue_stall1', 'STG on four sub-partitions, beyond the queue, a quarter')
def store_port(_: Description) -> float:
    beyond = queue_entries('stg') + 1
    return statistics.mean(slope((count, clock) for count, clock in issue_times('stg', 4, warp).items() if count > beyond)
                           for warp in range(4)) / 4


# icache.csv: FFMA of one warp, straight through.


def small_code(**wanted: object) -> list[Row]:
    """What fits the instruction cache and takes more than one line."""
    return [row for row in rows('icache', warps=1, **wanted) if 1024 <= int(row['bytes']) <= 24 * 1024]


@figure('front_end.icache_miss_cycles', 'icache', 'first pass less warm pass, launched before, to 24 KB, one block, median')
def icache_miss(_: Description) -> float:
    return statistics.median(float(row['first_cycles']) - float(row['warm_cycles']) for row in small_code(state='relaunch', grid=1))


@figure('front_end.icache_prefetch_interval_cycles', 'icache', 'first pass after a flush, to 24 KB: slope over lines of 128 bytes')
def icache_prefetch(_: Description) -> float:
    slopes = [slope((float(row['bytes']) / 128, float(row['first_cycles'])) for row in small_code(state='first_launch_or_flushed', grid=grid))
              for grid in (1, 132)]
    return statistics.mean(slopes)


# chase_sizes.csv and chase_spread.csv: a pointer chase; the second as histograms of latencies in bins of 8 cycles.

BIN_CYCLES = 8


def chase(footprint_kb: int) -> Histogram:
    """The histogram of one footprint, over the six SMs that were measured."""
    pooled: Histogram = collections.Counter()
    for row in rows('chase_spread', footprint_kb=footprint_kb):
        pooled[int(row['bin_cycles'])] += int(row['count'])
    return pooled


def clusters(histogram: Histogram) -> list[Histogram]:
    """Parts that empty bins separate."""
    parts: list[Histogram] = []
    for latency in sorted(histogram):
        if not parts or latency - max(parts[-1]) > BIN_CYCLES:
            parts.append({})
        parts[-1][latency] = histogram[latency]
    return parts


def mean_of(histogram: Histogram) -> float:
    return sum(latency * count for latency, count in histogram.items()) / sum(histogram.values())


def highest_peak(histogram: Histogram) -> Histogram:
    """The bins around the fullest one, down to a twentieth of it."""
    top = max(histogram, key=lambda latency: histogram[latency])
    least = histogram[top] / 20
    first = last = top
    while histogram.get(first - BIN_CYCLES, 0) >= least:
        first -= BIN_CYCLES
    while histogram.get(last + BIN_CYCLES, 0) >= least:
        last += BIN_CYCLES
    return {latency: count for latency, count in histogram.items() if first <= latency <= last}


L2_FOOTPRINT_KB, DRAM_FOOTPRINT_KB = 8 * 1024, 1024 * 1024


@figure('l1.hit_latency_cycles', 'chase_sizes', 'median to 128 KB')
def l1_hit(_: Description) -> float:
    return statistics.median(float(row['cycles_per_load']) for row in rows('chase_sizes') if int(row['footprint_kb']) <= 128)


@figure('l2.hit_latency_cycles', 'chase_spread', '8 MB, mean of the near cluster; SMs from 272 to 284', rounding=5)
def l2_hit(_: Description) -> float:
    return mean_of(clusters(chase(L2_FOOTPRINT_KB))[0])


@figure('l2.far_extra_cycles', 'chase_spread', '8 MB, mean of the far cluster less that of the near one', rounding=10)
def l2_far_extra(_: Description) -> float:
    near, far = clusters(chase(L2_FOOTPRINT_KB))
    return mean_of(far) - mean_of(near)


@figure('l2.partitions', 'chase_spread', '8 MB, clusters of latencies')
def l2_partitions(_: Description) -> float:
    return len(clusters(chase(L2_FOOTPRINT_KB)))


@figure('l2.slice_spread_cycles', 'chase_spread', '8 MB, near cluster: lowest to highest bin with 1 % of it', rounding=BIN_CYCLES)
def l2_slice_spread(_: Description) -> float:
    near = clusters(chase(L2_FOOTPRINT_KB))[0]
    filled = [latency for latency, count in near.items() if count >= sum(near.values()) / 100]
    return max(filled) - min(filled)


@figure('dram.latency_cycles', 'chase_spread', '1 GB, mean of the highest peak (near) less l2.hit_latency_cycles', rounding=5)
def dram_latency(configured: Description) -> float:
    return mean_of(highest_peak(chase(DRAM_FOOTPRINT_KB))) - configured.number('l2.hit_latency_cycles')


# loaded_latency.csv and write_back.csv: throughput, and what L2 holds.


def best_gb_per_s(**wanted: object) -> float:
    return max(numbers(rows('loaded_latency', level='l2', **wanted), 'gb_per_s'))


@figure('l2.slice_bytes_per_cycle', 'loaded_latency', 'most GB/s out of L2 by all SMs, by l2.slices and clocks.sm_mhz')
def slice_bytes(configured: Description) -> float:
    return best_gb_per_s(sms='all') * 1000 / configured.number('clocks.sm_mhz') / configured.number('l2.slices')


@figure('l1.request_bytes_per_cycle', 'loaded_latency', 'most GB/s out of L2 by one SM, by clocks.sm_mhz; some of it hits L1', rounding=32)
def request_bytes(configured: Description) -> float:
    return best_gb_per_s(sms='sm0', mode='load') * 1000 / configured.number('clocks.sm_mhz')


MIB = 1024 * 1024


@figure('l2.effective_bytes', 'write_back', 'read_twice: between the last buffer read once only from DRAM and the next', rounding=4 * MIB)
def effective_bytes(_: Description) -> float:
    reads = {int(row['buffer_mb']): float(row['dram__bytes_read.sum']) for row in rows('write_back', kernel='read_twice')}
    held = max(size for size, read in reads.items() if read < 1.02 * size * MIB)
    return (held + min(size for size in reads if size > held)) / 2 * MIB


@figure('l2.dirty_bytes', 'write_back', 'store_only, buffers from 128 MB: what was not written, median', rounding=1e6)
def dirty_bytes(_: Description) -> float:
    return statistics.median(int(row['buffer_mb']) * MIB - float(row['dram__bytes_write.sum'])
                             for row in rows('write_back', kernel='store_only') if int(row['buffer_mb']) >= 128)


# Barriers, fences, atomics.


def barrier_line() -> statistics.LinearRegression:
    barriers = rows('barrier_cost', kind='bar_sync')
    return statistics.linear_regression(numbers(barriers, 'warps'), numbers(barriers, 'cycles_each'))


@figure('barrier.latency_cycles', 'barrier_cost', 'bar_sync: line over warps, at none')
def barrier_latency(_: Description) -> float:
    return barrier_line().intercept


@figure('barrier.per_warp_cycles', 'barrier_cost', 'bar_sync: line over warps, slope')
def barrier_per_warp(_: Description) -> float:
    return barrier_line().slope


def error_barrier(configured: Description) -> float:
    """What is configured apart from the fence itself, for the fences that reach beyond the SM."""
    name = 'barrier.error_barrier_cycles'
    return configured.number(name) if name in configured.values else 0


def one_warp(kind: str) -> float:
    return statistics.mean(numbers(rows('sync_cost', kind=kind, block=32), 'cycles'))


@figure('barrier.membar_cta_cycles', 'sync_cost', 'fence_cta, one warp a block')
def membar_cta(_: Description) -> float:
    return one_warp('fence_cta')


@figure('barrier.membar_gpu_cycles', 'sync_cost', 'fence_gpu, one warp a block, less error_barrier_cycles')
def membar_gpu(configured: Description) -> float:
    return one_warp('fence_gpu') - error_barrier(configured)


@figure('barrier.membar_system_cycles', 'sync_cost', 'fence_sys, one warp a block (one block; one an SM), less error_barrier_cycles',
        rounding=100)
def membar_system(configured: Description) -> float:
    return one_warp('fence_sys') - error_barrier(configured)


@figure('barrier.cluster_barrier_cycles', 'sync_cost', 'cluster_sync, one warp a block, mean over cluster sizes', rounding=10)
def cluster_barrier(_: Description) -> float:
    return one_warp('cluster_sync')


@figure('barrier.dsmem_latency_cycles', 'sync_cost', 'dsmem_load in a cluster of 16, mean over the other SMs', rounding=10)
def dsmem_latency(_: Description) -> float:
    return statistics.mean(float(row['cycles']) for row in rows('sync_cost', grid_or_size=16)
                           if row['kind'].startswith('dsmem_load') and row['block'] != '0')


@figure('atomic.same_address_interval_cycles', 'atomics', 'red_add_u32_2blocks, one address', rounding=0.05)
def same_address(_: Description) -> float:
    return 1 / float(rows('atomics', op='red_add_u32_2blocks', addresses=1)[0]['ops_per_cycle'])


@figure('atomic.sector_interval_cycles', 'atomics', 'red_add_u32_2blocks, all different: eight a sector, over l2.slices', rounding=0.1)
def sector_interval(configured: Description) -> float:
    row = rows('atomics', op='red_add_u32_2blocks', addresses=131072, spacing_bytes=4, lanes=32)[0]
    return 8 * configured.number('l2.slices') / float(row['ops_per_cycle'])


@figure('atomic.extra_latency_cycles', 'atomics', 'latency_atom_add_u32, near address, mean of three SMs, less l2.hit_latency_cycles', rounding=5)
def atomic_latency(configured: Description) -> float:
    near = rows('atomics', op='latency_atom_add_u32', spacing_bytes='offset0')
    return statistics.mean(numbers(near, 'ops_per_cycle')) - configured.number('l2.hit_latency_cycles')


# Getting blocks onto SMs.


def full_occupancy_gap(mode: str, block: int | None = None) -> float:
    """Median gap in blocks that last too long for the rate of block ends to matter, at the most blocks an SM."""
    table = [row for row in rows('block_replace', mode=mode) if int(row['length']) >= 5000]
    most: dict[str, int] = {}
    for row in table:
        most[row['block']] = max(most.get(row['block'], 0), int(row['blocks_per_sm']))
    return statistics.median(float(row['gap_p50']) for row in table
                             if int(row['blocks_per_sm']) == most[row['block']] and block in (None, int(row['block'])))


@figure('dispatch.replacement_cycles', 'block_replace', 'store_at_start, full occupancy, 5,000 cycles and more: median of gap_p50', rounding=5)
def replacement(_: Description) -> float:
    return full_occupancy_gap('store_at_start')


@figure('l2.write_ack_cycles', 'block_replace', 'store_at_end less store_at_start, full occupancy, one warp a block: gap_p50', rounding=10)
def write_ack(_: Description) -> float:
    return full_occupancy_gap('store_at_end', 32) - full_occupancy_gap('store_at_start', 32)


@figure('dispatch.kernel_start_cycles', 'empty_launch', 'one block: cycles elapsed less its SM active, median, less kernel_end_cycles',
        rounding=100)
def kernel_start(configured: Description) -> float:
    around = [float(row['gpc__cycles_elapsed.max']) - float(row['sm__cycles_active.max']) for row in rows('empty_launch', grid=1)]
    return statistics.median(around) - configured.number('dispatch.kernel_end_cycles')


@figure('dispatch.gpu_end_interval_cycles', 'empty_launch', 'empty_guard, 16,896 to 67,584 blocks: slope, median of blocks to 640 threads',
        rounding=0.01)
def gpu_end_interval(_: Description) -> float:
    by_block: dict[int, list[tuple[float, float]]] = collections.defaultdict(list)
    for row in rows('empty_launch', kernel='empty_guard', smem=0):
        if int(row['grid']) >= 16896 and int(row['block']) <= 640:
            by_block[int(row['block'])].append((float(row['grid']), float(row['gpc__cycles_elapsed.max'])))
    return statistics.median(slope(points) for points in by_block.values())


@figure('dispatch.gpu_interval_cycles', 'first_wave_blocks', '1,056 blocks of 256 threads in order of start: slope', rounding=0.1)
def gpu_interval(_: Description) -> float:
    by_repeat: dict[str, list[float]] = collections.defaultdict(list)
    for row in rows('first_wave_blocks', grid=1056, block=256):
        by_repeat[row['repeat']].append(float(row['start_offset_cycles']))
    return statistics.mean(slope(enumerate(sorted(starts))) for starts in by_repeat.values())


def first_wave_interval(block: int) -> float:
    """Between two block starts on an SM before any block ends there: mean of each SM, median of SMs and runs."""
    means: list[float] = []
    for row in rows('block_replace_early', block=block):
        lives = [re.fullmatch(r'(\d+)-(\d+)@\d+', life) for life in row['starts_ends_slots'].split()]
        first_end = min(int(life[2]) for life in lives if life)
        starts = [int(life[1]) for life in lives if life and int(life[1]) < first_end]
        if len(starts) > 1:
            means.append((starts[-1] - starts[0]) / (len(starts) - 1))
    return statistics.median(means)


@figure('dispatch.sm_interval_cycles', 'block_replace_early', 'block starts of an SM, first wave, 64 and 128 threads', rounding=2)
def sm_interval(_: Description) -> float:
    return statistics.mean(first_wave_interval(block) for block in (64, 128))


@figure('dispatch.sm_warp_interval_cycles', 'block_replace_early', 'block starts of an SM, first wave, 512 to 1,024 threads, by warps')
def sm_warp_interval(_: Description) -> float:
    return statistics.mean(first_wave_interval(block) / (block / 32) for block in (512, 768, 1024))


@figure('dispatch.warp_interval_cycles', 'first_wave_warps', 'steps between the warps of the first block of an SM, median')
def warp_interval(_: Description) -> float:
    steps: list[float] = []
    for case in sorted({row['case'] for row in rows('first_wave_warps')}):
        starts = numbers(rows('first_wave_warps', case=case, block_rank_on_sm=0), 'start_mean')
        steps += [later - earlier for earlier, later in zip(starts, starts[1:])]
    return statistics.median(steps)


# --- What to do with them ----------------------------------------------------------------------------------------------------


class Refit(NamedTuple):
    name: str
    configured: float
    refitted: float
    figure: Figure

    def is_off(self) -> bool:
        return abs(self.refitted - self.configured) > self.figure.rounding + 1e-9

    def rounded(self) -> str:
        value = round(self.refitted / self.figure.rounding) * self.figure.rounding
        return f'{value:.6f}'.rstrip('0').rstrip('.')


def names_a_file(source: str, files: tuple[str, ...]) -> bool:
    return any(f'validate/measured/h200/{file}.csv' in source for file in files)


def refits(description: Description) -> Iterator[Refit]:
    """Every figure that has a function here and a source that names the file the function reads."""
    for name, value in description.values.items():
        known = FIGURES.get(name)
        if known and names_a_file(description.source(name), known.files):
            yield Refit(name, float(value.text), known.compute(description), known)


def print_table(table: list[Refit]) -> None:
    print(f'{"figure":45} {"configured":>11} {"refitted":>12} {"difference":>12} {"rounding":>9}   from')
    for refit in table:
        difference = refit.refitted - refit.configured
        print(f'{refit.name:45} {refit.configured:>11.10g} {refit.refitted:>12.8g} {difference:>12.4g} {refit.figure.rounding:>9.7g} '
              f'{"!" if refit.is_off() else " "} {", ".join(refit.figure.files)}.csv: {refit.figure.how}')


def print_others(description: Description, done: set[str]) -> None:
    """The measured figures that are not recomputed, by source."""
    by_source: dict[str, list[str]] = collections.defaultdict(list)
    for name in description.values:
        source = description.source(name)
        if 'validate/' in source and name not in done:
            by_source[source].append(name)
    print('\nnot from a CSV file alone')
    for source, names in by_source.items():
        print(f'  {", ".join(names)}\n      {source}')


def write(refitted: list[Refit]) -> None:
    """Into the files as they are now: they are read again, and only the text of the values changes."""
    current = Description(CONFIGS)
    for refit in refitted:
        value = current.values[refit.name]
        lines = value.file.read_text().splitlines(keepends=True)
        line = lines[value.line]
        lines[value.line] = line[:value.column] + refit.rounded() + line[value.column + len(value.text):]
        value.file.write_text(''.join(lines))
        current = Description(CONFIGS)
        print(f'{value.file.name}: {refit.name}: {value.text} -> {refit.rounded()}')


def main() -> int:
    options = set(sys.argv[1:])
    if not options <= {'--check', '--write'}:
        print(__doc__)
        return 2
    description = Description(CONFIGS)
    table = list(refits(description))
    print_table(table)
    print_others(description, {refit.name for refit in table})
    off = [refit for refit in table if refit.is_off()]
    if '--write' in options:
        write(off)
    elif '--check' in options and off:
        print(f'\noff by more than the rounding: {", ".join(refit.name for refit in off)}')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
