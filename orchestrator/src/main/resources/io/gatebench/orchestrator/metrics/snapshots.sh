# Writes one snapshot of the counters of this host each second, until it is stopped.
# $1: a file with one process id per line, read again for each snapshot.
LC_ALL=C
export LC_ALL
group=$(sed -n 's/^0::\/*//p' /proc/self/cgroup 2>/dev/null | head -n 1)
[ -r "/sys/fs/cgroup/$group/cpu.stat" ] || group=
legacy=$(sed -n 's/^[0-9]*:[^:]*\<cpu\>[^:]*:\/*//p' /proc/self/cgroup 2>/dev/null | head -n 1)
limits="/sys/fs/cgroup/$group/cpu.stat"
[ -r "$limits" ] || limits="/sys/fs/cgroup/cpu/$legacy/cpu.stat"
echo "gatebench-snapshots 1"
echo "tick $(getconf CLK_TCK 2>/dev/null || echo 100)"
for disk in /sys/block/*; do
    [ -e "$disk/device" ] && echo "disk ${disk##*/} physical" || echo "disk ${disk##*/} virtual"
done
for card in /sys/class/net/*; do
    [ -e "$card/device" ] && kind=physical || kind=virtual
    echo "net ${card##*/} $kind $(cat "$card/speed" 2>/dev/null || echo -1)"
done
turn=0
while :; do
    set -- "$1" /proc/uptime /proc/loadavg /proc/stat /proc/meminfo /proc/diskstats /proc/net/dev /proc/net/snmp \
        /proc/sys/fs/file-nr /proc/sys/fs/inode-nr /proc/sys/fs/dentry-state /proc/sys/kernel/pty/nr \
        /proc/pressure/cpu /proc/pressure/io /proc/pressure/memory "$limits"
    list=$1
    shift
    threads=
    while read -r pid; do
        [ -r "/proc/$pid/stat" ] || continue
        set -- "$@" "/proc/$pid/stat" "/proc/$pid/status"
        threads="$threads /proc/$pid/task/[0-9]*/status /proc/$pid/task/[0-9]*/sched"
    done <"$list" 2>/dev/null
    echo "@ $(date +%s.%N)"
    head -n 1000000 "$@" 2>/dev/null
    # The threads of a process are many: their counters are read less often.
    if [ $((turn % 2)) -eq 0 ] && [ -n "$threads" ]; then
        echo "==> threads <=="
        # shellcheck disable=SC2086
        grep -E 'ctxt_switches|nr_migrations' $threads 2>/dev/null
    fi
    echo "@end"
    turn=$((turn + 1))
    set -- "$list"
    sleep 1
done
