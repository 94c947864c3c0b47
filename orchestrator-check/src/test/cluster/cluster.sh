#!/usr/bin/env bash
# A Kubernetes cluster on this machine, for tests, of one node or more: etcd, API server, controller manager, scheduler, kubelet,
# containerd with runc, a bridge for pods. No kube-proxy and no DNS: pods are reached by their addresses.
# Needs root, Go, gcc, openssl, and etcd, containerd, runc, podman, iptables, kubectl and the CNI plug-ins of Debian's
# packages etcd-server, containerd, runc, podman, iptables, kubernetes-client and containernetworking-plugins.
# SPDX-License-Identifier: Apache-2.0
#
#   cluster.sh check               says what is missing and fails, or that nothing is
#   cluster.sh up                  builds Kubernetes once (minutes of processor time), starts everything, waits until it is ready
#   cluster.sh node NUMBER         adds a node, from 2 on: kubelet and containerd in a network namespace of their own; waits
#                                  until pods are made on it
#   cluster.sh image NAME TAR      gives the nodes an image made of a root file system
#   cluster.sh kubectl ARGUMENTS   kubectl as administrator; cluster.sh kubeconfig prints the file for it
#   cluster.sh audit               prints what was asked of the API server, as JSON lines
#   cluster.sh stop | start NAME   stops or starts one part, e.g. kube-apiserver
#   cluster.sh down                stops and removes all but what was built
#
# GATEBENCH_CLUSTER: where binaries and state are, ~/.cache/gatebench-cluster by default.
set -eu
home=${GATEBENCH_CLUSTER:-${XDG_CACHE_HOME:-$HOME/.cache}/gatebench-cluster}
version=1.33.4
bin=$home/bin
run=$home/run
api=${GATEBENCH_CLUSTER_PORT:-26443}
bridge=gbtest0
subnet=10.245.0
config=$run/admin.kubeconfig
settings="vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes net/ipv4/ip_forward"

fail() {
    echo "cluster: $*" >&2
    exit 1
}

check() {
    missing=
    for tool in etcd containerd runc podman iptables kubectl go gcc openssl ip setsid; do
        command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
    done
    [ -x /usr/lib/cni/bridge ] || missing="$missing /usr/lib/cni/bridge"
    [ "$(id -u)" = 0 ] || missing="$missing root"
    [ -z "$missing" ] || fail "missing:$missing"
}

