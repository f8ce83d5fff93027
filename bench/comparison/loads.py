"""Loads: mqttbench and jmsbench as they are packaged, each run a process, and what it says in the end."""

import json
import os
import subprocess
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path

from .jms import client
from .receivers import Receivers
from .servers import CpuSampler, pinned

GRACE_SECONDS = 60


@dataclass(frozen=True)
class Result:
    """Of one run. Without a rate there was none."""

    work: str
    peer: str
    round: int
    outcome: str
    reasons: list
    rate: float = 0.0
    server_processors: "float | None" = None
    load_processors: "float | None" = None

    @property
    def us_per_message(self):
        """Processor time of the server for a message that arrives."""
        return self.server_processors / self.rate * 1e6 if self.server_processors and self.rate else None

    def as_json(self):
        return {**asdict(self), "us_per_message": self.us_per_message}


class Load:
    """How all runs of a comparison are done."""

    def __init__(self, distribution, folder, heap, processors, warm_up, seconds):
        self._distribution = Path(distribution)
        self._folder = Path(folder)
        self._heap = heap
        self._processors = processors
        self.warm_up = warm_up
        self.seconds = seconds

    def run(self, work, server, number, warm_up):
        """A run of a work; never raises for what the server does."""
        target = self._folder / f"{work.name}-{server.peer}-{number}.json"
        target.unlink(missing_ok=True)
        command = pinned(self._processors) + self._command(work, server, number) + [
            f"--warm-up={warm_up}", f"--duration={self.seconds}", "--interval=0.5", f"--json={target}"]
        with open(target.with_suffix(".log"), "w") as log, CpuSampler(server.process.pid) as cpu, \
                self._receivers(work, server, log) as receivers:
            log.write(" ".join(command) + "\n")
            log.flush()
            if receivers and not receivers.are_ready():
                return self._none(work, server, number, f"the receivers ended, see {target.with_suffix('.log')}")
            try:
                code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                      env={**os.environ, "BENCH_HEAP": self._heap},
                                      timeout=warm_up + self.seconds + GRACE_SECONDS).returncode
            except subprocess.TimeoutExpired:
                return self._none(work, server, number, "it did not end")
            if not target.exists():
                return self._none(work, server, number,
                                  f"the load ended with {code} and without a result, see {target.with_suffix('.log')}")
            if not server.is_alive():
                return self._none(work, server, number, "the server ended: " + server.last_words()[-200:])
            return _read(work, server.peer, number, json.loads(target.read_text()), cpu, receivers)

    def _command(self, work, server, number):
        tool = str(self._distribution / "bin" / ("jmsbench" if work.tool == "jmsbench" else "mqttbench"))
        if work.tool != "jmsbench":
            # Sessions of an earlier run are others.
            return [tool, "run", f"--name={work.name}", *work.options, f"--client-id-prefix=r{number}{work.name}",
                    f"--target=127.0.0.1:{server.port}"]
        return [tool, "run", work.name, *work.options, *client(server).options()]

    def _receivers(self, work, server, log):
        """Those of a work that is not done by one program alone."""
        if work.tool != "mixed":
            return nullcontext()
        separator = "/" if server.peer == "avocet" else "."
        topics = [f"p{partition}{separator}#" for partition in range(10)]
        return Receivers(client(server), self._distribution, self._heap, pinned(self._processors), topics, log)

    @staticmethod
    def _none(work, server, number, reason):
        return Result(work.name, server.peer, number, "FAILED", [reason])


def _read(work, peer, number, result, cpu, receivers):
    verdict = result["verdict"]
    begin, end = _measured(result)
    read = Result(work.name, peer, number, verdict["outcome"], verdict["reasons"], result["receivedPerSecond"],
                  cpu.processors(begin, end), result["harness"]["processors"])
    if receivers:
        read = replace(read, rate=receivers.rate(begin, end))
    faults = receivers.faults(result["tally"]["sent"]) if receivers else []
    if not read.rate:
        faults = ["stood still: nothing came while it was measured"] + faults
    return replace(read, outcome="FAILED" if faults else read.outcome, reasons=faults + read.reasons)


def _measured(result):
    """When it was measured, by the time of day, or a moment earlier: the time counts from when connections are opened."""
    seconds, _, fraction = result["started"].rstrip("Z").partition(".")
    started = datetime.fromisoformat(seconds + "+00:00").timestamp() + float("0." + (fraction or "0"))
    ends = [snapshot["seconds"] for snapshot in result["snapshots"] if snapshot["phase"] == "measure"]
    end = started + (max(ends) if ends else 0)
    return end - result["measuredSeconds"], end
