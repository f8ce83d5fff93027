#!/usr/bin/env python3
"""Looks the libraries of a distribution up in the OSV database of known vulnerabilities (https://osv.dev).

    scripts/scan-dependencies.py [--lib DIR]... [--database ZIP] [--accept FILE]

  --lib DIR         where jars are, with all folders below (default: the unpacked distribution in dist/target)
  --database ZIP    a copy of https://osv-vulnerabilities.storage.googleapis.com/Maven/all.zip, for machines without a
                    network; without it the server api.osv.dev is asked (default: OSV_DATABASE)
  --accept FILE     vulnerabilities that do not matter here: lines 'ID reason' (default: build/accepted-vulnerabilities.txt)

Ends with 0 when nothing is known, with 1 when something is, with 2 when no library was found, and with 3, after a line
"the scan did not run: ...", when the database cannot be had.
"""
import argparse
import json
import os
import re
import sys
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SERVER = os.environ.get("OSV_SERVER", "https://api.osv.dev")
TIMEOUT_S = 20
BATCH = 500


def libraries(folders):
    """By 'group:artifact', the versions that jars say they hold; shaded jars hold several."""
    found = set()
    for folder in folders:
        for jar in sorted(Path(folder).rglob("*.jar")):
            with zipfile.ZipFile(jar) as content:
                for name in content.namelist():
                    if re.fullmatch(r"META-INF/maven/[^/]+/[^/]+/pom\.properties", name):
                        values = dict(
                            line.split("=", 1)
                            for line in content.read(name).decode("utf-8", "replace").splitlines()
                            if "=" in line and not line.startswith("#"))
                        group, artifact = values.get("groupId", "").strip(), values.get("artifactId", "").strip()
                        if group and artifact and not group.startswith("dev.avocet"):
                            found.add((f"{group}:{artifact}", values.get("version", "").strip()))
    return sorted(found)


def of_server(packages):
    """What the server knows: (package, version, identifier) of each vulnerability."""
    known = []
    for start in range(0, len(packages), BATCH):
        part = packages[start:start + BATCH]
        queries = [{"package": {"ecosystem": "Maven", "name": name}, "version": version} for name, version in part]
        request = urllib.request.Request(
            SERVER + "/v1/querybatch", json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            results = json.load(answer)["results"]
        for (name, version), result in zip(part, results):
            known += [(name, version, each["id"]) for each in result.get("vulns", [])]
    return known


def drop_zeros(key):
    while key and key[-1][:2] == (1, 0) and key[-1][2] in ("", "final", "ga", "release"):
        key.pop()


def order(version):
    """Numbers by value, and what is no release before the release of that number."""
    key = []
    for part in re.findall(r"\d+|[a-zA-Z]+", version):
        before = re.match(r"(?i)(alpha|beta|milestone|m|rc|cr|snapshot)$", part)
        if before:
            drop_zeros(key)  # 3.0-rc1 is 3-rc1
        key.append((1, int(part), "") if part.isdigit() else (0 if before else 1, 0, part.lower()))
    drop_zeros(key)  # 1.0 is 1, and 1.Final too
    return key + [(1, -1, "")]


def is_within(version, events):
    within = False
    for event in events:
        if "introduced" in event and (event["introduced"] == "0" or order(event["introduced"]) <= order(version)):
            within = True
        if "fixed" in event and order(event["fixed"]) <= order(version):
            within = False
        if "last_affected" in event and order(event["last_affected"]) < order(version):
            within = False
    return within


def of_copy(packages, database):
    wanted = {}
    for name, version in packages:
        wanted.setdefault(name, []).append(version)
    known = []
    with zipfile.ZipFile(database) as copy:
        for entry in copy.namelist():
            if not entry.endswith(".json"):
                continue
            report = json.loads(copy.read(entry))
            if "withdrawn" in report:
                continue
            for affected in report.get("affected", []):
                for version in wanted.get(affected.get("package", {}).get("name", ""), []):
                    ranges = [one["events"] for one in affected.get("ranges", []) if one.get("type") == "ECOSYSTEM"]
                    if version in affected.get("versions", []) or any(is_within(version, each) for each in ranges):
                        known.append((affected["package"]["name"], version, report["id"]))
    return known


def accepted(file):
    if not Path(file).exists():
        return {}
    lines = [line.strip() for line in Path(file).read_text().splitlines()]
    return dict((line.split(" ", 1) + ["without a reason"])[:2] for line in lines if line and not line.startswith("#"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lib", action="append")
    parser.add_argument("--database", default=os.environ.get("OSV_DATABASE"))
    parser.add_argument("--accept", default=str(ROOT / "build/accepted-vulnerabilities.txt"))
    options = parser.parse_args()
    packages = libraries(options.lib or sorted((ROOT / "dist/target").glob("avocet-*/")))
    if not packages:
        print("no library was found; build the distribution first: mvn -Dquick -DskipTests verify", file=sys.stderr)
        return 2
    try:
        known = of_copy(packages, options.database) if options.database else of_server(packages)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as e:
        print(f"the scan did not run: the OSV database cannot be had: {getattr(e, 'reason', e)};"
              " give a copy with --database")
        return 3
    harmless = accepted(options.accept)
    found = 0
    for name, version, identifier in sorted(set(known)):
        if identifier in harmless:
            print(f"accepted: {name} {version}: {identifier}: {harmless[identifier]}")
        else:
            print(f"VULNERABLE: {name} {version}: https://osv.dev/vulnerability/{identifier}")
            found += 1
    print(f"{len(packages)} libraries, {found} known vulnerabilities")
    return 1 if found else 0


sys.exit(main())
