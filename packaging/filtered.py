"""Runs a program with the unit's SystemCallFilter, NoNewPrivileges and MemoryDenyWriteExecute.

    filtered.py UNIT PROGRAM ARGUMENT…

`systemd-analyze syscall-filter` provides the sets. Runs with the system's Python, which has libseccomp's bindings.
"""

import ctypes
import os
import subprocess
import sys

import seccomp

PR_SET_NO_NEW_PRIVS = 38
PR_SET_MDWE = 65
PR_MDWE_REFUSE_EXEC_GAIN = 1


def members(name: str) -> set[str]:
    """Returns the system calls of a set, or the one with that name."""
    if not name.startswith("@"):
        return {name}
    listed = subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager", name], check=True,
                            capture_output=True, text=True).stdout.splitlines()[1:]
    words = [line.strip() for line in listed]
    return set().union(*(members(word) for word in words if word and not word.startswith("#")))


def allowed(unit: str) -> set[str]:
    """Applies the unit's lines in their order. `@default` is always allowed."""
    calls = members("@default")
    with open(unit) as lines:
        for line in lines:
            name, _, value = line.strip().partition("=")
            if name == "SystemCallFilter":
                named = set().union(*(members(word) for word in value.lstrip("~").split()))
                calls = calls - named if value.startswith("~") else calls | named
    return calls


def main() -> None:
    unit, *command = sys.argv[1:]
    calls = allowed(unit)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        sys.exit("the process cannot give up new privileges")
    # Kernels before 6.3 do not support this.
    libc.prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0)
    # A refused call ends the process, so that none goes unnoticed.
    kept = seccomp.SyscallFilter(defaction=seccomp.KILL_PROCESS)
    for call in sorted(calls):
        try:
            kept.add_rule(seccomp.ALLOW, call)
        except (RuntimeError, OSError, ValueError):
            # This processor or library does not have the name.
            pass
    kept.load()
    os.execv(command[0], command)


main()
