# shellcheck shell=sh
# What is done on a host over SSH; needs a POSIX shell, coreutils or busybox, grep and setsid, and no root.
# $1 is the verb. Every process of a run carries GATEBENCH_WORK, GATEBENCH_RUN and GATEBENCH_ROLE in its environment:
# by these it is found again, whatever its number and whoever its parent is, and nothing else is ever stopped.
LC_ALL=C
export LC_ALL
umask 077

marked() {
    found=$(grep -lszxF -e "$1" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3)
    [ -n "$found" ] || return 0
    # What writes over its own environment, as nginx does, is still in the session that a marked shell began.
    {
        echo "$found"
        sed -n 's/^\([0-9]*\) (.*) [A-Za-z] [0-9]* [0-9]* \([0-9]*\) .*/\1 \2/p' /proc/[0-9]*/stat 2>/dev/null \
            | awk -v leaders="$(echo "$found" | tr '\n' ' ')" \
                'BEGIN { n = split(leaders, l, " "); for (i = 1; i <= n; i++) known[l[i]] = 1 } $2 in known { print $1 }'
    } | sort -un | grep -vx "$$"
}

end_all() {
    pids=$(marked "$1")
    [ -n "$pids" ] || return 0
    # shellcheck disable=SC2086
    kill -TERM $pids 2>/dev/null
    turns=$(($2 * 5))
    while [ "$turns" -gt 0 ]; do
        sleep 0.2
        pids=$(marked "$1")
        [ -n "$pids" ] || return 0
        turns=$((turns - 1))
    done
    # shellcheck disable=SC2086
    kill -KILL $pids 2>/dev/null
    sleep 0.2
}

# A container whose keeper was ended by force left a file that says how it is removed.
remove_containers() {
    for file in "$1"/containers/*; do
        [ ! -f "$file" ] || { sh "$file" >/dev/null 2>&1; rm -f "$file"; }
    done
}

# Groups that limited the memory of a run's processes; one that still holds a process cannot be removed.
remove_groups() {
    find /sys/fs/cgroup -depth -type d -name "gatebench-memory-*-$1" -exec rmdir {} \; 2>/dev/null
}

remove_groups_below() {
    for run_directory in "$1"/runs/*; do
        [ ! -d "$run_directory" ] || remove_groups "${run_directory##*/}"
    done
}

end_writers() {
    turns=25
    while [ "$turns" -gt 0 ]; do
        pids=$(marked "GATEBENCH_PART=$1")
        [ -n "$pids" ] || return 0
        # shellcheck disable=SC2086
        kill -KILL $pids 2>/dev/null
        sleep 0.2
        turns=$((turns - 1))
    done
    echo "an earlier transfer of this file cannot be ended" >&2
    exit 73
}

# When a process was started: with its number this tells it from a later one of the same number.
started() {
    sed -n 's/.*) //p' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20 | grep . || echo none
}

owner_of() {
    cat "$1/lock/owner" 2>/dev/null || echo 'an unknown owner'
}

held() {
    [ -d "$1/lock" ] || return 1
    seconds=$(cat "$1/lock/seconds" 2>/dev/null || echo 120)
    seen=$(stat -c %Y "$1/lock/lease" 2>/dev/null || stat -c %Y "$1/lock" 2>/dev/null || echo 0)
    [ $(($(date +%s) - seen)) -le $((seconds + 5)) ]
}

# What tells a file from another that was put in its place.
stamp() {
    stat -c '%s %Y %i' "$1" 2>/dev/null
}

