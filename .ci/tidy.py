#!/usr/bin/env python3
"""clang-tidy over sim/**.cpp, a directory at a time: .ci/tidy.py [BUILD_DIR]

clang-tidy spends its time in the headers, which it parses and walks anew for every file. Here the files of a directory are included
into one source, so that their headers are walked once. Files that cannot share a source, as when two of them define the same name
in their unnamed namespaces, are found by compiling them together first, and wait for another source, in the end for one of their own.
Exits 1 when something is an error (.clang-tidy says what).
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
OWN_FILES = r'/(include/smsim|sim)/.*\.[ch]pp$'
FINDING = re.compile(r'^(/[^\s:]+):\d+:\d+: (warning|error): .*$', re.M)
COMPILE_ONLY = '-checks=-*,bugprone-suspicious-include'  # clang-tidy insists on a check; this one looks at #include lines only


class Finding(NamedTuple):
    file: str
    is_error: bool
    text: str  # with its notes


def flags_of_files(database: pathlib.Path) -> dict[str, list[str]]:
    """Standard, definitions and include folders of every file under sim/."""
    flags = {}
    for entry in json.loads(database.read_text()):
        if entry['file'].startswith(f'{ROOT}/sim/'):
            words = shlex.split(entry['command'])
            flags[entry['file']] = [word for word in words if word.startswith(('-D', '-I', '-std='))]
    return flags


def findings_of(output: str) -> list[Finding]:
    starts = list(FINDING.finditer(output))
    ends = [match.start() for match in starts[1:]] + [len(output)]
    return [Finding(match[1], match[2] == 'error', output[match.start():end]) for match, end in zip(starts, ends)]


class Folder:
    """The sources of one directory."""

    def __init__(self, files: list[str], stem: pathlib.Path, flags: dict[str, list[str]]) -> None:
        self.files, self.stem, self.flags = files, stem, flags
        self.sources = 0

    def write_source(self, files: list[str]) -> pathlib.Path:
        """Headers first, so that no file's own names are in sight of them."""
        headers = [line for name in files for line in re.findall(r'^#include ".*"$', pathlib.Path(name).read_text(), re.M)]
        lines = [*dict.fromkeys(headers), '// NOLINTBEGIN(bugprone-suspicious-include)', *(f'#include "{name}"' for name in files),
                 '// NOLINTEND(bugprone-suspicious-include)']
        self.sources += 1
        source = self.stem.with_name(f'{self.stem.name}_{self.sources}.cpp')
        source.write_text('\n'.join(lines) + '\n')
        return source

    def run(self, files: list[str], source: pathlib.Path, *options: str) -> list[Finding]:
        flags = dict.fromkeys(flag for name in files for flag in self.flags[name])
        command = ['clang-tidy', '-quiet', *options, f'-header-filter={OWN_FILES}', str(source), '--', '-ferror-limit=0', *flags]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        found = findings_of(done.stdout)
        if done.returncode != 0 and not any(finding.is_error for finding in found):
            found.append(Finding(str(source), True, f'{source}: error: clang-tidy failed\n{done.stdout}{done.stderr}'))
        return found

    def check(self) -> list[Finding]:
        found: list[Finding] = []
        waiting = [self.files]
        while waiting:
            files = waiting.pop()
            source = self.write_source(files)
            tried = self.run(files, source, COMPILE_ONLY) if len(files) > 1 else []
            broken = {finding.file for finding in tried if '[clang-diagnostic-error]' in finding.text}
            if not broken:
                found += self.run(files, source)
            elif broken <= set(files[1:]):
                waiting += [[name for name in files if name in broken], [name for name in files if name not in broken]]
            else:  # an error in a header: no telling whose it is
                waiting += [files[:len(files) // 2], files[len(files) // 2:]]
        return found


def main() -> int:
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / 'build/release').resolve()
    flags = flags_of_files(build / 'compile_commands.json')
    files = sorted(map(str, (ROOT / 'sim').rglob('*.cpp')))
    if unbuilt := [name for name in files if name not in flags]:
        print('not built, so not checked:', *unbuilt)
        return 1
    (build / 'tidy').mkdir(exist_ok=True)
    by_folder: dict[str, list[str]] = {}
    for name in files:
        by_folder.setdefault('_'.join(pathlib.Path(name).relative_to(ROOT).parent.parts), []).append(name)
    folders = [Folder(members, build / 'tidy' / name, flags) for name, members in by_folder.items()]
    folders.sort(key=lambda folder: -len(folder.files))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(Folder.check, folders))
    found = dict.fromkeys(finding for result in results for finding in result)  # a header's once
    print(''.join(finding.text for finding in found), end='')
    errors = sum(finding.is_error for finding in found)
    print(f'{len(files)} files in {sum(folder.sources for folder in folders)} sources: {len(found)} findings, {errors} errors')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main())
