# shellcheck shell=sh
# Writes one snapshot of the counters of this host each second, until it is stopped.
# $1: a file with one process id per line, read again for each snapshot. Each of them is watched with all that it started.
# $2: the process of the program itself, if it runs on this host.
LC_ALL=C
export LC_ALL
# Where the control groups are: "1 root mount-point" of the hierarchy with the controller cpu, "2 root mount-point" of the
# unified one, "3 root mount-point" of the one with the controller memory. A host has 1 and 3, or 2, or in hybrid mode all.
hierarchies=$(awk '{
    for (i = 6; i <= NF && $i != "-"; i++) continue
    if ($(i + 1) == "cgroup2") print 2, $4, $5
    else if ($(i + 1) == "cgroup" && ("," $(i + 3) ",") ~ /,cpu,/) print 1, $4, $5
    else if ($(i + 1) == "cgroup" && ("," $(i + 3) ",") ~ /,memory,/) print 3, $4, $5
}' /proc/self/mountinfo 2>/dev/null)
session=$(sed 's/.*) //' /proc/self/stat 2>/dev/null | cut -d ' ' -f 4)
echo "gatebench-snapshots 2"
echo "tick $(getconf CLK_TCK 2>/dev/null || echo 100)"
echo "boot $(cat /proc/sys/kernel/random/boot_id 2>/dev/null)"
# A container, or a user from whom other users' processes are hidden, does not see the kernel's own processes either.
[ "$(cat /proc/2/comm 2>/dev/null)" = kthreadd ] && whole=1 || whole=
for disk in /sys/block/*; do
    [ -e "$disk/device" ] && echo "disk ${disk##*/} physical" || echo "disk ${disk##*/} virtual"
done
for card in /sys/class/net/*; do
    [ -e "$card/device" ] && kind=physical || kind=virtual
    echo "net ${card##*/} $kind $(cat "$card/speed" 2>/dev/null || echo -1)"
done

