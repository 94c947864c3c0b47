#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Requests per second and CPU per request of the load driver against named peers, in turn, on an echo that shares the
# machine. Peers: this suite's plan with JMeter's HttpClient 4, the stock engine of jmeter-java-dsl, wrk if installed.
#   bench/load/run.sh [rounds] [users] [warm-up seconds] [window seconds]
set -euo pipefail
cd "$(dirname "$0")/../.."
rounds=${1:-2} users=${2:-50} warm=${3:-12} window=${4:-6}
work=$(mktemp -d)
# The stock engine needs what the suite leaves out of JMeter, so everything is put back by its own artifact list.
if [ -z "${LOAD_BENCH_CLASSPATH:-}" ]; then
    mvn -q -ntp -Dquick -DskipTests -pl load-driver,echo-backend -am test-compile \
        dependency:build-classpath -Dmdep.outputFile="$work/cp" -Dmdep.includeScope=runtime >&2
    LOAD_BENCH_CLASSPATH=load-driver/target/classes:perf-model/target/classes:echo-backend/target/classes:$(cat "$work/cp")
fi
javac -proc:none -cp "$LOAD_BENCH_CLASSPATH" -d "$work" bench/load/LoadBench.java
port=$((20000 + RANDOM % 20000))
java -Xmx256m -cp "$work:$LOAD_BENCH_CLASSPATH" LoadBench serve "$port" >"$work/echo.log" 2>&1 &
echo_pid=$!
trap 'kill $echo_pid 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 100); do (exec 3<>/dev/tcp/127.0.0.1/"$port") 2>/dev/null && break; sleep 0.1; done
target=http://127.0.0.1:$port/
contestant() {
    case $1 in
    wrk)
        printf 'wrk.method="POST"\nwrk.body=string.rep("x",1024)\n' >"$work/post.lua"
        local before after requests
        TIMEFORMAT='%U %S'
        { time wrk -t1 -c"$users" -d"$((warm + window))s" -s "$work/post.lua" "$target" >"$work/wrk.out"; } 2>"$work/wrk.time"
        requests=$(awk '/requests in/ {print $1}' "$work/wrk.out")
        awk -v n="$requests" -v t="$((warm + window))" '{printf "RESULT %.0f %.1f 0\n", n / t, ($1 + $2) * 1e6 / n}' "$work/wrk.time"
        ;;
    *) java -Xmx512m -cp "$work:$LOAD_BENCH_CLASSPATH" LoadBench "$1" "$target" "$users" "$warm" "$window" 2>/dev/null | grep RESULT ;;
    esac
}
contestants="fast jmeter stock"
command -v wrk >/dev/null && contestants="$contestants wrk"
echo "users $users, 1 KiB POST, warm-up $warm s, window $window s"
for round in $(seq "$rounds"); do
    for name in $contestants; do
        read -r _ rate cpu errors < <(contestant "$name")
        echo "round $round $name requests/s $rate cpu-us/request $cpu errors $errors" | tee -a "$work/results"
    done
done
awk '{rate[$3] += $5; cpu[$3] += $7; n[$3]++} END {
    for (name in n) if (name != "fast")
        printf "fast against %s: %.2f x the requests per second, %.2f x the requests per CPU second\n", name,
            (rate["fast"] / n["fast"]) / (rate[name] / n[name]), (cpu[name] / n[name]) / (cpu["fast"] / n["fast"])
}' "$work/results"
