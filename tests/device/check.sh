#!/bin/sh
# The check on a machine with an NVIDIA GPU, at most 8 minutes, without a network and without an MPI installed there.
#   tests/device/check.sh --bundle DIR    here: a folder of everything it needs (build/release, or BUILD=…), at most 60 MiB
#   DIR/check.sh [REPORT-DIR]             there: runs it; report.json and PNG timelines go to REPORT-DIR (default ./report)
#   tests/device/check.sh [REPORT-DIR]    the same from a built tree
# Exit status: 0 everything was as promised, 1 something was not, or no time was left for it (report.json says which), 2 no GPU.
# It needs a C library as new as the one here. NCCL and cuBLAS are too large for the folder: there they are taken from the machine.
# P2PLAB_CHECK_SECONDS (default 460) bounds all of it; what no time is left for is reported as not run.
set -u
here=$(cd "$(dirname "$0")" && pwd -P)

bundle() {
  top=$(cd "$here/../.." && pwd -P)
  built=${BUILD:-$top/build/release}
  out=$1
  [ -f "$built/lib/p2plab/libp2plab-cuda.so" ] || { echo "there is no libp2plab-cuda.so in $built: build with the CUDA Toolkit first" >&2; exit 2; }
  rm -rf "$out" && mkdir -p "$out/bin" "$out/lib/p2plab" "$out/share/p2plab" "$out/libs" "$out/mpich"
  cp "$built/bin/p2plab" "$out/bin/" || exit 2
  cp "$built"/lib/p2plab/* "$out/lib/p2plab/"
  rm -f "$out"/lib/p2plab/*probe* "$out"/lib/p2plab/*access*
  cp -rL "$built/share/p2plab/assets" "$out/share/p2plab/"
  rm -f "$out"/share/p2plab/assets/*.png
  for demo in "$top"/demos/*/demo.toml; do
    name=$(basename "$(dirname "$demo")")
    mkdir -p "$out/share/p2plab/demos/$name" && cp "$top/demos/$name"/* "$out/share/p2plab/demos/$name/"
  done
  for tool in mpiexec.hydra hydra_pmi_proxy; do
    cp -L "$(command -v $tool)" "$out/mpich/" || { echo "MPICH's $tool is not here" >&2; exit 2; }
  done
  # Every library they load, but for the C library's own and NVIDIA's large ones.
  for file in "$out"/bin/* "$out"/lib/p2plab/* "$out"/mpich/*; do ldd "$file" 2>/dev/null; done | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
    grep -vE '/(libp2plab[^/]*|libc|libm|libdl|libpthread|librt|ld-linux[^/]*|libresolv|libnccl|libcublas[^/]*|libcuda)\.so' |
    while read -r library; do cp -L "$library" "$out/libs/"; done
  strip -g "$out"/bin/* "$out"/lib/p2plab/* "$out"/libs/*.so* 2>/dev/null
  gzip -9 "$out"/libs/libmpich.so.*  # two thirds of everything; unpacked there
  cp "$here/check.sh" "$out/"
  size=$(du -sm "$out" | cut -f1)
  echo "$out: $size MiB"
  [ "$size" -le 60 ] || { echo "more than 60 MiB" >&2; exit 1; }
}

if [ "${1:-}" = --bundle ]; then bundle "${2:?a folder}"; exit; fi

report=${1:-report}
mkdir -p "$report" && report=$(cd "$report" && pwd -P)
if [ -d "$here/mpich" ]; then
  root=$here
  gunzip -f "$root"/libs/*.gz 2>/dev/null
  export P2PLAB_PREFIX="$root" P2PLAB_MPIEXEC="$root/mpich/mpiexec.hydra" PATH="$root/mpich:$PATH"
  export LD_LIBRARY_PATH="$root/libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
else
  root=${BUILD:-$(cd "$here/../.." && pwd -P)/build/release}
  P2PLAB_MPIEXEC=$(command -v mpiexec.mpich) && export P2PLAB_MPIEXEC
fi
for folder in /usr/local/cuda/lib64 /usr/local/cuda/lib; do
  [ ! -d $folder ] || export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder"
done
lab=$root/bin/p2plab
end=$(($(date +%s) + ${P2PLAB_CHECK_SECONDS:-460}))
lines=$report/lines failed=
late=
: >"$lines"

# step NAME SECONDS COMMAND…: its last line of JSON, or why there is none, becomes one entry of the report.
step() {
  name=$1 limit=$2
  shift 2
  left=$((end - $(date +%s)))
  cut=
  [ $limit -le $left ] || { limit=$left && cut=yes; }
  if [ $limit -le 0 ]; then
    late="$late${late:+, }\"$name\""
    echo "\"$name\": {\"status\": \"not run\", \"why\": \"no time left\"}" >>"$lines"
    return
  fi
  timeout -k 5 "$limit" "$@" >"$report/$name.out" 2>"$report/$name.err"
  status=$?
  json=$(cat "$report/$name.json" 2>/dev/null || grep '^{' "$report/$name.out" | tail -1) json=$(echo "$json" | tr -d '\n')
  why=$(tail -c 300 "$report/$name.err" | tr '\n"\\' "  /")
  echo "\"$name\": {\"status\": $status, \"result\": ${json:-null}, \"said\": \"$why\"}" >>"$lines"
  if [ $status -eq 124 ] && [ -n "$cut" ]; then
    late="$late${late:+, }\"$name\""
  elif [ $status -ne 0 ]; then
    failed="$failed${failed:+, }\"$name\""
  fi
  echo "$name: status $status"
}
not_run() { echo "\"$1\": {\"status\": \"not run\", \"why\": \"$2\"}" >>"$lines"; echo "$1: not run, $2"; }

timeout -k 5 30 "$root/lib/p2plab/p2plab-gpu-info" >"$report/gpu.out" 2>"$report/gpu.err"
gpus=$(grep -o '"name":' "$report/gpu.out" | wc -l)
if [ "$gpus" -eq 0 ]; then
  why=$(sed -n 's/.*"error":\([0-9]*\),"why":"\([^"]*\)".*/\2 (cudaGetDeviceCount \1)/p' "$report/gpu.out")
  echo "No GPU can be used here: ${why:-$(tail -n 1 "$report/gpu.err")}." >&2
  rm -f "$lines"
  exit 2
fi
step gpu 30 "$root/lib/p2plab/p2plab-gpu-info"
step measure 60 "$root/lib/p2plab/p2plab-gpu-measure"
demo() {  # demo BACKEND DEMO OPTIONS…
  backend=$1 which=$2
  shift 2
  name=$backend-$which
  for word; do case $word in variant=* | communication=* | transport=*) name=$name-${word#*=} ;; --strict) name=$name-strict ;; real) name=$name-real ;; esac; done
  step "$name" 40 "$lab" run "$which" --backend "$backend" --timeout 30 --png "$report/$name.png" --json "$report/$name.json" "$@"
}
backends=cuda
if [ "$gpus" -ge 2 ]; then backends="cuda nccl"; else not_run nccl-demos "they need 2 GPUs, this machine has $gpus"; fi
for backend in $backends; do
  for variant in unfused grouped ordered; do
    demo $backend deadlock --ranks 2 --set variant=$variant
    demo $backend deadlock --ranks 2 --set variant=$variant --strict
  done
  for variant in unsafe freed early-read early-reuse wait-first clone double-buffer; do demo $backend corruption --set variant=$variant; done
  for communication in overlapped blocking blocking-unfused; do demo $backend pipeline --ranks 2 --set communication=$communication; done
  demo $backend pipeline --ranks 2 --compute real
  for variant in ping-pong window both-ways late-receiver; do
    demo $backend latency-bandwidth --set variant=$variant --set max_bytes=16M --set iterations=20
  done
  for variant in all-reduce chain pairs; do demo $backend straggler --ranks 2 --set variant=$variant; done
  demo $backend p2p-vs-collective --ranks 2 --set max_bytes=1M
  for variant in two-ranks two-ranks-tagged two-ranks-ordered order tags any; do demo $backend matching --set variant=$variant; done
  for variant in ring star moe; do demo $backend topology --ranks 2 --set variant=$variant; done
  demo $backend overlap --set bytes=4M --set iterations=3
  demo $backend tensor-parallel --ranks 2 --set max_tokens=256
  demo $backend tensor-parallel --ranks 2 --set variant=forgotten
  for transport in bcast2 allreduce; do demo $backend pipeline --ranks 2 --set transport=$transport; done
  demo $backend why-not-allreduce --ranks 2 --set microbatches=4
  demo $backend schedules --ranks 2 --set microbatches=4
  demo $backend moe --ranks 2
done
step bench-gpu 30 "$lab" bench gpu --seconds 5 --json "$report/bench-gpu.json"
step bench-nccl 60 "$lab" bench nccl --json "$report/bench-nccl.json"  # on one GPU a rank that sends to itself
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
# Not every machine lets it start (a container without the debugger's rights, another driver): that says nothing of the lab.
if [ -n "$sanitizer" ] && ! timeout -k 5 20 "$sanitizer" --tool memcheck "$root/lib/p2plab/p2plab-gpu-info" >"$report/sanitizer.out" 2>&1; then
  not_run compute-sanitizer "it cannot start here: $(tail -n 1 "$report/sanitizer.out" | tr '"\\' "/")"
elif [ -n "$sanitizer" ]; then
  # Demos with kernels, without a race of streams. racecheck looks at shared memory only, which no kernel here uses: that it is
  # silent says nothing of races between streams, which ThreadSanitizer looks for on the stand-in.
  for tool in memcheck racecheck; do
    step $tool-pipeline 60 "$P2PLAB_MPIEXEC" -n 2 "$sanitizer" --tool $tool --error-exitcode 9 "$root/lib/p2plab/demo-pipeline" --backend cuda --set microbatches=2
    step $tool-corruption 60 "$P2PLAB_MPIEXEC" -n 2 "$sanitizer" --tool $tool --error-exitcode 9 "$root/lib/p2plab/demo-corruption" --backend cuda --set variant=wait-first
  done
else
  not_run compute-sanitizer "it is not on this machine"
fi

verdict=pass
[ -z "$late" ] || verdict=not-run
[ -z "$failed" ] || verdict=fail
{
  printf '{"schema": "p2plab.device/1", "date": "%s", "host": "%s", "gpus": %s,\n' "$(date -u +%Y-%m-%dT%H:%MZ)" "$(uname -r)" "$gpus"
  printf '"verdict": "%s", "not_as_promised": [%s], "no_time_left": [%s],\n' "$verdict" "$failed" "$late"
  sed '$!s/$/,/' "$lines"
  echo '}'
} >"$report/report.json"
rm -f "$lines"
echo "$report/report.json: $verdict"
[ $verdict = pass ]
