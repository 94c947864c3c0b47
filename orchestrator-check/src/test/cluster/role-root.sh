#!/bin/sh
# Makes a small root file system out of this machine's own programs: a shell and its tools, a Java runtime, nginx if there
# is one, and writes it as a tar. SPDX-License-Identifier: Apache-2.0
#   role-root.sh <root.tar>
set -eu
tar=$1
root=$(mktemp -d)
# Of everybody: who is not root in a container must get to what is below.
chmod 755 "$root"
trap 'rm -rf "$root"' EXIT

# A program, or a library, and all libraries that it is linked with, at their own paths.
take() {
    for file in "$@"; do
        [ -e "$root$file" ] || { mkdir -p "$root$(dirname "$file")" && cp -L "$file" "$root$file"; }
        ldd "$file" 2>/dev/null | grep -o '/[^ ]*' | while read -r library; do
            [ -e "$root$library" ] || { mkdir -p "$root$(dirname "$library")" && cp -L "$library" "$root$library"; }
        done
    done
}

for name in awk basename cat chmod cp cut date df dirname du env false find flock getconf grep gzip head id ln ls mkdir \
    mktemp mv nproc printf readlink rm sed setsid sha256sum sleep sort stat tail tar taskset tee test timeout touch tr \
    true uname uniq wc xargs; do
    program=$(command -v "$name")
    case $program in
    /*) ;;
    *) program=/usr/bin/$name ;;
    esac
    take "$program"
done
take /bin/sh

java_home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
"$java_home/bin/jlink" --output "$root/opt/java" --no-man-pages --no-header-files --strip-debug --add-modules \
    java.se,jdk.charsets,jdk.crypto.ec,jdk.httpserver,jdk.jcmd,jdk.management,jdk.management.agent,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs
for file in "$root"/opt/java/bin/java "$root"/opt/java/lib/*.so "$root"/opt/java/lib/server/*.so; do
    ldd "$file" 2>/dev/null | grep -o '=> /[^ ]*' | cut -c 4- | while read -r library; do
        case $library in
        "$root"*) ;;
        *) take "$library" ;;
        esac
    done
done
mkdir -p "$root/usr/bin" "$root/tmp" "$root/etc" "$root/proc" "$root/sys" "$root/dev"
chmod 1777 "$root/tmp"
ln -s /opt/java/bin/java "$root/usr/bin/java"
ln -s /opt/java/bin/jcmd "$root/usr/bin/jcmd"
if nginx=$(command -v nginx); then take "$nginx"; fi
printf 'root:x:0:0:root:/:/bin/sh\ngatebench:x:10001:10001:gatebench:/gatebench:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\ngatebench:x:10001:\n' >"$root/etc/group"
cp /etc/os-release "$root/etc/os-release"
tar -C "$root" -cf "$tar" .
