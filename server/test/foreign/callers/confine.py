"""confine.py CALLS PROGRAM ARGS...: runs a program that may use only the named system calls; others fail with EPERM."""

import os
import sys

import seccomp

allowed = seccomp.SyscallFilter(defaction=seccomp.ERRNO(1))
for name in sys.argv[1].split(","):
    try:
        allowed.add_rule(seccomp.ALLOW, name)
    except (RuntimeError, ValueError):
        pass  # A call of another architecture.
allowed.load()
os.execv(sys.argv[2], sys.argv[2:])
