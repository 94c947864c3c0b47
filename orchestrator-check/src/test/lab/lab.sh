#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Hosts on one Linux machine for the tests of SSH hosts: each has a network and process numbers of its own, a clock
# that can be set off, private /tmp and /run, and an SSH server. Processor, memory and all other files are shared.
#
#   lab.sh check              what this machine lacks; ends with 0 if the lab can be made
#   lab.sh up                 starts all hosts; `down` ends them and removes everything
#   lab.sh exec HOST CMD...   runs a command there as the login perf (`root` before HOST: as root); works when cut off
#   lab.sh cut HOST           every packet to and from the host is dropped without a word; `heal` ends that
#   lab.sh slow HOST MS LOSS  each packet takes MS longer each way, LOSS percent are lost; `fast` ends that
#   lab.sh clock HOST SECONDS what is started there from now on has a clock that is so far ahead
#   lab.sh disk HOST DIR SIZE a small disk of its own at DIR
#
# LAB_DIR: directory for everything; two labs at once need two, whose names decide on the networks, which have even numbers
# unless LAB_NUMBER says another.
set -euo pipefail

HOSTS="client jmeter1 jmeter2 backend product"
DIR=${LAB_DIR:?is not set}
NUMBER=${LAB_NUMBER:-$(($(printf %s "$DIR" | cksum | cut -d ' ' -f 1) % 125 * 2))}
NAME=gb$NUMBER
NET=10.88.$NUMBER
ROOT=$(cd "$(dirname "$0")/../../../.." && pwd)
PERF=4242
FAKETIME=$(ls /usr/lib/*/faketime/libfaketimeMT.so.1 2>/dev/null | head -n 1 || true)

fail() { echo "lab: $*" >&2; exit 1; }

number() {
    local i=1 host
    for host in $HOSTS; do
        [ "$host" != "$1" ] || { echo "$i"; return; }
        i=$((i + 1))
    done
    fail "there is no host '$1'"
}

address() { echo "$NET.$((10 + $(number "$1")))"; }
port_of() { echo "${NAME}v$(number "$1")"; }
init_of() { cat "$DIR/$1/init" 2>/dev/null || true; }

check() {
    local missing=""
    [ "$(uname -s)" = Linux ] || fail "network namespaces are a thing of Linux"
    [ "$(id -u)" = 0 ] || fail "network namespaces need root"
    for command in ip bridge unshare nsenter setsid ssh-keygen sha256sum; do
        command -v "$command" >/dev/null || missing="$missing $command"
    done
    [ -x /usr/sbin/sshd ] || missing="$missing sshd"
    [ -z "$missing" ] || fail "missing commands:$missing; install iproute2 openssh-client openssh-server util-linux"
    local probe=${NAME}p
    ip netns add "$probe" 2>/dev/null || fail "no network namespace can be made"
    ip link add "${probe}0" type veth peer name "${probe}1" netns "$probe" 2>/dev/null \
        || { ip netns del "$probe"; fail "no virtual network cable can be made"; }
    ip link add "${probe}b" type bridge 2>/dev/null \
        || { ip link del "${probe}0"; ip netns del "$probe"; fail "no bridge can be made"; }
    ip link del "${probe}b"
    ip link del "${probe}0"
    ip netns del "$probe"
    unshare --mount --pid --fork --mount-proc true 2>/dev/null || fail "no process namespace can be made"
}

# Shows a directory of this machine to the login of a host under its own name, from where it is held meanwhile: it may lie in
# what is private to the host, or behind a home directory that is closed to others.
show() {
    local place=$1 from=$2 way="" part parts
    IFS=/ read -r -a parts <<<"${place#/}"
    for part in "${parts[@]}"; do
        way=$way/$part
        [ -d "$way" ] || break
        if [ "$way" != "$place" ] && [ $((0$(stat -c %a "$way") & 1)) = 0 ]; then
            mount -t tmpfs -o mode=755 tmpfs "$way"
            break
        fi
    done
    mkdir -p "$place"
    mount --rbind "$from" "$place"
    umount -l "$from"
}

# What runs as the first process of a host, in its namespaces.
inside() {
    local host=$1 d=$DIR/$1 directory
    umask 022
    mount --make-rprivate /
    mount --rbind "$ROOT" /media
    mount --rbind "$DIR" /srv
    for directory in tmp run; do
        mkdir -p "/srv/$host/$directory"
        mount --bind "/srv/$host/$directory" "/$directory"
    done
    chmod 1777 /tmp
    mount -t tmpfs -o mode=755 tmpfs /mnt
    show "$ROOT" /media
    show "$DIR" /srv
    mkdir -p /run/sshd /run/perf
    chown "$PERF:$PERF" /run/perf
    for directory in passwd group shadow hosts; do
        mount --bind "$DIR/etc/$directory" "/etc/$directory"
    done
    mount -t proc proc /proc
    hostname "$host"
    while :; do
        # The settings are read anew when the server is started anew, as after its clock was set.
        /usr/sbin/sshd -D -e -f "$d/sshd_config" >>"$d/sshd.log" 2>&1 </dev/null &
        echo $! >"$d/sshd.pid"
        wait $! || true
        sleep 0.1
    done
}

sshd_config() {
    cat <<CONFIG
Port 22
ListenAddress $(address "$1")
HostKey $DIR/$1/host_key
AuthorizedKeysFile $DIR/authorized_keys
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
UseDNS no
MaxStartups 100
MaxSessions 100
AllowAgentForwarding no
PidFile none
CONFIG
    # Only the first such line counts. JVMs that live for seconds start in half the time with the quicker compiler.
    local environment="JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1"
    [ -z "${2:-}" ] || environment="$environment LD_PRELOAD=$FAKETIME FAKETIME=+${2}s DONT_FAKE_MONOTONIC=1 FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_FORCE_MONOTONIC_FIX=0"
    echo "SetEnv $environment"
}

start() {
    local host=$1 d=$DIR/$1 port parent child
    port=$(port_of "$host")
    mkdir -p "$d"
    ssh-keygen -q -t ed25519 -N '' -C "$host" -f "$d/host_key" </dev/null
    sshd_config "$host" >"$d/sshd_config"
    ip netns add "$NAME-$host"
    ip link add "$port" type veth peer name eth0 netns "$NAME-$host"
    ip link set "$port" master "${NAME}br" up
    ip -n "$NAME-$host" addr add "$(address "$host")/24" dev eth0
    ip -n "$NAME-$host" link set lo up
    ip -n "$NAME-$host" link set eth0 up
    setsid ip netns exec "$NAME-$host" unshare --mount --uts --ipc --pid --fork --kill-child \
        bash "$0" inside "$host" </dev/null >>"$d/host.log" 2>&1 &
    parent=$!
    disown
    for _ in $(seq 100); do
        child=$(cat "/proc/$parent/task/$parent/children" 2>/dev/null || true)
        [ -z "$child" ] || break
        sleep 0.05
    done
    echo "${child// /}" >"$d/init"
}

up() {
    check
    [ ! -e "$DIR" ] || fail "$DIR exists; 'down' first"
    mkdir -p "$DIR/etc"
    trap 'down' ERR
    for file in passwd group shadow; do cp "/etc/$file" "$DIR/etc/$file"; done
    echo "perf:x:$PERF:$PERF::/run/perf:/bin/bash" >>"$DIR/etc/passwd"
    echo "perf:x:$PERF:" >>"$DIR/etc/group"
    echo "perf:*:19000:0:99999:7:::" >>"$DIR/etc/shadow"
    grep -q '^sshd:' "$DIR/etc/passwd" || echo "sshd:x:4243:4242::/run/sshd:/usr/sbin/nologin" >>"$DIR/etc/passwd"
    { echo "127.0.0.1 localhost"; for host in $HOSTS; do echo "$(address "$host") $host"; done; } >"$DIR/etc/hosts"
    ssh-keygen -q -t ed25519 -N '' -C lab -f "$DIR/key" </dev/null
    ssh-keygen -q -t rsa -b 3072 -N '' -C lab -f "$DIR/key_rsa" </dev/null
    cat "$DIR/key.pub" "$DIR/key_rsa.pub" >"$DIR/authorized_keys"
    chown "$PERF:$PERF" "$DIR/key" "$DIR/key_rsa"
    ip link add "${NAME}br" type bridge
    ip addr add "$NET.1/24" dev "${NAME}br"
    ip link set "${NAME}br" up
    for host in $HOSTS; do start "$host"; done
    for host in $HOSTS; do
        echo "$host,$(address "$host") $(cut -d ' ' -f 1,2 "$DIR/$host/host_key.pub")"
    done >"$DIR/known_hosts"
    for host in $HOSTS; do answers "$host"; done
    trap - ERR
}

answers() {
    for _ in $(seq 100); do
        timeout 1 bash -c "exec 3<>/dev/tcp/$(address "$1")/22 && head -c 4 <&3" 2>/dev/null | grep -q SSH- && return
        sleep 0.1
    done
    cat "$DIR/$1/host.log" "$DIR/$1/sshd.log" >&2 || true
    fail "the SSH server of $1 does not answer"
}

down() {
    local host pids
    for host in $HOSTS; do
        stop_relay "$host"
        for _ in $(seq 50); do
            pids=$(ip netns pids "$NAME-$host" 2>/dev/null || true)
            [ -n "$pids" ] || break
            # shellcheck disable=SC2086
            kill -KILL $pids 2>/dev/null || true
            sleep 0.1
        done
        ip link del "$(port_of "$host")" 2>/dev/null || true
        ip netns del "$NAME-$host" 2>/dev/null || true
    done
    ip link del "${NAME}br" 2>/dev/null || true
    rm -rf "$DIR"
}

enter() {
    local host=$1 login=$2 home=$3 init
    shift 3
    init=$(init_of "$host")
    [ -n "$init" ] || fail "$host does not run"
    exec nsenter -t "$init" --mount --uts --ipc --net --pid --setuid "$login" --setgid "$login" -- \
        env -i HOME="$home" LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        sh -c 'cd "$HOME" && exec "$@"' sh "$@"
}

# Between the host's cable and the bridge sits a process that holds packets back and loses some; the kernel's own
# means (netem) is used where there is one.
slow() {
    local host=$1 port n
    port=$(port_of "$host")
    n=$(number "$host")
    stop_relay "$host"
    if [ -z "${LAB_RELAY:-}" ] && tc qdisc add dev "$port" root netem limit 100000 delay "${2}ms" loss "$3%" 2>/dev/null; then
        ip netns exec "$NAME-$host" tc qdisc add dev eth0 root netem limit 100000 delay "${2}ms" loss "$3%"
        echo netem
        return
    fi
    command -v python3 >/dev/null || fail "this kernel has no netem, and there is no python3 for the stand-in"
    setsid python3 "$ROOT/orchestrator-check/src/test/lab/slowlink.py" "${NAME}i$n" "${NAME}o$n" "$2" "$3" </dev/null >"$DIR/$host/relay.log" 2>&1 &
    echo $! >"$DIR/$host/relay.pid"
    disown
    for _ in $(seq 100); do
        [ ! -e "/sys/class/net/${NAME}o$n" ] || break
        sleep 0.1
    done
    [ -e "/sys/class/net/${NAME}o$n" ] || { cat "$DIR/$host/relay.log" >&2; fail "the stand-in for netem does not run"; }
    # A bridge that answers address questions itself would lead packets past the process.
    ip link add "${NAME}x$n" type bridge
    ip link set "${NAME}x$n" arp off addrgenmode none
    ip link set "${NAME}x$n" up
    ip link set "${NAME}i$n" master "${NAME}x$n" up
    ip link set "${NAME}o$n" master "${NAME}br" up
    ip link set "$port" master "${NAME}x$n"
    echo stand-in
}

stop_relay() {
    local host=$1 port n
    port=$(port_of "$host")
    n=$(number "$host")
    tc qdisc del dev "$port" root 2>/dev/null || true
    ip netns exec "$NAME-$host" tc qdisc del dev eth0 root 2>/dev/null || true
    if [ -f "$DIR/$host/relay.pid" ]; then
        kill "$(cat "$DIR/$host/relay.pid")" 2>/dev/null || true
        rm -f "$DIR/$host/relay.pid"
        ip link set "$port" master "${NAME}br" 2>/dev/null || true
        ip link del "${NAME}x$n" 2>/dev/null || true
    fi
}

clock() {
    [ -n "$FAKETIME" ] || fail "there is no libfaketime here"
    if [ "$2" = 0 ]; then sshd_config "$1"; else sshd_config "$1" "$2"; fi >"$DIR/$1/sshd_config"
    nsenter -t "$(init_of "$1")" --pid --mount kill "$(cat "$DIR/$1/sshd.pid")"
    sleep 0.3
    answers "$1"
}

disk() {
    nsenter -t "$(init_of "$1")" --mount sh -c \
        'mkdir -p "$1" && mount -t tmpfs -o "size=$2,mode=755,uid=$3,gid=$3" tmpfs "$1"' sh "$2" "$3" "$PERF"
}

case ${1:-help} in
check) check ;;
up) up ;;
down) down ;;
inside) inside "$2" ;;
exec) shift; enter "$1" "$PERF" /run/perf "${@:2}" ;;
root) shift; enter "$1" 0 / "${@:2}" ;;
cut) bridge link set dev "$(port_of "$2")" state 0 ;;
heal) bridge link set dev "$(port_of "$2")" state 3 ;;
slow) slow "$2" "$3" "$4" ;;
fast) stop_relay "$2" ;;
clock) clock "$2" "$3" ;;
disk) disk "$2" "$3" "$4" ;;
address) address "$2" ;;
*) sed -n '3,16p' "$0" ;;
esac
