"""Servers that are compared: the launchers of bench/peers as processes of ours."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

PEERS = Path(__file__).resolve().parent.parent / "peers"
START_SECONDS = 90
STOP_SECONDS = 20
PR_SET_PDEATHSIG = 1
SAMPLE_SECONDS = 0.1


class ServerFailure(Exception):
    """It could not be installed or started."""


def about(peer):
    """Its name with the version, and what its durability is worth."""
    lines = subprocess.run([PEERS / peer, "about"], capture_output=True, text=True, check=True).stdout.splitlines()
    return {"name": lines[0], "durability": lines[1]}


def install(peer):
    done = subprocess.run([PEERS / peer, "install"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise ServerFailure(f"{peer} cannot be installed: {done.stdout.strip()[-500:]}")


def pinned(processors):
    """The words before a command that keep it on some processors."""
    return ["taskset", "-c", processors] if processors else []


class Server:
    """A running server with a folder of its own, which is removed with it."""

    def __init__(self, peer, mode, heap, processors):
        self.peer = peer
        self.mode = mode
        self.folder = Path(tempfile.mkdtemp(prefix=f"avocet-compare-{peer}-"))
        self.port = _free_port()
        self.log = self.folder / "out.log"
        command = pinned(processors) + [str(PEERS / peer), "run", mode, str(self.port), str(self.folder / "files")]
        with open(self.log, "wb") as out:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                            env={**os.environ, "HEAP": heap}, start_new_session=True,
                                            preexec_fn=_end_with_us)
        try:
            self._await_listening()
        except BaseException:
            self.stop()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()

    def is_alive(self):
        return self.process.poll() is None

    def last_words(self):
        return self.log.read_text(errors="replace").strip()[-800:]

    def stop(self):
        try:
            if self.is_alive():
                os.killpg(self.process.pid, signal.SIGTERM)
                try:
                    self.process.wait(STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    os.killpg(self.process.pid, signal.SIGKILL)
                    self.process.wait()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _await_listening(self):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if not self.is_alive():
                raise ServerFailure(f"{self.peer} ended while it started: {self.last_words()}")
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.1)
        raise ServerFailure(f"{self.peer} does not listen after {START_SECONDS} s: {self.last_words()}")


class Use(NamedTuple):
    """What a server used in a second: processors, its threads' changes from running to not running, and TCP segments of the whole machine."""

    processors: float
    switches: float
    segments: float


class UseSampler:
    """Notes now and then what a process has used. Times are those of the day."""

    def __init__(self, pid):
        self._pid = pid
        self._samples = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._over.set()
        self._thread.join()

    def between(self, begin, end):
        """What it used in a second, on average between two moments; None when that is not known."""
        within = [sample for sample in self._samples if begin <= sample[0] <= end]
        if len(within) < 2 or within[-1][0] - within[0][0] < (end - begin) / 2:
            return None
        first, last = within[0], within[-1]
        return Use(*((late - early) / (last[0] - first[0]) for early, late in zip(first[1], last[1])))

    def _run(self):
        while not self._over.wait(SAMPLE_SECONDS):
            try:
                self._samples.append((time.time(), (_processor_seconds(self._pid), _switches(self._pid), _segments())))
            except OSError:
                return


def _processor_seconds(pid):
    text = Path(f"/proc/{pid}/stat").read_text()
    fields = text[text.rindex(")") + 2:].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _switches(pid):
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            lines = (task / "status").read_text().splitlines()
        except FileNotFoundError:  # a thread that has ended
            continue
        total += sum(int(line.split()[1]) for line in lines if "_ctxt_switches:" in line)
    return total


def _segments():
    names, values = (line.split() for line in Path("/proc/net/snmp").read_text().splitlines() if line.startswith("Tcp:"))
    return int(values[names.index("OutSegs")])


def _end_with_us():
    """Has Linux end the server when we are killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
