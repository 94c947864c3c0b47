# shellcheck shell=sh
# What is done on the machine to which a run was left; needs what the other scripts need. $1 is the verb.
# Everything lies in the directory of this file: the program, plan, keys, what the program says, and the results.
LC_ALL=C
export LC_ALL
umask 077
cd "$(dirname "$0")" || exit 73

verb=$1
shift
case $verb in
start)
    # Asked for again after a lost connection, it must not begin twice.
    mkdir started 2>/dev/null || exit 0
    setsid sh "$0" run "$@" </dev/null >/dev/null 2>&1 &
    ;;
run)
    java=$1 end=$2 keep=$3
    shift 3
    echo "$$" >pid
    # shellcheck disable=SC1091 # it is written on the machine
    [ ! -f secrets/environment ] || . ./secrets/environment
    trap 'kill -TERM "$child" 2>/dev/null' TERM INT HUP
    "$java" -jar orchestrator.jar run --plan plan.yaml --results results --environment aws \
        --machines machines.json >out 2>log </dev/null &
    child=$!
    wait "$child"
    code=$?
    # A signal to this shell ends the waiting, not the child.
    while kill -0 "$child" 2>/dev/null; do
        wait "$child"
        code=$?
    done
    rm -rf secrets gateway-config
    echo "$code" >rc.new && mv rc.new rc
    # However it ended, this machine now waits for somebody who fetches the results, and no longer than it may.
    left=$((end - $(date +%s)))
    [ "$keep" -ge "$left" ] || left=$keep
    minutes=$((left / 60))
    [ "$minutes" -ge 1 ] || minutes=1
    "$@" "$minutes"
    ;;
status)
    if [ ! -s rc ] && ! grep -qs detached.sh "/proc/$(cat pid 2>/dev/null || echo none)/cmdline"; then
        # It may have begun or ended just now.
        sleep 1
    fi
    if [ -s rc ]; then
        echo "ended $(cat rc)"
    elif grep -qs detached.sh "/proc/$(cat pid 2>/dev/null || echo none)/cmdline"; then
        if [ -s results/run.json ]; then echo measuring; else echo preparing; fi
    else
        echo gone
    fi
    ;;
log)
    tail -c "+$(($1 + 1))" log 2>/dev/null | head -c 1048576
    ;;
esac
