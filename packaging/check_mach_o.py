"""check_mach_o.py FILE: whether a Mac would load a program that was linked elsewhere.

Apple silicon starts only what is signed, if by nobody in particular: every page's hash must stand in the signature. No library may be named twice.
Those that the program wants loaded are printed, one a line.
"""

import hashlib
import struct
import sys

LC_LOAD_DYLIB, LC_CODE_SIGNATURE = 0xC, 0x1D
ARM64, EXECUTABLE = 0x0100000C, 2
CODE_DIRECTORY, SHA256 = 0xFADE0C02, 2

data = open(sys.argv[1], "rb").read()
magic, cpu, _, kind, commands = struct.unpack_from("<5I", data)
if (magic, cpu, kind) != (0xFEEDFACF, ARM64, EXECUTABLE):
    sys.exit(f"{sys.argv[1]} is no Mach-O program for arm64")
at, libraries, signature = 32, [], None
for _ in range(commands):
    command, size = struct.unpack_from("<2I", data, at)
    if command == LC_LOAD_DYLIB:
        (name,) = struct.unpack_from("<I", data, at + 8)
        libraries.append(data[at + name : at + size].rstrip(b"\0").decode())
    if command == LC_CODE_SIGNATURE:
        signature = struct.unpack_from("<2I", data, at + 8)
    at += size
if len(set(libraries)) != len(libraries):
    sys.exit(f"{sys.argv[1]} names a library twice, which newer Macs refuse: {', '.join(libraries)}")
if signature is None:
    sys.exit(f"{sys.argv[1]} is not signed: Apple silicon would not start it")

begin, size = signature
(blobs,) = struct.unpack_from(">I", data, begin + 8)
directories = 0
for blob in range(blobs):
    _, offset = struct.unpack_from(">2I", data, begin + 12 + 8 * blob)
    code = begin + offset
    if struct.unpack_from(">I", data, code)[0] != CODE_DIRECTORY:
        continue
    directories += 1
    hashes, _, _, slots, limit = struct.unpack_from(">5I", data, code + 16)
    length, form, _, page_log2 = struct.unpack_from("4B", data, code + 36)
    if form != SHA256 or limit != begin:
        sys.exit(f"the signature of {sys.argv[1]} covers {limit} bytes with hash {form}, expected {begin} bytes with SHA-256")
    page = 1 << page_log2
    for slot in range(slots):
        expected = data[code + hashes + slot * length :][:length]
        if hashlib.sha256(data[slot * page : min((slot + 1) * page, limit)]).digest() != expected:
            sys.exit(f"page {slot} of {sys.argv[1]} was changed after it was signed")
if directories == 0:
    sys.exit(f"the signature of {sys.argv[1]} holds no hashes")
print("\n".join(libraries))