# Finds the processes of each root: prints "known ..." for the next turn, "group <root> <directory>" for each control group
# with a CPU limit that holds for one of them, "memory <root> <directory>" for the nearest with a memory limit, and
# "member <pid> <root>", parents before children. What was a member
# stays one, also when its parent is gone; so is all of the session that a host's own shell began for the root. Only processes
# that were not there the turn before are looked at: what belongs to a root was started by it.
# $1: roots, $2: what was known, $3: the directories of all processes the turn before, $4: those of now
members() {
    printf '%s\n-\n%s\n' "$3" "$4" | awk -v roots="$1" -v known="$2" -v own="$session" -v hierarchies="$hierarchies" '
        function join(pid, root) {
            of[pid] = root
            order[++count] = pid
        }
        function limited(directory, kind,    file, line, words) {
            if (!(directory in limits)) {
                limits[directory] = 0
                file = directory (kind == 2 ? "/cpu.max" : "/cpu.cfs_quota_us")
                if ((getline line < file) > 0) {
                    split(line, words, " ")
                    limits[directory] = words[1] + 0 > 0
                    close(file)
                }
            }
            return limits[directory]
        }
        # Without a limit version 1 has a number beyond all memory there.
        function bounded(directory, kind,    file, line) {
            file = directory (kind == 2 ? "/memory.max" : "/memory.limit_in_bytes")
            if ((getline line < file) > 0) {
                close(file)
                return line + 0 > 0 && line + 0 < 1e18
            }
            return 0
        }
        # A group is held back by its own limit and by that of each group above it.
        function groups(pid, root,    file, line, kind, path, directory) {
            file = "/proc/" pid "/cgroup"
            while ((getline line < file) > 0) {
                if (line ~ /^0::/) kind = 2
                else if (line ~ /^[0-9]+:([^:]*,)?cpu(,[^:]*)?:/) kind = 1
                else if (line ~ /^[0-9]+:([^:]*,)?memory(,[^:]*)?:/) kind = 3
                else continue
                if (!(kind in mount)) continue
                path = line
                sub(/^[0-9]+:[^:]*:/, "", path)
                if (top[kind] != "/" && index(path "/", top[kind] "/") == 1) path = substr(path, length(top[kind]) + 1)
                for (;;) {
                    sub(/\/+$/, "", path)
                    directory = mount[kind] path
                    if (kind > 1 && !(root in memory) && bounded(directory, kind)) {
                        memory[root] = 1
                        print "memory", root, directory
                    }
                    if (kind < 3 && limited(directory, kind) && !((root, directory) in told)) {
                        told[root, directory] = 1
                        print "group", root, directory
                    }
                    if (path == "") break
                    sub(/\/[^\/]*$/, "", path)
                }
            }
            close(file)
        }
        function look(pid,    file, line, f) {
            file = "/proc/" pid "/stat"
            if ((getline line < file) > 0) {
                sub(/.*\) /, "", line)
                split(line, f, " ")
                parent[pid] = f[2]
                sessionOf[pid] = f[4]
                start[pid] = f[20]
            }
            close(file)
        }
        $0 == "-" {
            current = 1
            next
        }
        {
            pid = substr($0, 7)
            if (current) now[pid] = 1
            else earlier[pid] = 1
        }
        END {
            n = split(hierarchies, words, " ")
            for (i = 1; i + 2 <= n; i += 3) if (!(words[i] in mount)) {
                top[words[i]] = words[i + 1]
                mount[words[i]] = words[i + 2]
            }
            n = split(known, entries, " ")
            for (i = 1; i <= n; i++) {
                split(entries[i], e, ":")
                look(e[2])
                if (e[1] == e[2]) {
                    first[e[1]] = e[3]
                    sessionOfRoot[e[1]] = e[4]
                }
                if ((e[2] in start) && start[e[2]] == e[3]) join(e[2], e[1])
            }
            n = split(roots, listed, " ")
            for (i = 1; i <= n; i++) if (!(listed[i] in first)) all = 1
            # What a new root started before it was one is known as that of nobody.
            for (pid in now) if ((all || !(pid in earlier)) && !(pid in start)) look(pid)
            for (i = 1; i <= n; i++) {
                root = listed[i]
                if (!(root in first) && (root in start)) {
                    first[root] = start[root]
                    sessionOfRoot[root] = sessionOf[root]
                    if (!(root in of)) join(root, root)
                }
            }
            for (root in first) {
                s = sessionOfRoot[root]
                if (s == own || s <= 0) continue
                if (s in rootOf) rootOf[s] = 0
                else rootOf[s] = root
            }
            do {
                before = count
                for (pid in parent) {
                    if (pid in of) continue
                    s = sessionOf[pid]
                    if (parent[pid] in of) join(pid, of[parent[pid]])
                    else if ((s in rootOf) && rootOf[s] > 0 && pid != s && pid != parent[rootOf[s]]) join(pid, rootOf[s])
                }
            } while (count > before)
            text = "known"
            for (root in first) if (of[root] != root) text = text " " root ":" root ":" first[root] ":" sessionOfRoot[root]
            for (i = 1; i <= count; i++) {
                pid = order[i]
                text = text " " of[pid] ":" pid ":" start[pid] ":" sessionOf[pid]
            }
            print text
            for (i = 1; i <= count; i++) groups(order[i], of[order[i]])
            for (i = 1; i <= count; i++) print "member", order[i], of[order[i]]
        }'
}

