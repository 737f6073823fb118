"""Facts about the machine that a result depends on. What cannot be read is null. No name of host or user, no path.

environment.py    prints them
"""

import json
import os
import platform
import re
import shutil
import subprocess
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CPU = Path("/sys/devices/system/cpu")


def now():
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def read(path):
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None


def output(*command):
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=10, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def number(text):
    try:
        return int(text)
    except (TypeError, ValueError):
        return None


def cpuinfo():
    """The first processor's block of /proc/cpuinfo, and the clocks of all."""
    text = read("/proc/cpuinfo") or ""
    first = {}
    for line in text.split("\n\n")[0].splitlines():
        key, _, value = line.partition(":")
        first[key.strip()] = value.strip()
    return first, [float(mhz) for mhz in re.findall(r"^cpu MHz\s*: ([0-9.]+)$", text, re.MULTILINE)]


def clock_mhz():
    """The fastest processor's clock at this moment."""
    scaling = [number(read(path)) for path in CPU.glob("cpu[0-9]*/cpufreq/scaling_cur_freq")]
    mhz = [khz / 1000 for khz in scaling if khz] or cpuinfo()[1]
    return round(max(mhz), 1) if mhz else None


def load():
    try:
        return [round(value, 2) for value in os.getloadavg()]
    except OSError:
        return None


def processor():
    info, _ = cpuinfo()

    def first(*keys):
        return next((info[key] for key in keys if info.get(key)), None)

    return {
        "model": first("model name", "Model", "CPU part"),
        "vendor": first("vendor_id", "CPU implementer"),
        "family": first("cpu family", "CPU architecture"),
        "model_number": first("model", "CPU part"),
        "stepping": first("stepping", "CPU revision"),
        "microcode": first("microcode"),
    }


def hypervisor():
    flags = (cpuinfo()[0].get("flags") or "").split()
    return "hypervisor" in flags if flags else None


def virtualisation():
    """The kind of virtual machine; "none" on bare metal."""
    kind = output("systemd-detect-virt", "--vm")
    if kind is None and shutil.which("systemd-detect-virt"):
        kind = "none"  # which it prints, but with a status of 1
    return kind or read("/sys/hypervisor/type")


def caches():
    found = []
    for index in sorted(CPU.glob("cpu0/cache/index*")):
        level = number(read(index / "level"))
        if level is not None:
            found.append(
                {
                    "level": level,
                    "type": read(index / "type"),
                    "size": read(index / "size"),
                    "ways": number(read(index / "ways_of_associativity")),
                    "line": number(read(index / "coherency_line_size")),
                }
            )
    return found or None


def siblings():
    """Processors that share a core."""
    lists = {read(path) for path in CPU.glob("cpu[0-9]*/topology/thread_siblings_list")} - {None}
    return sorted(lists) or None


def shared(name):
    """A setting of all processors; several values joined."""
    values = {read(path) for path in CPU.glob(f"cpu[0-9]*/cpufreq/{name}")} - {None}
    return " ".join(sorted(values)) or None


def boost():
    turbo_off = number(read(CPU / "intel_pstate/no_turbo"))
    if turbo_off is not None:
        return not turbo_off
    on = number(read(CPU / "cpufreq/boost"))
    return None if on is None else bool(on)


def flag(path):
    value = number(read(path))
    return None if value is None else bool(value)


def system_name():
    found = re.search(r'^PRETTY_NAME="?(.*?)"?$', read("/etc/os-release") or "", re.MULTILINE)
    return found[1] if found else platform.system()


def memory_mib():
    found = re.search(r"^MemTotal:\s+(\d+) kB", read("/proc/meminfo") or "", re.MULTILINE)
    return int(found[1]) // 1024 if found else None


def compiler_version(name):
    text = output(name, "--version")
    return text.splitlines()[0] if text else None


def commit():
    """(commit, whether tracked files differ from it); nulls outside of a clone."""
    top = output("git", "-C", str(ROOT), "rev-parse", "--show-toplevel")
    if top is None or Path(top).resolve() != ROOT:
        return None, None
    changes = output("git", "-C", str(ROOT), "status", "--porcelain", "--untracked-files=no")
    return output("git", "-C", str(ROOT), "rev-parse", "HEAD"), None if changes is None else bool(changes)


def hwacha_version():
    found = re.search(r"project\(hwacha VERSION ([0-9.]+)", read(ROOT / "CMakeLists.txt") or "")
    return found[1] if found else None


def usable_cpus():
    try:
        return sorted(os.sched_getaffinity(0))
    except AttributeError:
        return None


def begin(of_clone=True):
    """Facts before a run; of_clone: what is measured was built from the clone that this file is in."""
    revision, modified = commit() if of_clone else (None, None)
    return {
        "format": 1,
        "date": now(),
        "hwacha_version": hwacha_version() if of_clone else None,
        "commit": revision,
        "modified": modified,
        "architecture": platform.machine(),
        "cpu": processor(),
        "cpus": os.cpu_count(),
        "usable_cpus": usable_cpus(),
        "smt": flag(CPU / "smt/active"),
        "siblings": siblings(),
        "hypervisor": hypervisor(),
        "virtualisation": virtualisation(),
        "cpu_quota": read("/sys/fs/cgroup/cpu.max"),
        "caches": caches(),
        "governor": shared("scaling_governor"),
        "frequency_driver": shared("scaling_driver"),
        "boost": boost(),
        "clocksource": read("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        "address_randomisation": number(read("/proc/sys/kernel/randomize_va_space")),
        "perf_event_paranoid": number(read("/proc/sys/kernel/perf_event_paranoid")),
        "kernel": platform.release(),
        "os": system_name(),
        "memory_mib": memory_mib(),
        "compilers": {name: compiler_version(name) for name in ("clang++-19", "g++-12")},
        "python": platform.python_version(),
        "HWACHA_CPU": os.environ.get("HWACHA_CPU"),  # which the modules do not heed: they offer every table
        "load_start": load(),
        "load_end": None,
        "mhz_start": clock_mhz(),
        "mhz_end": None,
        "end": None,
    }


def end(facts):
    facts.update(load_end=load(), mhz_end=clock_mhz(), end=now())


if __name__ == "__main__":
    print(json.dumps(begin(), indent=1))
