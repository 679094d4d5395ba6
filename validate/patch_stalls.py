#!/usr/bin/env python3
"""Set the stall count of back-to-back memory-queue instructions in a cubin to 1.

ptxas puts 4 cycles between two LDS, LDG, SHFL, STS, STG, ... of one warp, which hides the depth of the
hardware's instruction queue. This patches the stall field (bits 105 to 108) of each such instruction
whose next instruction is of the same kind. Usage: patch_stalls.py IN.cubin OUT.cubin
"""

import struct
import sys

QUEUE_OPCODES = {0x981, 0x984, 0x986, 0x388, 0xF89, 0x308, 0x309, 0xB82, 0x38C}


def patch(image: bytearray) -> int:
    section_table = struct.unpack_from("<Q", image, 0x28)[0]
    count, names_index = struct.unpack_from("<HH", image, 0x3C)
    sections = [struct.unpack_from("<IIQQQQIIQQ", image, section_table + 64 * i) for i in range(count)]
    names = sections[names_index][4]
    patched = 0
    for section in sections:
        begin = names + section[0]
        name = bytes(image[begin : image.index(0, begin)]).decode()
        if not name.startswith(".text."):
            continue
        offset, size = section[4], section[5]
        for at in range(offset, offset + size - 16, 16):
            opcode = struct.unpack_from("<Q", image, at)[0] & 0xFFF
            following = struct.unpack_from("<Q", image, at + 16)[0] & 0xFFF
            if opcode in QUEUE_OPCODES and (following == opcode or following == 0x207):
                high = struct.unpack_from("<Q", image, at + 8)[0]
                if (high >> 41) & 15 > 1:
                    struct.pack_into("<Q", image, at + 8, (high & ~(15 << 41)) | (1 << 41) | (1 << 45))
                    patched += 1
    return patched


def main() -> None:
    source, target = sys.argv[1:3]
    with open(source, "rb") as file:
        image = bytearray(file.read())
    print(f"{patch(image)} stall counts set to 1", file=sys.stderr)
    with open(target, "wb") as file:
        file.write(image)


if __name__ == "__main__":
    main()
