#!/usr/bin/env python3
"""Runs inside a machine: measures programs. Prints JSON.

  measure.py COMMAND…             one run: seconds, processor seconds, memory
  measure.py --many JOBS FILE   runs the command in each line of FILE, JOBS at a time
"""

import concurrent.futures
import json
import os
import resource
import subprocess
import sys
import time


def one(command):
    begun = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    return {
        "exit": os.waitstatus_to_exitcode(status),
        "seconds": time.monotonic() - begun,
        "cpu": used.ru_utime + used.ru_stime,
        "mib": used.ru_maxrss / 1024,
    }


def many(jobs, file):
    with open(file, encoding="utf-8") as lines:
        commands = [line.split() for line in lines]
    begun = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        runs = list(pool.map(one, commands))
    times = sorted(run["seconds"] for run in runs)
    return {
        "runs": len(runs),
        "failed": sum(run["exit"] not in (0, 2) for run in runs),
        "seconds": time.monotonic() - begun,
        "median": times[len(times) // 2],
        "slowest": times[-1],
        "cpu": sum(run["cpu"] for run in runs) / len(runs),
        "mib": max(run["mib"] for run in runs),
    }


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.argv[1] == "--many":
        print(json.dumps(many(*sys.argv[2:])))
    else:
        print(json.dumps(one(sys.argv[1:])))


if __name__ == "__main__":
    main()
