"""JMS receivers for what mqttbench publishes: JmsReceivers.java as a process."""

import os
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

START_SECONDS = 60
END_SECONDS = 60


class Receivers:
    """From start to end of one run."""

    def __init__(self, client, distribution, heap, before, topics, log):
        java = str(Path(os.environ["JAVA_HOME"]) / "bin" / "java") if os.environ.get("JAVA_HOME") else "java"
        # The client's classes come first; of the harness only the checks are wanted, which need nothing.
        path = [client.class_path or f"{distribution}/client/*"] + [str(jar) for jar in Path(distribution).glob("lib/bench-mqtt-*.jar")]
        source = str(Path(__file__).with_name("JmsReceivers.java"))
        self._command = before + [java, f"-Xms{heap}", f"-Xmx{heap}", "-cp", ":".join(path), source, client.factory, client.url, *topics]
        self._log = log
        self._counts = []
        self._end = None
        self._ready = threading.Event()

    def __enter__(self):
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *error):
        self._process.kill()
        self._process.wait()
        self._reader.join()
        self._process.stdout.close()
        with suppress(OSError):
            self._process.stdin.close()

    def are_ready(self):
        """Waits until they are; false when they will not be."""
        return self._ready.wait(START_SECONDS) and self._process.poll() is None

    def rate(self, begin, end):
        """Messages per second between two times of day."""
        within = [count for count in self._counts if begin <= count[0] <= end]
        return (within[-1][1] - within[0][1]) / (within[-1][0] - within[0][0]) if len(within) > 1 else 0.0

    def faults(self, sent):
        """Waits for what was sent, and says what is wrong with what came."""
        try:
            self._process.stdin.write(f"{sent}\n")
            self._process.stdin.flush()
        except OSError:
            return ["the receivers ended"]
        self._reader.join(END_SECONDS)
        if self._end is None:
            return ["the receivers did not end"]
        received, doubled, disordered, corrupt = self._end
        faults = [(sent - received + doubled, "lost: {} of %d messages never came" % sent), (doubled, "doubled: {} messages"),
                  (disordered, "order: {} messages came too late"), (corrupt, "corrupt: {} messages")]
        return [text.format(count) for count, text in faults if count > 0]

    def _read(self):
        for line in self._process.stdout:
            word, *figures = line.split()
            if word == "ready":
                self._ready.set()
            elif word == "count":
                self._counts.append((float(figures[0]), int(figures[1])))
            elif word == "end":
                self._end = [int(figure) for figure in figures]
        self._ready.set()
