#!/usr/bin/env bash
# A study on a real Slurm, started for the purpose on this machine: one controller, four nodes. A node is killed in
# the middle, and a simulation while it writes; the merged rows must be those of an undisturbed run.
#   tests/cluster/slurm.sh SMSIM
# Exit code 77 (skipped) where Slurm or munge is missing or cannot start. Needs root.
set -euo pipefail
smsim=$(realpath "${1:?usage: slurm.sh SMSIM}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
script=$here/../../configs/sweeps/sweep.sbatch
nodes=4

skip() { echo "skipped: $*"; exit 77; }
for program in slurmctld slurmd sbatch squeue munged mungekey; do
  command -v "$program" >/dev/null || skip "no $program"
done
[ "$(id -u)" -eq 0 ] || skip "not root"

work=$(mktemp -d)
chmod 755 "$work"
export SLURM_CONF=$work/slurm.conf SMSIM=$smsim
stop() {
  set +e
  pkill -9 -f "$work" 2>/dev/null
  rm -rf "$work"
}
trap stop EXIT

port=$((20000 + RANDOM % 20000))
mkdir -p "$work/munge" "$work/state"
chmod 700 "$work/munge"
mungekey --create --keyfile "$work/munge/key" 2>/dev/null || skip "no munge key"
munged --force --key-file "$work/munge/key" --socket "$work/munge/socket" --pid-file "$work/munge/pid" \
  --log-file "$work/munge/log" --seed-file "$work/munge/seed" || skip "munged does not start"
chmod 755 "$work/munge"
cat >"$SLURM_CONF" <<CONF
ClusterName=smsim
SlurmctldHost=$(hostname -s)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
ReturnToService=2
SlurmdTimeout=5
SlurmctldPort=$port
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd-%n.log
SchedulerParameters=batch_sched_delay=0,sched_interval=1
NodeName=n[0-$((nodes - 1))] NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + nodes))] CPUs=1 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES State=UP
CONF
start_node() { mkdir -p "$work/spool-n$1" && slurmd -N "n$1" -f "$SLURM_CONF"; }
slurmctld -f "$SLURM_CONF" || skip "slurmctld does not start"
for ((i = 0; i < nodes; i++)); do start_node "$i" || skip "slurmd does not start"; done
for _ in $(seq 30); do
  [ "$(sinfo -h -t idle -o %D 2>/dev/null || true)" = "$nodes" ] && break
  sleep 1
done
[ "$(sinfo -h -t idle -o %D 2>/dev/null || true)" = "$nodes" ] || skip "the nodes do not come up"

cat >"$work/study.yaml" <<'STUDY'
kernel: saxpy
axes:
  params.n: {from: 131072, to: 4194304, times: 2}
  params.block: [64, 128, 256, 512]
  launch.smem_dynamic: [0, 50000, 100000, 300000]
  scheduler: [gob, lrr]
STUDY
cd "$work"
"$smsim" sweep study.yaml --db whole.db >/dev/null
job=$(sbatch --parsable --array=0-$((nodes - 1)) --output="$work/task-%a.txt" "$script" "$work/study.yaml" "$work/out")

running() { pgrep -f "^$smsim sweep $work/study.yaml .*--db $work/out/shard-$1.db" || true; }
for _ in $(seq 60); do
  [ -n "$(running 1)" ] && [ -n "$(running 2)" ] && [ -s "$work/out/shard-1.db" ] && break
  sleep 0.2
done
sleep 1
echo "killing task 1's node, and task 2's simulation"
node=$(squeue -h -j "${job}_1" -o %N)
[ -n "$node" ] || { echo "FAILED: task 1 was done too soon"; exit 1; }
parent() { ps -o ppid= -p "$1" | tr -d ' '; }
simulation=$(running 1)
shell=$(parent "$simulation")
kill -9 "$(cat "$work/slurmd-$node.pid")" "$(parent "$shell")" "$shell" "$simulation"
kill -9 $(running 2)
sleep 8 # until the controller has noticed
start_node "${node#n}"

for _ in $(seq 120); do
  [ -z "$(squeue -h -j "$job" 2>/dev/null || true)" ] && break
  # Slurm lets a task wait two minutes before it starts it again.
  scontrol update JobId="$job" StartTime=now 2>/dev/null || true
  sleep 1
done
[ -z "$(squeue -h -j "$job" 2>/dev/null || true)" ] || { squeue; echo "FAILED: tasks do not end"; exit 1; }
"$smsim" sweep --merge all.db out/shard-*.db >merged.txt
"$smsim" sweep study.yaml --db whole.db --csv >whole.csv
"$smsim" sweep study.yaml --db all.db --csv >all.csv
grep 'rows added' merged.txt
cmp whole.csv all.csv || { echo "FAILED: the merged rows differ"; exit 1; }
echo "passed: $(($(wc -l <all.csv) - 1)) rows, the same as of one undisturbed run"
