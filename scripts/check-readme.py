#!/usr/bin/env python3
"""Does what README.md tells its reader to do, word for word, and compares what comes with what README.md shows.

    scripts/check-readme.py          all of README.md
    scripts/check-readme.py --list   what it would do

It works on a copy of this clone, in a home directory that holds nothing but a copy of the local Maven repository, and in a network namespace of
its own, so that the ports are those of README.md and nothing is fetched. Beforehand it fetches what Maven needs for the sample applications into
the local Maven repository, where it is not there yet. Where namespaces are not allowed or a program is missing it says so and ends well, unless CI
is true. It also holds the start against its limits: the first message within 60 s from the clone, a second start within 10 s; on a machine that is
busy, of processor time.

How README.md is read: a block of "console" is what a terminal shows; lines that begin with "$ " are typed, and those after them are their output. In a
line of output "…" stands for any text, and as a whole line for any lines. Versions of Java, times, process numbers and random client identifiers may
differ. A block after the comment "keeps running" is a program that stays, and a block without "$ " is more of what the last such one prints. A
block of "java" or "xml" is the file that the paragraph before it names last, to be written, or to be compared where the file is there.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NEEDED = ("mvn", "java", "javac", "curl", "mosquitto_pub", "mosquitto_sub", "git", "unshare", "bash")
FIRST_MESSAGE_S = 60
SECOND_START_S = 10
PATIENCE_S = 120
SETTLED_S = 3
NETWORK_READY = "AVOCET_README_NAMESPACE"
# The namespace has no network card whose address Netty could take; the machine of a reader has one.
NO_CARD = re.compile(r"^.*WARN.*MacAddressUtil.*\n", re.MULTILINE)
TROUBLE = re.compile(r"^\d{4}-\d\d-\d\dT\S+ ERROR |^\s+at [\w.$/]+\(")

# What a terminal does not show.
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")

# What may differ between what README.md shows and what comes, as it stands there.
VARYING = (
    (r"\bJava \d[\w.+-]*", r"Java \\d[\\w.+-]*"),
    (r"\bprocess \d+", r"process \\d+"),
    (r"\bafter \d+ ms", r"after \\d+ ms"),
    (r'"(uptimeMs|checkpointAgeMs)":\d+', r'"\1":\\d+'),
    (r"\bClient \S+ received", r"Client \\S+ received"),
)


class Failure(Exception):
    """README.md and the broker differ."""


# --- what README.md says -------------------------------------------------------------------------------------------


class Typed:
    def __init__(self, line, command, stays):
        self.line, self.command, self.stays, self.output = line, command, stays, []

    def __str__(self):
        return f"line {self.line}: $ {self.command}{'   (keeps running)' if self.stays else ''}"


class MorePrinted:
    def __init__(self, line, output):
        self.line, self.output = line, output

    def __str__(self):
        return f"line {self.line}: {len(self.output)} more lines of the last program that keeps running"


class Written:
    def __init__(self, line, path, content):
        self.line, self.path, self.content = line, path, content

    def __str__(self):
        return f"line {self.line}: file {self.path}"


def read_readme(text):
    steps, paragraph, stays = [], "", False
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith("```"):
            kind, start, block = line[3:].strip(), at, []
            while lines[at] != "```":
                block.append(lines[at])
                at += 1
            at += 1
            if kind == "console":
                steps += console(start + 1, block, stays)
            elif kind in ("java", "xml"):
                names = re.findall(r"`([\w./-]+\." + kind + ")`", paragraph)
                if not names:
                    raise Failure(f"line {start}: no text before this block names its file")
                steps.append(Written(start, names[-1], "\n".join(block) + "\n"))
            else:
                raise Failure(f"line {start}: a block of '{kind}'; a block is one of console, java, xml")
            stays = False
        elif line.startswith("    ") and not paragraph:
            raise Failure(f"line {at}: an indented block, which is not checked; fence it as console")
        elif line.strip() == "<!-- keeps running -->":
            stays = True
        elif line.strip():
            paragraph = paragraph + "\n" + line if at > 1 and lines[at - 2].strip() else line
        elif at < len(lines) and not lines[at].startswith(("```", "<!--")):
            paragraph = ""
    return steps


def console(start, block, stays):
    steps = []
    for offset, line in enumerate(block):
        if line.startswith("$ "):
            steps.append(Typed(start + offset, line[2:], stays))
        elif steps:
            steps[-1].output.append(line)
        else:
            return [MorePrinted(start, block)]
    return steps


def of_two_processes(shown):
    """A line each of two processes, named in front, which come in any order: "…", "a  one", "…", "b  other"."""
    if len(shown) != 4 or shown[0] != "…" or shown[2] != "…":
        return False
    names = [re.match(r"(\w+) {2,}\S", line) for line in (shown[1], shown[3])]
    return all(names) and names[0][1] != names[1][1]


def pattern(shown):
    """What a line of output may be."""
    varied, ends = "", 0
    spans = sorted(
        (match.start(), match.end(), match.expand(replacement).replace("\\\\", "\\"))
        for found, replacement in VARYING
        for match in re.finditer(found, shown)
    )
    for begin, end, replacement in spans:
        varied += literally(shown[ends:begin]) + replacement
        ends = end
    return varied + literally(shown[ends:])


def literally(text):
    return ".*".join(re.escape(part) for part in text.split("…"))


def expression(shown):
    """The regular expression of a whole output."""
    return "".join(r"(?:.*\n)*?" if line == "…" else pattern(line) + r"\n" for line in shown)


class Spent:
    """Seconds since a moment, and seconds of processor time of a process and of those of its children that have ended."""

    def __init__(self, began, process):
        self.wall = time.monotonic() - began
        times = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:15]
        self.processor = sum(map(int, times)) / os.sysconf("SC_CLK_TCK")

    def exceeds(self, limit):
        busy = os.getloadavg()[0] > os.cpu_count()
        return self.processor > limit or not busy and self.wall > limit

    def __str__(self):
        return f"{self.wall:.1f} s ({self.processor:.1f} s of processor time)"


def shown_by_terminal(output):
    return NO_CARD.sub("", ESCAPES.sub("", output.decode(errors="replace")))


def difference(shown, printed):
    return "README.md shows\n" + indented(shown) + "\nand what came is\n" + indented(printed)


def indented(lines):
    return "\n".join("    " + line for line in lines) if lines else "    (nothing)"


# --- doing it ------------------------------------------------------------------------------------------------------


class Reader:
    """A person at terminals, who starts at the top of the clone."""

    def __init__(self, clone, home):
        self.home, self.directory, self.running = home, clone, []
        kept = {name: os.environ[name] for name in ("PATH", "JAVA_HOME") if name in os.environ}
        self.environment = {**kept, "HOME": str(home), "LANG": "C.UTF-8"}
        self.began = self.first_message = None

    def do(self, step):
        if isinstance(step, Written):
            self.write(step)
        elif isinstance(step, MorePrinted):
            self.running[-1].await_output(step.output)
            self.first_message = self.first_message or Spent(self.began, self.running[0].process)
        elif step.stays:
            self.began = self.began or time.monotonic()
            self.running.append(Running(step, self.start(step.command, subprocess.PIPE)))
            if step.output:
                self.running[-1].await_output(step.output)
            else:
                await_subscription()
        else:
            self.run(step)

    def write(self, step):
        path = self.directory / step.path
        if not path.exists():
            path.write_text(step.content)
        elif path.read_text() != step.content:
            raise Failure(f"{step.path} is another than the one that README.md shows")

    def run(self, step):
        where = self.home / ".where"
        process = self.start(f"{step.command}\nstatus=$?; pwd >{where}; exit $status", subprocess.PIPE)
        try:
            printed = process.communicate(timeout=PATIENCE_S)[0]
        except subprocess.TimeoutExpired:
            end(process)
            raise Failure(f"is still running after {PATIENCE_S} s") from None
        printed = shown_by_terminal(printed).splitlines()
        if not re.fullmatch(expression(step.output), "".join(line + "\n" for line in printed)):
            raise Failure(difference(step.output, printed))
        if process.returncode != 0 and not any("refused" in line for line in step.output):
            raise Failure(f"ended with {process.returncode}")
        before, self.directory = self.directory, Path(where.read_text().strip())
        if before != self.directory:
            self.environment["OLDPWD"] = str(before)

    def start(self, command, output):
        return subprocess.Popen(
            ["bash", "-c", command], cwd=self.directory, env=self.environment, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)

    def stop(self):
        for running in self.running:
            end(running.process)


class Running:
    """A program that stays."""

    def __init__(self, step, process):
        self.step, self.process, self.raw, self.printed, self.taken = step, process, b"", "", 0
        self.last_came = time.monotonic()
        os.set_blocking(process.stdout.fileno(), False)

    def await_output(self, shown):
        patience = time.monotonic() + PATIENCE_S
        while True:
            self.read()
            orders = [shown] + ([shown[2:4] + shown[:2]] if of_two_processes(shown) else [])
            fits = next(filter(None, (re.match(expression(order), self.printed[self.taken:]) for order in orders)), None)
            if fits and not of_two_processes(shown):
                self.taken += fits.end()
                return
            if fits and self.has_settled(shown):
                self.taken = len(self.printed)
                return
            if time.monotonic() > patience or self.process.poll() is not None:
                raise Failure(difference(shown, self.printed[self.taken:].splitlines()))
            time.sleep(0.05)

    def has_settled(self, shown):
        """Whether each of two processes has told last what is shown of it, a while ago: it may take it back and say it again."""
        printed = self.printed[self.taken:].splitlines()
        for line in (shown[1], shown[3]):
            begin = re.match(r"\w+ {2,}\w+ ", line)[0]
            if [other for other in printed if other.startswith(begin)][-1:] != [line]:
                return False
        return time.monotonic() - self.last_came > SETTLED_S

    def read(self):
        more = self.process.stdout.read()
        if more:
            self.raw += more
            self.printed = shown_by_terminal(self.raw)
            self.last_came = time.monotonic()


def await_subscription():
    """A subscriber prints nothing before its first message; a reader needs seconds to turn to another terminal."""
    patience = time.monotonic() + PATIENCE_S
    while time.monotonic() < patience:
        with urllib.request.urlopen("http://127.0.0.1:9089/api/v1/monitor/Subscription", timeout=PATIENCE_S) as answer:
            if json.load(answer)["Subscription"]:
                return
        time.sleep(0.1)
    raise Failure(f"there is no subscription after {PATIENCE_S} s")


def end(process):
    try:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(PATIENCE_S)
    except ProcessLookupError:
        pass
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def second_start(reader, clone, home):
    """Not in README.md: a start of what is built, with a directory of its own."""
    reader.directory = clone
    step = Typed(0, f"scripts/run-broker.sh --data {home}/elsewhere", True)
    began = time.monotonic()
    running = Running(step, reader.start(step.command, subprocess.PIPE))
    reader.running.append(running)
    running.await_output(["Avocet …data directory " + str(home) + "/elsewhere", "…", "ready after 1 ms; store 'sync'"])
    return Spent(began, running.process)


# --- where it is done ----------------------------------------------------------------------------------------------


def main():
    # A build that runs in the background ignores it, and so would what is started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    steps = read_readme((ROOT / "README.md").read_text())
    if "--list" in sys.argv[1:]:
        print("\n".join(str(step) for step in steps))
        return 0
    if NETWORK_READY not in os.environ:
        return outside(steps)
    return inside(steps, Path(os.environ[NETWORK_READY]))


def skip(reason):
    print(f"check-readme: {reason}", file=sys.stderr)
    if os.environ.get("CI") == "true":
        return 1
    print("check-readme: skipped", file=sys.stderr)
    return 0


def outside(steps):
    for program in NEEDED:
        if shutil.which(program) is None:
            return skip(f"there is no {program}; scripts/install-test-clients.sh installs the MQTT clients")
    unshare = next((way for way in (["unshare", "-n"], ["unshare", "-rn"])
                    if subprocess.run([*way, "true"], stderr=subprocess.DEVNULL).returncode == 0), None)
    if unshare is None:
        return skip("network namespaces are not allowed here (unshare -n)")
    repository = Path.home() / ".m2" / "repository"
    with tempfile.TemporaryDirectory(prefix="check-readme-") as folder:
        work = Path(folder)
        if not fetch(steps, repository, work / "fetch"):
            return skip("Maven cannot fetch what the sample applications need")
        copy_clone(work / "avocet")
        settings = work / "home" / ".m2" / "settings.xml"
        settings.parent.mkdir(parents=True)
        settings.write_text("<settings><offline>true</offline></settings>\n")
        subprocess.run(["cp", "-a", "--reflink=auto", str(repository), str(settings.parent)], check=True)
        # What is installed here besides is not part of what a reader has.
        shutil.rmtree(settings.parent / "repository" / "dev" / "avocet", ignore_errors=True)
        return subprocess.run([*unshare, sys.executable, __file__], env={**os.environ, NETWORK_READY: folder}).returncode


def fetch(steps, repository, folder):
    """Has Maven fetch what the POMs of README.md need, and what its commands do; once for each text of README.md."""
    poms = [step.content for step in steps if isinstance(step, Written) and step.path.endswith("pom.xml")]
    commands = [step.command for step in steps if isinstance(step, Typed) and step.command.startswith("mvn -q -N ")]
    mark = repository / (".avocet-readme-" + hashlib.sha256(repr((poms, commands)).encode()).hexdigest()[:16])
    if mark.exists():
        return True
    print("check-readme: fetches what the sample applications need")
    sources = folder / "src" / "main" / "java"
    sources.mkdir(parents=True)
    (sources / "Nothing.java").write_text("class Nothing { public static void main(String[] arguments) {} }\n")
    done = True
    for pom in poms:
        # Our own client comes from the clone, and its libraries from the build of that.
        ours = r"<dependency>\s*<groupId>dev\.avocet</groupId>.*?</dependency>"
        (folder / "pom.xml").write_text(re.sub(ours, "", pom, flags=re.DOTALL))
        done &= subprocess.run(["mvn", "-q", "-B", "package"], cwd=folder).returncode == 0
    for command in ["mvn -q -N org.apache.maven.plugins:maven-install-plugin:help", *commands]:
        done &= subprocess.run([*command.split(), "-B"], cwd=ROOT).returncode == 0
    if done:
        mark.touch()
    return done


def copy_clone(to):
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def loopback_up():
    up_and_running = 0x41
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", up_and_running))


def inside(steps, work):
    loopback_up()
    reader = Reader(work / "avocet", work / "home")
    step = None
    try:
        for step in steps:
            print(f"check-readme: {step}", flush=True)
            reader.do(step)
        broker = reader.running[0]
        reader.stop()
        broker.read()
        trouble = [line for line in broker.printed.splitlines() if TROUBLE.search(line)]
        step = "the log of the broker"
        if trouble:
            raise Failure("it reports errors:\n" + indented(trouble))
        step = "the second start, with --data"
        again = second_start(reader, work / "avocet", work / "home")
        print(f"check-readme: first message after {reader.first_message}, second start after {again}")
        step = "the limits"
        if reader.first_message.exceeds(FIRST_MESSAGE_S) or again.exceeds(SECOND_START_S):
            raise Failure(f"the first message is to come within {FIRST_MESSAGE_S} s, a second start within {SECOND_START_S} s")
    except Failure as failure:
        print(f"check-readme: README.md, {step}\n{failure}", file=sys.stderr)
        if reader.running:
            reader.running[0].read()
            print("the broker printed\n" + indented(reader.running[0].printed.splitlines()[-20:]), file=sys.stderr)
        return 1
    finally:
        reader.stop()
    print(f"{len(steps) + 1} passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
