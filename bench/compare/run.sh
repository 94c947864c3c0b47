#!/bin/sh
# Simulates matrices with a known effect and prints how often the comparison raises a false alarm and how often it finds the
# effect, beside the tests per test case that look simpler. Seeded: the same number of matrices gives the same table.
# Usage: bench/compare/run.sh [matrices]     (default 1000; about 20 ms each per case on one core)
set -eu
cd "$(dirname "$0")/../.."
mvn -q -ntp -Dquick -Pfull -pl report-generator -am test -Dtest=FalseAlarmAndPowerIT -Dsurefire.failIfNoSpecifiedTests=false \
    "-Dgatebench.test.jvm=-Xmx768m -Djava.awt.headless=true -Dgatebench.simulation.matrices=${1:-1000}" > /dev/null
cd report-generator/target
cat false-alarm-and-power.txt false-alarm-and-power-of-other-cases.txt false-alarm-and-power-of-single-runs.txt