# Prints the first places of the stat file of each process that has used processor time and is no part of the run: neither
# watched, nor the program or this loop, nor started by one of them, nor of the kernel.
# $1: what is watched, a process and its root per line
others() {
    # Some forms of awk end when a process does while its file is read; cat goes on with the next.
    {
        printf '%s\n' "$1" -
        cat /proc/[0-9]*/stat 2>/dev/null
    } | awk -v program="$program" -v self="$$" '
        # Numbers that are given again while this reads may make a ring of parents.
        function ofTheRun(pid, steps) {
            for (; pid > 0 && steps < 1000; pid = parent[pid]) {
                if (pid == 2 || (pid in member)) return 1
                steps++
            }
            return 0
        }
        BEGIN {
            member[self] = 1
            if (program > 0) member[program] = 1
        }
        $0 == "-" {
            current = 1
            next
        }
        !current {
            member[$1] = 1
            next
        }
        {
            pid = $1
            rest = $0
            sub(/.*\) /, "", rest)
            split(rest, f, " ")
            parent[pid] = f[2]
            if (f[12] + f[13] + f[14] + f[15] > 0) {
                text[pid] = substr($0, 1, length($0) - length(rest) - 1)
                for (k = 1; k <= 20; k++) text[pid] = text[pid] " " f[k]
            }
        }
        END { for (pid in text) if (!ofTheRun(pid)) print text[pid] }'
}

turn=0
known=
before=
list=$1
program=$2
while :; do
    set -- /proc/uptime /proc/loadavg /proc/stat /proc/meminfo /proc/diskstats /proc/net/dev /proc/net/snmp \
        /proc/sys/fs/file-nr /proc/sys/fs/inode-nr /proc/sys/fs/dentry-state /proc/sys/kernel/pty/nr \
        /proc/pressure/cpu /proc/pressure/io /proc/pressure/memory
    trees=
    limits=
    threads=
    shared=
    roots=$(cat "$list" 2>/dev/null)
    if [ -n "$roots" ]; then
        processes=$(printf '%s\n' /proc/[0-9]*)
        # Some forms of awk end when a process does while its file is read: what is new is looked for again then.
        found=$(members "$roots" "$known" "$before" "$processes") && before=$processes
        while read -r word first second; do
            case $word in
            known) known="$first $second" ;;
            group)
                limits="$limits
$first $second"
                set -- "$@" "$second/cpu.stat" "$second/cpu.max" "$second/cpu.cfs_quota_us" "$second/cpu.cfs_period_us"
                ;;
            memory)
                limits="$limits
$first $second"
                set -- "$@" "$second/memory.current" "$second/memory.max" "$second/memory.usage_in_bytes" \
                    "$second/memory.limit_in_bytes"
                ;;
            member)
                trees="$trees
$first $second"
                set -- "$@" "/proc/$first/stat" "/proc/$first/status"
                threads="$threads /proc/$first/task/[0-9]*/status /proc/$first/task/[0-9]*/sched"
                threads="$threads /proc/$first/task/[0-9]*/schedstat"
                if [ "$first" != "$second" ]; then
                    case $shared in
                    *"/proc/$second/"*) shared="$shared /proc/$first/smaps_rollup" ;;
                    *) shared="$shared /proc/$second/smaps_rollup /proc/$first/smaps_rollup" ;;
                    esac
                fi
                ;;
            esac
        done <<EOF
$found
EOF
    fi
    echo "@ $(date +%s.%N)"
    [ -z "$trees" ] || echo "==> trees <==$trees"
    [ -z "$limits" ] || echo "==> limits <==$limits"
    head -n 1000000 "$@" 2>/dev/null
    # The threads of a process are many: their counters are read less often.
    if [ $((turn % 2)) -eq 0 ] && [ -n "$threads" ]; then
        echo "==> threads <=="
        # shellcheck disable=SC2086
        grep -HE 'ctxt_switches|nr_migrations|^[0-9]+ [0-9]+ [0-9]+$' $threads 2>/dev/null
    fi
    if [ $((turn % 2)) -eq 0 ] && [ -n "$whole" ]; then
        echo "==> others <=="
        others "$trees"
    fi
    # The kernel walks through all pages of a process for this one, so that it is read rarely, and only of processes that
    # may have pages in common.
    if [ $((turn % 5)) -eq 0 ] && [ -n "$shared" ]; then
        echo "==> shared <=="
        # shellcheck disable=SC2086
        grep -H '^Pss:' $shared 2>/dev/null
    fi
    echo "@end"
    turn=$((turn + 1))
    sleep 1
done
