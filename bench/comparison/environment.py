"""Where it was measured."""

import os
import platform
import subprocess
from datetime import datetime, timezone
from pathlib import Path


def distribution(root):
    """The folder of the built distribution."""
    named = os.environ.get("AVOCET_DISTRIBUTION")
    found = [Path(named)] if named else [broker.parent.parent for broker in sorted(root.glob("dist/target/avocet-*/**/bin/broker"))]
    if not found or not (found[0] / "bin" / "broker").exists():
        raise SystemExit("compare: there is no distribution; build it with 'mvn -Dquick -DskipTests package'")
    return found[0]


def load():
    return os.getloadavg()[0]


def facts(root, chosen, load_before):
    return {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": _output(["git", "-C", str(root), "describe", "--always", "--dirty"]) or "unknown",
        "cpu": _field("/proc/cpuinfo", "model name"),
        "processors": os.cpu_count(),
        "memory": _field("/proc/meminfo", "MemTotal"),
        "kernel": f"{platform.system()} {platform.release()}",
        "java": _java(),
        "heap": chosen.heap,
        "server_cpus": chosen.server_cpus,
        "load_cpus": chosen.load_cpus,
        "rounds": chosen.rounds,
        "seconds": chosen.seconds,
        "warm_up": chosen.warm_up,
        "load_before": f"{load_before:.1f}",
        "load_after": f"{load():.1f}",
    }


def _java():
    java = str(Path(os.environ["JAVA_HOME"]) / "bin" / "java") if os.environ.get("JAVA_HOME") else "java"
    lines = _output([java, "-version"]).splitlines()
    return lines[1].strip() if len(lines) > 1 else "unknown Java"


def _output(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def _field(file, name):
    for line in Path(file).read_text().splitlines():
        if line.startswith(name):
            return " ".join(line.split(":", 1)[1].split())
    return "unknown"
