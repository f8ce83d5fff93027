#!/usr/bin/env bash
# Writes the pictures of the console's main pages anew, in docs/pictures, with which ConsolePicturesTest compares what it
# sees. It builds what that takes, and needs the browser of scripts/install-test-clients.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
mvn -B -Dquick -pl dist -am verify -Dtest=ConsolePicturesTest -Dsurefire.failIfNoSpecifiedTests=false \
    -Davocet.writePictures=true -Davocet.clients.required=true
git status --short docs/pictures
