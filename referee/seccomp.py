"""The system calls that nothing in the fence may make, as a filter program for bubblewrap's `--seccomp`.

In: the machine. Out: bytes (an array of `struct sock_filter`), or None on a machine whose call numbers are not in the table.
Forbidden is what would get round a limit of the fence: new namespaces (a mount of one's own has no size limit), memory that
belongs to no process (memfd, SysV segments), and the kernel's larger doors (bpf, io_uring, userfaultfd, keyrings).
Sources: linux/seccomp.h, linux/filter.h, linux/audit.h; the call numbers of asm/unistd.h.
"""

from __future__ import annotations

import platform
import struct

_LOAD, _EQ, _GE, _SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOSYS = 1, 38
_NEW_NAMESPACES = 0x7E020080  # CLONE_NEW{TIME,NS,CGROUP,UTS,IPC,USER,PID,NET}

_COMMON = {"io_uring_setup": 425, "open_tree": 428, "move_mount": 429, "fsopen": 430, "memfd_secret": 447}
_CLONE3 = 435
_MACHINES = {
    "x86_64": (
        0xC000003E,
        56,
        {"shmget": 29, "pivot_root": 155, "mount": 165, "add_key": 248, "request_key": 249, "keyctl": 250, "unshare": 272}
        | {"perf_event_open": 298, "setns": 308, "memfd_create": 319, "bpf": 321, "userfaultfd": 323}
        | _COMMON,
    ),
    "aarch64": (
        0xC00000B7,
        220,
        {"mount": 40, "pivot_root": 41, "unshare": 97, "shmget": 194, "add_key": 217, "request_key": 218, "keyctl": 219}
        | {"perf_event_open": 241, "setns": 268, "memfd_create": 279, "bpf": 280, "userfaultfd": 282}
        | _COMMON,
    ),
}


def filter_program(machine: str | None = None) -> bytes | None:
    """The filter for this machine (or the one named), None where it is not known."""
    entry = _MACHINES.get(machine or platform.machine())
    if entry is None:
        return None
    audit, clone, forbidden = entry
    code: list[tuple[int, int, int, int]] = []
    code += [(_LOAD, 0, 0, 4), (_EQ, 1, 0, audit), (_RETURN, 0, 0, _KILL)]  # only the machine's own calls
    code += [(_LOAD, 0, 0, 0)]
    code += [(_GE, 0, 1, 0x40000000), (_RETURN, 0, 0, _ERRNO | _ENOSYS)]  # x32 has numbers of its own
    code += [(_EQ, 0, 1, _CLONE3), (_RETURN, 0, 0, _ERRNO | _ENOSYS)]  # its flags lie in memory: callers fall back to clone
    for number in sorted(forbidden.values()):
        code += [(_EQ, 0, 1, number), (_RETURN, 0, 0, _ERRNO | _EPERM)]
    code += [(_EQ, 0, 3, clone), (_LOAD, 0, 0, 16), (_SET, 0, 1, _NEW_NAMESPACES), (_RETURN, 0, 0, _ERRNO | _EPERM)]
    code += [(_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("=HBBI", *step) for step in code)