# The commands are libraries, each with a main of three lines: so their module's pinned versions are taken as they are.
build() {
    [ -x "$bin/kubelet" ] && return
    echo "cluster: building Kubernetes $version" >&2
    mkdir -p "$bin" "$home/build"
    cd "$home/build"
    staging=v0.${version#1.}
    file=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)",/\1/p')
    {
        printf 'module cluster\n\ngo 1.24.0\n\nrequire (\n\tk8s.io/component-base %s\n\tk8s.io/kubernetes v%s\n)\n\nreplace (\n' "$staging" "$version"
        awk -v v="$staging" '$2 == "=>" && $3 ~ /^\.\/staging/ { print "\t" $1 " => " $1 " " v }' "$file"
        echo ')'
    } >go.mod
    for entry in kube-apiserver:NewAPIServerCommand kube-controller-manager:NewControllerManagerCommand \
        kube-scheduler:NewSchedulerCommand kubelet:NewKubeletCommand; do
        part=${entry%%:*}
        mkdir -p "$part"
        cat >"$part/main.go" <<GO
package main

import (
	"os"

	"k8s.io/component-base/cli"
	command "k8s.io/kubernetes/cmd/$part/app"
)

func main() { os.Exit(cli.Run(command.${entry#*:}())) }
GO
    done
    go mod tidy >/dev/null 2>&1
    for part in kube-apiserver kube-controller-manager kube-scheduler kubelet; do
        go build -ldflags '-s -w' -o "$bin/$part" "./$part"
    done
}

launch() {
    part=$1
    shift
    printf '%s\n' "$@" >"$run/$part.command"
    start "$part"
}

start() {
    mapfile -t words <"$run/$1.command"
    setsid "${words[@]}" >>"$run/$1.log" 2>&1 </dev/null &
    echo $! >"$run/$1.pid"
}

stop() {
    [ -s "$run/$1.pid" ] || return 0
    pid=$(cat "$run/$1.pid")
    rm -f "$run/$1.pid"
    kill "$pid" 2>/dev/null || return 0
    for _ in $(seq 50); do
        kill -0 "$pid" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null || true
}

await() { # part, command ...: until it succeeds
    part=$1
    shift
    for _ in $(seq 600); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.5
    done
    # The log goes with the cluster.
    tail -n 20 "$run/$part.log" >&2
    fail "$part did not do its work"
}

certificates() {
    openssl genrsa -out accounts.key 2048 2>/dev/null
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=clients -keyout clients.key -out clients.crt 2>/dev/null
    openssl req -newkey rsa:2048 -nodes -subj /O=system:masters/CN=apiserver -keyout apiserver-client.key -out request 2>/dev/null
    openssl x509 -req -in request -CA clients.crt -CAkey clients.key -CAcreateserial -days 30 -out apiserver-client.crt 2>/dev/null
}

files() {
    token=$(openssl rand -hex 16)
    echo "$token,admin,1,\"system:masters\"" >tokens.csv
    cat >"$config" <<Y
apiVersion: v1
kind: Config
current-context: test
clusters: [{name: test, cluster: {server: "https://$subnet.1:$api", certificate-authority: $run/apiserver/apiserver.crt}}]
users: [{name: admin, user: {token: $token}}]
contexts: [{name: test, context: {cluster: test, user: admin}}]
Y
    chmod 600 tokens.csv "$config"
    printf 'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: Metadata}]\n' >audit.yaml
    cat >pause.c <<'C'
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void finish(int number) { (void) number; _exit(0); }
static void reap(int number) { (void) number; while (waitpid(-1, NULL, WNOHANG) > 0) { } }
int main(void) {
    signal(SIGTERM, finish);
    signal(SIGINT, finish);
    signal(SIGCHLD, reap);
    while (1) pause();
}
C
    mkdir -p pause
    gcc -static -O2 -o pause/pause pause.c
    tar -C pause -cf pause.tar pause
}

# What containerd and kubelet of a node read. Nodes have the addresses $subnet.1, .2 ..., and their pods those of a network.
node_files() { # suffix of its files, address of the node, bridge of its pods, their network, first address
    mkdir -p "cni$1"
    cat >"cni$1/10-test.conflist" <<J
{"cniVersion": "0.4.0", "name": "test$1", "plugins": [
 {"type": "bridge", "bridge": "$3", "isGateway": true, "hairpinMode": true,
  "ipam": {"type": "host-local", "dataDir": "$run/addresses", "routes": [{"dst": "0.0.0.0/0"}],
   "ranges": [[{"subnet": "$4.0/24", "rangeStart": "$4.$5", "gateway": "$4.1"}]]}},
 {"type": "loopback"}]}
J
    # Where processes may not lower their out-of-memory score, containerd must not try to.
    cat >"containerd$1.toml" <<T
version = 2
root = "$run/containerd$1"
state = "$run/containerd-state$1"
[grpc]
  address = "$run/containerd$1.sock"
[ttrpc]
  address = "$run/containerd$1.sock.ttrpc"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "native"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$run/cni$1"
T
    cat >"kubelet$1.yaml" <<Y
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $2
port: $((api + 5))
healthzPort: 0
cgroupDriver: cgroupfs
cgroupRoot: ${1:+/gbtest}${1:-/}
failSwapOn: false
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: "$run/clients.crt"}}
authorization: {mode: Webhook}
containerRuntimeEndpoint: "unix://$run/containerd$1.sock"
localStorageCapacityIsolation: false
enforceNodeAllocatable: []
Y
}

kubelet() { # suffix, address, prefix of the command ...
    suffix=$1
    address=$2
    shift 2
    launch "kubelet$suffix" "$@" "$bin/kubelet" --kubeconfig "$config" --config "$run/kubelet$suffix.yaml" \
        --hostname-override "test-node$suffix" --node-ip "$address" --root-dir "$run/kubelet$suffix" \
        --cert-dir "$run/kubelet-certificates$suffix"
    await "kubelet$suffix" sh -c "kubectl --kubeconfig '$config' get node test-node$suffix | grep -q ' Ready'"
    # The kubelet has set these for the whole machine, other programs on which rest on what was there.
    kernel
    ready "$suffix"
}

# That a node says it is ready tells nothing of those who make pods and choose nodes for them: they must have made one on each.
ready() { # suffix of the node
    cat >ready.yaml <<Y
apiVersion: v1
kind: Namespace
metadata: {name: ready}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: ready, namespace: ready}
spec:
  selector: {matchLabels: {app: ready}}
  template:
    metadata: {labels: {app: ready}}
    spec:
      terminationGracePeriodSeconds: 0
      containers: [{name: pause, image: "localhost/pause:1", imagePullPolicy: Never}]
Y
    await kube-controller-manager kubectl --kubeconfig "$config" apply -f ready.yaml
    await kube-controller-manager kubectl --kubeconfig "$config" -n ready get serviceaccount default
    await kube-scheduler made "spec.nodeName=test-node$1"
    await "kubelet$1" made "spec.nodeName=test-node$1,status.phase=Running"
    await kube-controller-manager kubectl --kubeconfig "$config" delete namespace ready --ignore-not-found --timeout=1s
}

made() { # selector of fields
    [ -n "$(kubectl --kubeconfig "$config" -n ready get pods -o name --field-selector "$1")" ]
}

# Processes and files are those of the machine; network, control groups, images and containers are the node's own.
node() {
    case ${1:-} in [2-9]) ;; *) fail "a node has a number from 2 to 9 but was '${1:-}'" ;; esac
    [ -s "$config" ] || fail "the cluster is not up"
    cd "$run"
    space=$bridge-$1
    node_files "-$1" "$subnet.$1" gbpods0 "${subnet%.*}.$((${subnet##*.} + $1))" 2
    ip netns add "$space"
    ip link add "gbtest$1" type veth peer name eth0 netns "$space"
    ip link set "gbtest$1" master "$bridge" up
    ip -n "$space" link set lo up
    ip -n "$space" address add "$subnet.$1/24" dev eth0
    ip -n "$space" link set eth0 up
    ip -n "$space" route add default via "$subnet.1"
    ip netns exec "$space" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'
    echo 1 >/proc/sys/net/ipv4/ip_forward
    ip route add "${subnet%.*}.$((${subnet##*.} + $1)).0/24" via "$subnet.$1"
    for parent in /sys/fs/cgroup /sys/fs/cgroup/*; do
        [ -e "$parent/cgroup.procs" ] || continue
        mkdir -p "$parent/gbtest-$1"
        for name in cpuset.cpus cpuset.mems; do
            [ ! -e "$parent/tasks" ] || [ ! -e "$parent/$name" ] || cat "$parent/$name" >"$parent/gbtest-$1/$name"
        done
    done
    launch "containerd-$1" nsenter "--net=/run/netns/$space" containerd -c "$run/containerd-$1.toml"
    await "containerd-$1" ctr -a "$run/containerd-$1.sock" version
    for archive in "$run"/images/*.tar; do ctr -a "$run/containerd-$1.sock" -n k8s.io images import "$archive" >/dev/null; done
    kubelet "-$1" "$subnet.$1" nsenter "--net=/run/netns/$space"
}

up() {
    check
    [ ! -e "$config" ] || fail "it is up already, or was not taken down"
    build
    mkdir -p "$run/apiserver"
    cd "$run"
    for name in $settings; do
        [ ! -r "/proc/sys/$name" ] || echo "$name $(cat "/proc/sys/$name")" >>kernel-settings
    done
    certificates
    files
    node_files '' "$subnet.1" "$bridge" "$subnet" 20
    ip link add "$bridge" type bridge
    ip address add "$subnet.1/24" dev "$bridge"
    ip link set "$bridge" up
    launch etcd etcd --data-dir "$run/etcd" --listen-client-urls "http://127.0.0.1:$((api + 1))" \
        --advertise-client-urls "http://127.0.0.1:$((api + 1))" --listen-peer-urls "http://127.0.0.1:$((api + 2))"
    launch kube-apiserver "$bin/kube-apiserver" --etcd-servers="http://127.0.0.1:$((api + 1))" --secure-port="$api" \
        --bind-address="$subnet.1" --cert-dir="$run/apiserver" --token-auth-file="$run/tokens.csv" --authorization-mode=RBAC \
        --service-cluster-ip-range=10.97.0.0/24 --service-account-key-file="$run/accounts.key" \
        --service-account-signing-key-file="$run/accounts.key" --service-account-issuer=https://test \
        --client-ca-file="$run/clients.crt" --kubelet-client-certificate="$run/apiserver-client.crt" \
        --kubelet-client-key="$run/apiserver-client.key" --kubelet-preferred-address-types=InternalIP \
        --audit-policy-file="$run/audit.yaml" --audit-log-path="$run/audit.log"
    launch containerd containerd -c "$run/containerd.toml"
    await kube-apiserver kubectl --kubeconfig "$config" get namespace default
    image localhost/pause:1 pause.tar '["/pause"]'
    launch kube-controller-manager "$bin/kube-controller-manager" --kubeconfig "$config" \
        --service-account-private-key-file="$run/accounts.key" --leader-elect=false --bind-address=127.0.0.1 \
        --secure-port="$((api + 3))" --use-service-account-credentials=false
    launch kube-scheduler "$bin/kube-scheduler" --kubeconfig "$config" --leader-elect=false --bind-address=127.0.0.1 \
        --secure-port="$((api + 4))"
    kubelet '' "$subnet.1"
    await kube-controller-manager kubectl --kubeconfig "$config" get serviceaccount default
}

kernel() {
    [ -s "$run/kernel-settings" ] || return 0
    while read -r name value; do
        [ "$name" = net/ipv4/ip_forward ] && [ "${1:-}" != all ] || echo "$value" >"/proc/sys/$name" 2>/dev/null || true
    done <"$run/kernel-settings"
}

image() {
    place=$(mktemp -d)
    set -- "$1" "$2" "${3:-}"
    podman --storage-driver=vfs --root "$place/root" --runroot "$place/run" import \
        ${3:+--change "ENTRYPOINT $3"} "$2" "$1" >/dev/null 2>&1
    podman --storage-driver=vfs --root "$place/root" --runroot "$place/run" save --format docker-archive \
        -o "$place/image.tar" "$1" >/dev/null 2>&1
    mkdir -p "$run/images"
    kept=$run/images/$(echo "$1" | tr -c 'a-z0-9\n' -).tar
    mv "$place/image.tar" "$kept"
    rm -rf "$place"
    for each in "$run"/containerd*.sock; do ctr -a "$each" -n k8s.io images import "$kept" >/dev/null; done
}

down() {
    [ -d "$run" ] || return 0
    cd "$run"
    if [ -s "$config" ]; then
        # Pods that the kubelet does not remove would leave their networks behind.
        timeout 60 kubectl --kubeconfig "$config" delete jobs,deployments,daemonsets --all --all-namespaces >/dev/null 2>&1 || true
        timeout 60 kubectl --kubeconfig "$config" delete pods --all --all-namespaces --grace-period=1 >/dev/null 2>&1 || true
    fi
    for part in kubelet*.pid kube-scheduler kube-controller-manager kube-apiserver; do stop "${part%.pid}"; done
    for each in "$run"/containerd*.sock; do
        for task in $(ctr -a "$each" -n k8s.io tasks ls -q 2>/dev/null); do
            ctr -a "$each" -n k8s.io tasks kill -s 9 "$task" >/dev/null 2>&1 || true
        done
    done
    sleep 1
    for part in containerd*.pid etcd; do stop "${part%.pid}"; done
    awk -v under="$run/" 'index($2, under) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r -n 1 umount -l
    for space in $(ip netns list | sed -n "s/^\($bridge-[2-9]\).*/\1/p"); do ip netns del "$space"; done
    ip link del "$bridge" 2>/dev/null || true
    find /sys/fs/cgroup -depth -path '*/gbtest-[2-9]*' -type d -exec rmdir {} + 2>/dev/null || true
    kernel all
    cd /
    # A shim that ends late may still write.
    rm -rf "$run" 2>/dev/null || { sleep 1 && rm -rf "$run"; }
}

verb=${1:-}
[ $# = 0 ] || shift
case $verb in
check | up | down) "$verb" ;;
image | node) "$verb" "$@" ;;
kubeconfig) echo "$config" ;;
kubectl) exec kubectl --kubeconfig "$config" "$@" ;;
audit) cat "$run/audit.log" ;;
stop) stop "$1" ;;
start) start "$1" ;;
*)
    sed -n '2,/^set/{/^# \{0,1\}/s///p}' "$0"
    exit 2
    ;;
esac
