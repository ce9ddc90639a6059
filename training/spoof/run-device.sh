#!/bin/sh
# Owns the order of work on the GPU machine. Data travels in two parts because one call takes at most 64 MiB.
#   run-device.sh prepare PART_A    build the Opus tool, move part A out of the checkout, try every step on a few files
#   run-device.sh data PART_B       move part B, decode everything, make the second Opus version
#   run-device.sh train SECONDS     start making attacks and training side by side, in the background; results in /root/voxgate-spoof/out
#   run-device.sh fetch TO          copy what is there now
set -e
here=$(cd "$(dirname "$0")" && pwd)
root=/root/voxgate-spoof
export PYTHONUNBUFFERED=1 OMP_NUM_THREADS=4
mkdir -p $root/data $root/made $root/out $root/code
case "$1" in
prepare)
  sh "$here/build-opus.sh" "$2/opus-src.tgz" $root/opus_tool
  cp "$here"/*.py "$here"/run-device.sh $root/code/
  rm -rf $root/mini && mv "$2/mini" $root/mini
  mv "$2"/*.pack "$2"/*.json $root/data/
  cd $root/code
  m=$root/mini-made; rm -rf $m; mkdir -p $m
  python3 store.py $root/mini $root/opus_tool
  timeout 100 python3 vocode.py $root/mini $m $root/opus_tool --part fixed --small
  timeout 100 python3 vocode.py $root/mini $m $root/opus_tool --part x --families frame-istft,upsample,short-istft,codec,nearest,source-istft,tokens --small > $root/out/mini-vocode.log 2>&1 || { echo "NEURAL VOCODERS FAILED"; tail -n 5 $root/out/mini-vocode.log; }
  rm -f $root/nograph
  for t in synthetic playback; do
    timeout 100 python3 train.py $root/mini $m $root/mini-out $root/opus_tool --task $t --small --batch 64 --graph > $root/out/mini-$t.log 2>&1 || {
      tail -n 8 $root/out/mini-$t.log; echo "GRAPH FAILED, trying without"; touch $root/nograph
      timeout 100 python3 train.py $root/mini $m $root/mini-out $root/opus_tool --task $t --small --batch 64; }
    tail -n 4 $root/out/mini-$t.log
  done
  echo "prepare done; graphs: $([ -f $root/nograph ] && echo no || echo yes)" ;;
data)
  mv "$2"/*.pack "$2"/*.json $root/data/
  cd $root/code && python3 store.py $root/data $root/opus_tool
  ls $root/data | wc -l; du -sh $root/data ;;
train)
  s=$2; voc=$((s * 45 / 100)); graph=--graph; [ -f $root/nograph ] && graph=
  cd $root/code; rm -rf $root/made; mkdir -p $root/made
  python3 vocode.py $root/data $root/made $root/opus_tool --part fixed > $root/out/vocode-fixed.log 2>&1 &
  python3 vocode.py $root/data $root/made $root/opus_tool --part p --families frame-istft,short-istft,source-istft,upsample --seconds $voc > $root/out/vocode-p.log 2>&1 &
  python3 vocode.py $root/data $root/made $root/opus_tool --part q --families tokens,codec,nearest --seconds $voc > $root/out/vocode-q.log 2>&1 &
  # making the first attacks takes about 25 s and judging about 40 s; both are inside the budget
  for t in synthetic playback; do
    { python3 train.py $root/data $root/made $root/out $root/opus_tool --task $t --seconds $((s - 75)) $graph > $root/out/train-$t.log 2>&1 ||
      { [ -f $root/out/$t-part30.pt ] || python3 train.py $root/data $root/made $root/out $root/opus_tool --task $t --seconds $((s - 140)) >> $root/out/train-$t.log 2>&1; }; } &
  done
  wait ;;
fetch)
  cd $root/out
  for t in synthetic playback; do if [ -f $t.pt ]; then cp $t.pt "$2/"; fi; done
  parts=$(ls synthetic-part60.pt synthetic-part85.pt playback-part60.pt playback-part85.pt 2>/dev/null || true)
  [ -n "$parts" ] || parts=$(ls ./*-part30.pt 2>/dev/null || true)
  if [ -n "$parts" ]; then tar czf "$2/spoof-parts.tgz" $parts; fi
  rm -f logs.tgz; tar czf "$2/spoof-logs.tgz" $(ls ./*.log ./*.json 2>/dev/null)
  tail -n 3 train-*.log ;;
esac