# A jar of this content that the image of a pod, or who set up the host, has put there; its name may be another. Only jars
# are looked for: what must arrive in time is small and never there.
at_hand() {
    case $2 in
    */jars/*) sha256sum "${GATEBENCH_JARS:-/opt/gatebench}"/*.jar 2>/dev/null | sed -n "s/^$1 [ *]//p" | head -n 1 ;;
    esac
}

# Whether the shell that started a process still waits for it: the process may write over its own environment.
waited_for() {
    grep -qszxF "GATEBENCH_ROLE=$1" "/proc/$(cat .shell 2>/dev/null || echo none)/environ"
}

verb=$1
shift
case $verb in
info)
    echo "home=$HOME"
    echo "kernel=$(uname -srm)"
    echo "processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || grep -c '^processor' /proc/cpuinfo)"
    # shellcheck disable=SC3045 # no part of POSIX, but dash, bash and busybox have it
    echo "open-files=$(ulimit -n)"
    echo "memory-available=$(sed -n 's/^MemAvailable: *\([0-9]*\).*/\1/p' /proc/meminfo)"
    echo "governor=$(cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor 2>/dev/null)"
    java=$1
    [ -n "$java" ] || java=$(command -v java 2>/dev/null)
    [ -n "$java" ] || [ -z "$JAVA_HOME" ] || java=$JAVA_HOME/bin/java
    [ -z "$java" ] || java=$(readlink -f "$java" 2>/dev/null || echo "$java")
    echo "java=$java"
    [ -z "$java" ] || echo "java-version=$("$java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p' | head -n 1)"
    echo "addresses=$(awk '/32 host/ { print last } { last = $2 }' /proc/net/fib_trie 2>/dev/null | sort -u | tr '\n' ' ')"
    ;;
acquire)
    work=$1 run=$2 owner=$3 lease=$4 script=$5
    mkdir -p "$work" || exit 73
    [ -w "$work" ] || { echo "$work cannot be written by $(id -un)" >&2; exit 73; }
    echo "This directory belongs to Gatebench; 'hosts clean' removes it." >"$work/.gatebench" || exit 73
    # One at a time: who has found a lock stale may come to remove it when another has taken it over already.
    if command -v flock >/dev/null 2>&1; then
        exec 9>"$work/.turn"
        flock 9 || exit 73
    fi
    if ! mkdir "$work/lock" 2>/dev/null; then
        if [ "$(cat "$work/lock/run" 2>/dev/null)" = "$run" ]; then
            touch "$work/lock/lease"
            exit 0
        fi
        if held "$work"; then
            owner_of "$work"
            exit 75
        fi
        echo "took over from $(owner_of "$work")"
        rm -rf "$work/lock"
        mkdir "$work/lock" 2>/dev/null || { owner_of "$work"; exit 75; }
    fi
    { echo "$owner" >"$work/lock/owner" && echo "$lease" >"$work/lock/seconds" && : >"$work/lock/lease" \
        && printf '%s' "$script" >"$work/host.sh" && echo "$run" >"$work/lock/run"; } \
        || { rm -rf "$work/lock"; exit 73; }
    # What is started below must not hold it.
    exec 9>&-
    left=$(marked "GATEBENCH_WORK=$work" | wc -l)
    if [ "$left" -gt 0 ]; then
        end_all "GATEBENCH_WORK=$work" 10
        echo "stopped $left processes that an earlier run had left"
    fi
    remove_containers "$work"
    remove_groups_below "$work"
    rm -rf "$work/runs"
    mkdir -p "$work/runs/$run" "$work/cache" && chmod 700 "$work/runs/$run" || exit 73
    setsid sh "$work/host.sh" guard "$work" "$run" "$lease" </dev/null >/dev/null 2>&1 &
    ;;
guard)
    # Counts the seconds since the lease was last renewed instead of comparing times: a clock that is set does no harm.
    work=$1 run=$2 lease=$3
    quiet=0
    last=
    while sleep 1; do
        [ "$(cat "$work/lock/run" 2>/dev/null)" = "$run" ] || exit 0
        now=$(stat -c %Y "$work/lock/lease" 2>/dev/null)
        if [ "$now" = "$last" ]; then quiet=$((quiet + 1)); else quiet=0; fi
        last=$now
        if [ "$quiet" -ge "$lease" ]; then
            end_all "GATEBENCH_RUN=$run" 10
            remove_containers "$work"
            remove_groups "$run"
            echo "$run" >"$work/expired"
            rm -rf "$work/lock"
            exit 0
        fi
    done
    ;;
watch)
    # On the orchestrator's own machine. Each line of its input is a process that was started; when the other end is
    # gone, whatever may have ended it, so are these and all that carry the mark.
    trap '' INT TERM HUP
    kept=
    while read -r pid; do
        kept="$kept $pid:$(started "$pid")"
    done
    for entry in $kept; do
        [ "$(started "${entry%%:*}")" != "${entry#*:}" ] || kill -TERM "${entry%%:*}" 2>/dev/null
    done
    end_all "GATEBENCH_RUN=$1" 10
    for entry in $kept; do
        [ "$(started "${entry%%:*}")" != "${entry#*:}" ] || kill -KILL "${entry%%:*}" 2>/dev/null
    done
    remove_groups "$1"
    ;;
