"""Loads: mqttbench and jmsbench as they are packaged, each run a process, and what it says in the end."""

import json
import os
import subprocess
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path

from .churn import Churn
from .jms import client
from .servers import Use, UseSampler, pinned
from .slow import SlowSubscribers

FOLDER = Path(__file__).resolve().parent
GRACE_SECONDS = 60
STOOD_STILL = "stood still: nothing came while it was measured"
# What those subscribe to that read slowly.
SLOW_FILTER = "all/one"


@dataclass(frozen=True)
class Result:
    """Of one run. Without a rate there was none."""

    work: str
    peer: str
    round: int
    outcome: str
    reasons: list
    rate: float = 0.0
    server: "Use | None" = None
    load_processors: "float | None" = None
    # Of clients that connect: from the first packet to the CONNACK. Of works at a rate: of a message or a round trip.
    median_ms: "float | None" = None
    mean_ms: "float | None" = None
    p99_ms: "float | None" = None

    @property
    def server_processors(self):
        return self.server.processors if self.server else None

    @property
    def us_per_message(self):
        """Processor time of the server for a message that arrives, or a connection."""
        return self.server_processors / self.rate * 1e6 if self.server_processors and self.rate else None

    def as_json(self):
        told = {name: value for name, value in asdict(self).items() if name != "server"}
        return {**told, "server_processors": self.server_processors, "us_per_message": self.us_per_message}


class Load:
    """How all runs of a comparison are done."""

    def __init__(self, distribution, folder, heap, processors, warm_up, seconds, longest_seconds):
        self._distribution = Path(distribution)
        self._folder = Path(folder)
        self._heap = heap
        self._processors = processors
        self.warm_up = warm_up
        self.seconds = seconds
        self._longest_seconds = max(seconds, longest_seconds)

    def run(self, work, server, number, warm_up):
        """A run of a work; never raises for what the server does."""
        if work.connections:
            if warm_up > self.warm_up:
                self._run(work, server, 0, 0, 1)  # its start is not what is compared
            return self._run(work, server, number, 0, 1)
        seconds = self.seconds
        result = self._run(work, server, number, warm_up, seconds)
        # A busy machine may have had no processor for it in so short a time.
        tries = 1
        while STOOD_STILL in result.reasons and seconds < self._longest_seconds:
            seconds = min(2 * seconds, self._longest_seconds)
            tries += 1
            result = self._run(work, server, number, warm_up, seconds, tries)
        return result

    def _run(self, work, server, number, warm_up, seconds, tries=1):
        target = self._folder / f"{work.name}-{server.peer}-{number}.json"
        target.unlink(missing_ok=True)
        command = pinned(self._processors) + self._command(work, server, f"{number}" if tries == 1 else f"{number}x{tries}") + [
            f"--warm-up={warm_up}", f"--duration={seconds}", "--interval=0.5", f"--json={target}"]
        with open(target.with_suffix(".log"), "w") as log, UseSampler(server.process.pid) as use, Churn(server.port, work.churn) as churn, \
                SlowSubscribers(server.port, work.slow, SLOW_FILTER) as slow:
            log.write(" ".join(command) + "\n")
            log.flush()
            try:
                code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                      env=self._environment(work), timeout=warm_up + seconds + GRACE_SECONDS).returncode
            except subprocess.TimeoutExpired:
                return self._none(work, server, number, "it did not end")
            if not target.exists():
                return self._none(work, server, number,
                                  f"the load ended with {code} and without a result, see {target.with_suffix('.log')}")
            if not server.is_alive():
                return self._none(work, server, number, "the server ended: " + server.last_words()[-200:])
            if churn.failure:
                return self._none(work, server, number, "no subscriptions came and went: " + churn.failure)
            if slow.failure:
                return self._none(work, server, number, "there were no slow subscribers: " + slow.failure)
            return _read(work, server.peer, number, json.loads(target.read_text()), use)

    def _environment(self, work):
        """A load that lives for seconds is over before what the optimizing compiler makes of it pays."""
        options = os.environ.get("JAVA_OPTS", "") + (" -XX:TieredStopAtLevel=1" if work.connections else "")
        return {**os.environ, "BENCH_HEAP": self._heap, "JAVA_OPTS": options.strip()}

    def _command(self, work, server, run):
        own = [f"--client-id-prefix=r{run}{work.name}", f"--target=127.0.0.1:{server.port}"]  # sessions of an earlier run are others
        if work.tool == "jmsbench":
            return [self._tool("jmsbench"), "run", work.workload or work.name, *work.options, *client(server).options()]
        if work.tool == "both":
            return [self._tool("mqttbench"), "run", str(FOLDER / f"{work.name}.yaml"), *to("mqtt", own), *to("jms", client(server).options())]
        clients = [f"--idle={work.connections}"] if work.connections else []
        return [self._tool("mqttbench"), "run", f"--name={work.name}", *clients, *work.options, *own]

    def _tool(self, name):
        return str(self._distribution / "bin" / name)

    @staticmethod
    def _none(work, server, number, reason):
        return Result(work.name, server.peer, number, "FAILED", [reason])


def to(tool, options):
    """Options of a run of two tools that are meant for one of them."""
    return [option.replace("--", f"--{tool}:", 1) for option in options]


def _read(work, peer, number, result, use):
    if work.connections:
        return _read_connections(work, peer, number, result, use)
    verdict = result["verdict"]
    begin, end = _measured(result)
    read = Result(work.name, peer, number, verdict["outcome"], verdict["reasons"], result["receivedPerSecond"],
                  use.between(begin, end), result["harness"]["processors"])
    if read.rate:
        return _with_latency(read, result["latencies"]) if work.rate else read
    return replace(read, outcome="FAILED", reasons=[STOOD_STILL] + read.reasons)


def _with_latency(read, latencies):
    latency = latencies.get("round trip") or latencies["message"]
    return replace(read, median_ms=latency["p50Ns"] / 1e6, p99_ms=latency["p99Ns"] / 1e6)


def _read_connections(work, peer, number, result, use):
    rate = result["connectionsPerSecond"]
    begin = _started(result)
    outcome, reasons = result["verdict"]["outcome"], result["verdict"]["reasons"]
    if result["connections"] < work.connections:
        outcome, reasons = "FAILED", [f"not all came in: {result['connections']} of {work.connections}"] + reasons
    latency = result["latencies"]["connect"]
    return Result(work.name, peer, number, outcome, reasons, rate, use.between(begin, begin + work.connections / rate),
                  result["harness"]["processors"], latency["p50Ns"] / 1e6, latency["meanNs"] / 1e6)


def _started(result):
    seconds, _, fraction = result["started"].rstrip("Z").partition(".")
    return datetime.fromisoformat(seconds + "+00:00").timestamp() + float("0." + (fraction or "0"))


def _measured(result):
    """When it was measured, by the time of day, or a moment earlier: the time counts from when connections are opened."""
    started = _started(result)
    ends = [snapshot["seconds"] for snapshot in result["snapshots"] if snapshot["phase"] == "measure"]
    end = started + (max(ends) if ends else 0)
    return end - result["measuredSeconds"], end
