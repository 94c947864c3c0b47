# shellcheck shell=sh
# Keeps one container: runs it, and removes it when it ends or this shell is asked to end. Before this text stand the
# functions `engine`, which calls the container engine, and `control`, which gives it half a minute.
# $1: name of the container. $2: its memory limit, for messages. Then what follows `run`.
# Its exit code is that of the container; its last line says why that ended, where more is known than the code.
name=$1 memory=$2
shift 2
# With this a program that finds the container later can tell whether it still has a keeper.
keeper=$$:$(sed -n 's/.*) //p' "/proc/$$/stat" 2>/dev/null | cut -d ' ' -f 20)
# Where this shell is ended by force, `hosts clean` and the next run on this host execute it. It lies where the container does
# not see it: whoever can write to it can run what he likes.
removal=
if [ -n "$GATEBENCH_WORK" ]; then
    removal=$GATEBENCH_WORK/containers/$name
    mkdir -p "$GATEBENCH_WORK/containers" && (umask 077 && remover >"$removal")
fi
stopping=
trap 'stopping=yes' TERM INT HUP
engine run --name "$name" --label "io.gatebench.keeper=$keeper" "$@" &
client=$!
wait "$client"
code=$?
# A signal to this shell ends the waiting, not the client.
while kill -0 "$client" 2>/dev/null; do
    if [ -n "$stopping" ]; then
        control stop -t 5 "$name" >/dev/null 2>&1 || {
            kill -TERM "$client" 2>/dev/null
            sleep 0.2
        }
    fi
    wait "$client"
    code=$?
done
# shellcheck disable=SC2046
set -- $(control inspect --type container --format '{{.Id}} {{.State.OOMKilled}}' "$name" 2>/dev/null)
if [ -n "$stopping" ]; then
    :
elif [ -z "$1" ]; then
    # The engine's own failures have these codes.
    case $code in
    125 | 126 | 127) ;;
    *) echo "gatebench: its container was removed by somebody else" ;;
    esac
elif [ "$2" = true ] || dmesg 2>/dev/null | grep -q "oom-kill:.*$1"; then
    echo "gatebench: out of memory: the kernel ended it at the memory limit${memory:+ of $memory} of its container"
elif [ "$code" = 137 ] && [ -n "$memory" ] && ! dmesg >/dev/null 2>&1; then
    echo "gatebench: it was ended by force, as the kernel does at the memory limit of $memory; its log cannot be read here"
fi
control kill -s KILL "$name" >/dev/null 2>&1
control rm -f "$name" >/dev/null 2>&1
[ -z "$removal" ] || rm -f "$removal"
exit "$code"