renew)
    [ "$(cat "$1/lock/run" 2>/dev/null)" = "$2" ] && touch "$1/lock/lease"
    ;;
release)
    work=$1 run=$2
    end_all "GATEBENCH_RUN=$run" 10
    remove_containers "$work"
    remove_groups "$run"
    rm -rf "$work/runs/$run"
    [ "$(cat "$work/lock/run" 2>/dev/null)" = "$run" ] && rm -rf "$work/lock"
    exit 0
    ;;
clean)
    work=$1 force=$2
    [ -e "$work" ] || { echo "nothing there"; exit 0; }
    [ -e "$work/.gatebench" ] || { echo "$work has no file .gatebench: it is not ours" >&2; exit 73; }
    if held "$work" && [ "$force" != yes ]; then
        owner_of "$work"
        exit 75
    fi
    left=$(marked "GATEBENCH_WORK=$work" | wc -l)
    rm -rf "$work/lock"
    end_all "GATEBENCH_WORK=$work" 10
    remove_containers "$work"
    remove_groups_below "$work"
    size=$(du -sk "$work" 2>/dev/null | cut -f 1)
    rm -rf "$work" || exit 73
    echo "removed $work (${size:-0} KiB) and stopped $left processes"
    ;;
start)
    # Variables may be secrets and come by the input: command lines are for everybody to read.
    work=$1 run=$2 role=$3 dir=$4 variables=$(cat)
    shift 4
    cd "$dir" || exit 72
    if [ "$(cat .role 2>/dev/null)" != "$role" ]; then
        [ "$(cat "$work/lock/run" 2>/dev/null)" = "$run" ] || { echo "the lease of this run is over" >&2; exit 74; }
        rm -f .pid .rc .shell out.log
        echo "$role" >.role || exit 73
        umask 022
        # shellcheck disable=SC2016 # the inner shell expands it
        GATEBENCH_WORK=$work GATEBENCH_RUN=$run GATEBENCH_ROLE=$role GATEBENCH_VARIABLES=$variables setsid sh -c '
            trap : TERM INT HUP
            echo "$$" >.shell
            (
                variables=$GATEBENCH_VARIABLES
                unset GATEBENCH_VARIABLES
                eval "$variables"
                exec "$@"
            ) >out.log 2>&1 </dev/null &
            child=$!
            echo "$child" >.pid.new && mv .pid.new .pid
            wait "$child"
            code=$?
            # A signal to this shell ends the waiting, not the child.
            while kill -0 "$child" 2>/dev/null; do
                wait "$child"
                code=$?
            done
            echo "$code" >.rc.new && mv .rc.new .rc' sh "$@" </dev/null >/dev/null 2>&1 &
    fi
    turns=50
    while [ ! -s .pid ] && [ "$turns" -gt 0 ]; do
        sleep 0.1
        turns=$((turns - 1))
    done
    cat .pid
    ;;
status)
    dir=$1 role=$2 offset=$3
    cd "$dir" 2>/dev/null || { echo gone; exit 0; }
    if ! waited_for "$role" && [ ! -s .rc ]; then
        # The shell may have written the exit code and ended just now.
        sleep 0.1
    fi
    if [ -s .rc ]; then
        echo "ended $(cat .rc)"
    elif waited_for "$role"; then
        echo alive
    else
        echo gone
    fi
    [ "$offset" -lt 0 ] || tail -c "+$((offset + 1))" out.log 2>/dev/null | head -c 1048576
    ;;
stop)
    dir=$1 role=$2 grace=$3
    cd "$dir" 2>/dev/null || exit 0
    pid=$(cat .pid 2>/dev/null)
    if [ ! -s .rc ] && waited_for "$role"; then
        kill -TERM "$pid" 2>/dev/null
        turns=$((grace * 10))
        while [ ! -s .rc ] && [ "$turns" -gt 0 ] && [ -n "$(marked "GATEBENCH_ROLE=$role")" ]; do
            sleep 0.1
            turns=$((turns - 1))
        done
        if [ ! -s .rc ]; then
            kill -KILL "$pid" 2>/dev/null
            turns=20
            while [ ! -s .rc ] && [ "$turns" -gt 0 ]; do
                sleep 0.1
                turns=$((turns - 1))
            done
        fi
    fi
    pids=$(marked "GATEBENCH_ROLE=$role")
    # shellcheck disable=SC2086
    [ -z "$pids" ] || kill -KILL $pids 2>/dev/null
    if [ -s .rc ]; then echo "ended $(cat .rc)"; else echo gone; fi
    ;;
