#!/bin/sh
# Owns the order of work on the GPU machine, call by call (each call sends at most 64 MiB, the repository included). KIT: code, opus-src.tgz, mini/ (a few recordings), rooms/, phone/, start.pt,
# asked (epoch seconds at which the machine was asked for).
#   run-pages.sh begin KIT PART           build the Opus tool, take the first part, try every step on a few recordings, start making copies
#   run-pages.sh take PART                one more part: packs are decoded in the background
#   run-pages.sh train SECONDS            start phone copies, judge_pages.py and train_pages.py, which ends so many seconds after the asking
#   run-pages.sh found                    pairs of the packs named hunt-*
#   run-pages.sh until SECONDS | look | fetch TO MARK
set -e
root=${VX_ROOT:-/root/vx}
export PYTHONUNBUFFERED=1 OMP_NUM_THREADS=2
mkdir -p $root/packs $root/made $root/out $root/code
[ -f $root/mps ] && export CUDA_MPS_PIPE_DIRECTORY=/tmp/mps CUDA_MPS_LOG_DIRECTORY=/tmp/mps-log
asked() { cat $root/asked; }
go() { log=$root/out/$1.log; shift; (cd $root/code && setsid nohup "$@" > $log 2>&1 < /dev/null &) }
take() {
  for j in "$1"/*.json; do
    [ -f "$j" ] || continue
    base=$root/packs/$(basename "${j%.json}")
    mv "${j%.json}.pack" $base.pack; mv "$j" $base.json
    go decode-$(basename $base) nice -n 5 python3 bank.py $root/opus_tool $base.json
  done
}
try_out() {
  cd $root/code; m=$root/mini-run; mkdir -p $m/made $m/out
  python3 bank.py $root/opus_tool $root/mini/*.json
  python3 copies.py $root/mini $m/made $root/opus_tool --part dsp --small > $m/dsp.log 2>&1
  python3 judge_pages.py $root/mini $root/mini/places $m/bench small > $m/judge.log 2>&1
  python3 train_pages.py $root/mini $m/made $m/out --until $(($(date +%s) + 20)) --start $root/start.pt --rooms $root/rooms --bench $m/bench --batch 64 --block 2 --small --graph > $m/train.log 2>&1 && touch $m/graph-works
  tail -n 6 $m/*.log
}
case "$1" in
begin)
  mv "$2"/code/* $root/code/; mv "$2/mini" "$2/rooms" "$2/phone" $root/; mv "$2/start.pt" "$2/asked" $root/
  setsid nohup sh $root/phone/codecs/build.sh $root/codecs > $root/out/codecs.log 2>&1 < /dev/null &
  mkdir -p /tmp/mps /tmp/mps-log
  if CUDA_MPS_PIPE_DIRECTORY=/tmp/mps CUDA_MPS_LOG_DIRECTORY=/tmp/mps-log nvidia-cuda-mps-control -d; then
    sleep 1
    CUDA_MPS_PIPE_DIRECTORY=/tmp/mps timeout 60 python3 -c "import torch; x = torch.randn(512, 512, device='cuda'); print('mps works', float((x @ x).sum()) != 0)" && touch $root/mps
    [ -f $root/mps ] || echo quit | CUDA_MPS_PIPE_DIRECTORY=/tmp/mps nvidia-cuda-mps-control
  fi
  sh $root/code/build-opus.sh "$2/opus-src.tgz" $root/opus_tool
  take "$3"
  go try sh $root/code/run-pages.sh try
  sh $root/code/run-pages.sh copies 560
  ls $root $root/packs; nvidia-smi | grep -E 'MiB|Driver'; echo "since the asking: $(($(date +%s) - $(asked))) s" ;;
try) try_out ;;
take) take "$2"; ls $root/packs | grep raw | tr '\n' ' '; cat $root/out/decode-*.log; tail -n 3 $root/out/try.log $root/out/copies-*.log; echo "since the asking: $(($(date +%s) - $(asked))) s" ;;
copies)  # as soon as the first corpus is decoded
  go copies-dsp python3 copies.py $root/packs $root/made $root/opus_tool --part dsp --wait librispeech.raw
  for f in frame-istft,short-istft,snake upsample,source-istft,codec tokens,nearest,flow; do
    go copies-$(echo $f | cut -c1-2) python3 copies.py $root/packs $root/made $root/opus_tool --part $(echo $f | cut -c1-2) --families $f --seconds "$2" --wait librispeech.raw
  done ;;
phone)  # one pack after the other, those that matter most first; then what is judged can be cut
  while [ ! -f $root/codecs/opus.so ] || [ ! -f $root/packs/places.raw ]; do sleep 1; done
  cd $root/code
  for p in attacks-train calls-dev judge-voxforge judge-cvdev judge piper-vits mimic3 librispeech; do
    if [ $p = judge ]; then nice -n 5 python3 judge_pages.py $root/packs $root/packs/places $root/bench || echo "nothing to judge on"; continue; fi
    n=0; while [ ! -f $root/packs/$p.raw ] && [ $n -lt 200 ]; do sleep 1; n=$((n + 1)); done
    nice -n 10 python3 phone_pack.py $root/phone $root/codecs $root/packs/places $root/rooms $root/packs/$p.json || echo "no telephone version of $p"
  done ;;
train)
  go phone sh $root/code/run-pages.sh phone
  go train sh $root/code/run-pages.sh train-one $(($(asked) + $2))
  go trees sh $root/code/run-pages.sh trees ;;
train-one)
  set -- "$2" $root/packs $root/made $root/out --rooms $root/rooms --bench $root/bench --start $root/start.pt --wait attacks-train.alt.raw,librispeech.alt.raw,commonvoice-0.alt.raw
  until=$1; shift
  cd $root/code
  python3 train_pages.py "$@" --until $until --graph || python3 train_pages.py "$@" --until $until ;;
found) go found nice -n 5 python3 found_copies.py $root/packs $root/made $root/opus_tool $root/packs/hunt-*.json; sleep 2; cat $root/out/found.log ;;
trees)  # once the first moment of training has left its statistics
  while [ ! -f $root/out/statistics.npz ]; do sleep 2; done
  cd $root/code; nice -n 10 python3 trees.py $root/out/statistics.npz $root/bench $root/out ;;
until) while [ $(($(date +%s) - $(asked))) -lt "$2" ]; do sleep 1; done ;;
look) for l in train trees found phone copies-dsp copies-fr copies-up copies-to; do echo "== $l"; tail -n "${2:-4}" $root/out/$l.log; done; ls $root/made; nvidia-smi | grep MiB; uptime; echo "since the asking: $(($(date +%s) - $(asked))) s" ;;
fetch) for c in all ${4:-}; do cp $root/out/pages-"$3"-$c.pt "$2"/ || true; done; cp $root/out/scores-"$3".npz $root/out/scores-index.json "$2"/ || true
  [ "$3" = 100 ] && cp $root/out/trees-all.npz $root/out/trees-scores.npz "$2"/ || true
  tar czf "$2/logs.tgz" -C $root/out $(cd $root/out && ls ./*.log); ls -la "$2"; tail -n 40 $root/out/train.log ;;
esac
