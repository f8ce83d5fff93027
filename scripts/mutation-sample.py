#!/usr/bin/env python3
"""Breaks lines of main code at random, one at a time, and says how many of them the tests notice.

    scripts/mutation-sample.py broker-core src/main/java/dev/avocet/core/queue --tests '.*core[.]queue[.].*Test'
    scripts/mutation-sample.py broker-core src/main/java/dev/avocet/core/journal --count 20 --seed 7
    scripts/mutation-sample.py broker-server --turns 15

It works on a copy of this clone and leaves the clone alone. The seed draws the lines, and what is done to each: a condition is negated, a
comparison or an operator is another one, a call that gives nothing back is left out. What does not compile is no sample and is drawn anew. A
break is noticed when the tests of the module fail, or do not end in time. The breaks that no test notices are printed: each is a missing
test, or a line that makes no difference. With --turns the tests run that have their turn in such a build, as in .ci/run; what they do not notice
is tried again with all, and the two counts say what the turns cost.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What is looked for in a line, and what may stand there instead.
BREAKS = (
    (r"\bif \((?!!\()(.+)\) \{$", r"if (!(\1)) {"),
    (r"\bwhile \((?!!\()(.+)\) \{$", r"while (!(\1)) {"),
    (r" \+ (?!\")(?=[\w(])", " - "),
    (r" - (?=[\w(])", " + "),
    (r" < ", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r" == ", " != "),
    (r" != ", " == "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r" \+= ", " -= "),
    (r" -= ", " += "),
    (r"\+\+;", "--;"),
    (r"--;", "++;"),
    (r"\breturn true;", "return false;"),
    (r"\breturn false;", "return true;"),
    (r"^(\s+)(?!return\b|throw\b|assert\b|super\b|this\()[\w.]+\([^;{}]*\);$", r"\1;"),
)
# Nothing that a test could see depends on these.
LEFT_OUT = re.compile(r"^\s*(//|\*|/\*|@|import |package |assert )|\blog(ger)?\.|LOG\.|\bIllegal\w+Exception\(|AssertionError\(|toString")


# Ends with the first test that fails.
RUNNER = """
import java.nio.file.Path;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class Runner implements TestExecutionListener {
    private int passed;

    public static void main(String[] arguments) {
        Runner runner = new Runner();
        LauncherFactory.create().execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectClasspathRoots(Set.of(Path.of(arguments[0]))))
                        .filters(ClassNameFilter.includeClassNamePatterns(arguments[1]), TagFilter.excludeTags("soak | fault | nightly"))
                        .build(),
                runner);
        System.out.println("passed: " + runner.passed);
        Runtime.getRuntime().halt(runner.passed == 0 ? 2 : 0);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            System.out.println("failed: " + test.getUniqueId());
            Runtime.getRuntime().halt(1);
        }
        passed += test.isTest() ? 1 : 0;
    }
}
"""
FLAGS = ("test.memory.flags", "test.jit.flags", "test.chronicle.flags", "test.leak.flags")


def main():
    arguments = parse()
    with tempfile.TemporaryDirectory(prefix="mutation-sample-") as folder:
        module = Module(Path(folder), arguments)
        if module.tests()[0] != 0:
            sys.exit("mutation-sample: the tests fail before anything is broken")
        candidates = list(possible_breaks(module.folder / arguments.path))
        random.Random(arguments.seed).shuffle(candidates)
        noticed, unnoticed, by_all_alone = 0, 0, 0
        while candidates and noticed + unnoticed < arguments.count:
            file, number, before, after = candidates.pop()
            text = file.read_text()
            lines = text.split("\n")
            lines[number - 1] = after
            file.write_text("\n".join(lines))
            if module.compile(file):
                status, why = module.tests()
                if status == 0 and arguments.turns > 1:
                    status, why = module.tests(turns=1)
                    by_all_alone += status != 0
                    why += " (by all tests alone)" if status else ""
                print(f"{'noticed' if status else 'UNNOTICED'}: {file.name}:{number}\n    - {before.strip()}\n    + {after.strip()}\n    {why}", flush=True)
                noticed += status != 0
                unnoticed += status == 0
            file.write_text(text)
            if not module.compile(file):
                sys.exit(f"mutation-sample: {file} does not compile as it is")
    of_them = f", {noticed - by_all_alone} of them by the tests of one turn of {arguments.turns}" if arguments.turns > 1 else ""
    print(f"mutation-sample: seed {arguments.seed}: {noticed} of {noticed + unnoticed} noticed{of_them}")


class Module:
    """A module of a copy of the clone, which is compiled and tested without Maven once that has built it."""

    def __init__(self, clone, arguments):
        copy_clone(clone)
        self.folder, self.arguments = clone / arguments.module, arguments
        subprocess.run(
            ["mvn", "-B", "-q", "-Dquick", "-Pbench", "-DskipTests", "-pl", arguments.module, "-am", "package"], cwd=clone, check=True)
        libraries = (self.folder / "target" / "bench.classpath").read_text().strip()
        self.classes, self.test_classes = self.folder / "target" / "classes", self.folder / "target" / "test-classes"
        # Tests run on the class path, where javac wants no description of a module.
        (self.classes / "module-info.class").unlink(missing_ok=True)
        platform = re.search(r"junit-platform-engine-([\d.]+)\.jar", libraries).group(1)
        launcher = Path.home() / f".m2/repository/org/junit/platform/junit-platform-launcher/{platform}/junit-platform-launcher-{platform}.jar"
        self.class_path = f"{self.test_classes}:{self.classes}:{libraries}:{launcher}"
        pom = (clone / "pom.xml").read_text()
        flags = " ".join(re.search(f"<{name}>(.*?)</{name}>", pom).group(1) for name in FLAGS)
        flags = flags.replace("${project.build.directory}", "target").replace("${test.leak.level}", "simple")
        (clone / "Runner.java").write_text(RUNNER)
        self.java = ["java", "-ea", *flags.split(), f"-Davocet.random.first={arguments.seed}"]
        self.runner = ["-cp", self.class_path, str(clone / "Runner.java"), str(self.test_classes), arguments.tests]

    def compile(self, file):
        javac = ["javac", "-proc:none", "-nowarn", "-XDstringConcat=inline", "--release", "17", "-cp", self.class_path, "-d", str(self.classes)]
        return subprocess.run([*javac, str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def tests(self, turns=None):
        """The exit status, and the line that tells of it."""
        command = [*self.java, f"-Davocet.test.turns={turns or self.arguments.turns}", *self.runner]
        process = subprocess.Popen(
            command, cwd=self.folder, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        try:
            printed = process.communicate(timeout=self.arguments.patience)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return 1, f"not ended after {self.arguments.patience} s"
        told = [line for line in printed.splitlines() if re.match(r"(passed|failed): ", line)]
        return process.returncode, told[-1] if told else "\n".join(printed.splitlines()[-5:])


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("module")
    parser.add_argument("path", nargs="?", default="src/main/java", help="a folder or file of the module")
    parser.add_argument("--tests", default=r".*(Test|Properties)", help="a regular expression for the names of test classes with their packages")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=1, help="run the tests of one turn of so many, and all where those notice nothing")
    parser.add_argument("--patience", type=int, default=900, help="seconds until tests that do not end have noticed")
    return parser.parse_args()


def copy_clone(to):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def possible_breaks(path):
    files = [path] if path.is_file() else sorted(path.rglob("*.java"))
    for file in files:
        for number, line in enumerate(file.read_text().split("\n"), start=1):
            if LEFT_OUT.search(line):
                continue
            for found, instead in BREAKS:
                after = re.sub(found, instead, line, count=1)
                if after != line:
                    yield file, number, line, after


if __name__ == "__main__":
    main()