unchanged)
    [ -f "$1" ] && [ "$(stamp "$1")" = "$2" ]
    ;;
receive)
    # Goes on with a file that broke off: answers the number of bytes that are there.
    work=$1 sum=$2 path=$3
    if [ -f "$path" ] && [ "$(sha256sum "$path" | cut -d ' ' -f 1)" = "$sum" ]; then
        echo "there $(stamp "$path")"
    elif [ -f "$work/cache/$sum" ] && [ "$(sha256sum "$work/cache/$sum" | cut -d ' ' -f 1)" = "$sum" ]; then
        mkdir -p "$(dirname "$path")" && rm -f "$path" \
            && { ln "$work/cache/$sum" "$path" 2>/dev/null || cp "$work/cache/$sum" "$path"; } \
            && echo "there $(stamp "$path")"
    elif jar=$(at_hand "$sum" "$path") && [ -n "$jar" ]; then
        mkdir -p "$(dirname "$path")" && rm -f "$path" && cp "$jar" "$path" && echo "there $(stamp "$path")"
    else
        mkdir -p "$work/cache" || exit 73
        # A connection that was cut off may be alive at this end, and what was under way in it still be written.
        end_writers "$sum"
        if [ -f "$work/cache/$sum.part" ]; then stat -c %s "$work/cache/$sum.part"; else echo 0; fi
    fi
    ;;
append)
    work=$1 sum=$2 offset=$3
    part=$work/cache/$sum.part
    [ "$offset" -gt 0 ] || : >"$part" || exit 73
    GATEBENCH_WORK=$work GATEBENCH_PART=$sum cat >>"$part" || exit 73
    ;;
received)
    work=$1 sum=$2 path=$3
    part=$work/cache/$sum.part
    if [ "$(sha256sum "$part" | cut -d ' ' -f 1)" != "$sum" ]; then
        rm -f "$part"
        exit 65
    fi
    mkdir -p "$(dirname "$path")" || exit 73
    case $4 in
    secret)
        rm -f "$path"
        mv "$part" "$path" && chmod 600 "$path" || exit 73
        ;;
    *)
        mv "$part" "$work/cache/$sum" && rm -f "$path" \
            && { ln "$work/cache/$sum" "$path" 2>/dev/null || cp "$work/cache/$sum" "$path"; } || exit 73
        ;;
    esac
    echo "there $(stamp "$path")"
    ;;
list)
    cd "$1" 2>/dev/null || exit 0
    find . -type f ! -name '.pid*' ! -name '.rc*' ! -name .shell ! -name .role -exec stat -c '%s %Y %n' {} +
    ;;
sums)
    cd "$1" && find . -type f -exec sha256sum {} +
    ;;
unpack)
    work=$1 sum=$2 archive=$3
    if [ ! -d "$work/jdk/$sum" ]; then
        rm -rf "$work/jdk/$sum.new" && mkdir -p "$work/jdk/$sum.new" || exit 73
        tar -xzf "$archive" -C "$work/jdk/$sum.new" || exit 73
        mv "$work/jdk/$sum.new" "$work/jdk/$sum" || exit 73
    fi
    find "$work/jdk/$sum" -path '*/bin/java' ! -path '*/jre/*' | head -n 1
    ;;
processor)
    grep '^cpu ' /proc/stat
    sleep 1
    grep '^cpu ' /proc/stat
    ;;
system)
    for file in /proc/cpuinfo /proc/meminfo /etc/os-release /sys/block/*/size; do
        echo "==> $file <=="
        cat "$file" 2>/dev/null
    done
    echo "==> /sys/firmware/dmi/tables/DMI <=="
    od -An -v -tx1 -N 4096 /sys/firmware/dmi/tables/DMI 2>/dev/null
    echo "==> kernel <=="
    uname -a
    ;;
esac
