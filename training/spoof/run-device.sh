#!/bin/sh
# Owns the order of work on the GPU machine. Data travels in parts because one call takes at most 64 MiB, the repository included.
#   run-device.sh begin PART_A SECONDS       build the Opus tool, decode part A, start making attacks in the background (vocoders train for SECONDS)
#   run-device.sh data PART                  one more part; tries the training on a few files (PART_A/mini, made with prepare.cut_pack)
#   run-device.sh train PART_C SECONDS       the last part, everything through Opus once more, start the training in the background
#   run-device.sh fetch TO                   copy what is there now
set -e
here=$(cd "$(dirname "$0")" && pwd)
root=/root/voxgate-spoof
export PYTHONUNBUFFERED=1 OMP_NUM_THREADS=3
mkdir -p $root/data $root/made $root/out $root/code
case "$1" in
begin)
  sh "$here/build-opus.sh" "$2/opus-src.tgz" $root/opus_tool
  cp "$here"/*.py "$here"/run-device.sh $root/code/
  rm -rf $root/mini && mv "$2/mini" $root/mini
  mv "$2"/*.pack "$2"/*.json $root/data/
  cd $root/code; rm -rf $root/voc; mkdir $root/voc; cp $root/data/* $root/voc/
  for p in $root/voc/*.pack; do $root/opus_tool unpack $p ${p%.pack}.raw & done; wait
  make() { part=$1; shift; setsid nohup python3 vocode.py $root/voc $root/made $root/opus_tool --part "$part" "$@" > $root/out/vocode-$part.log 2>&1 < /dev/null & }
  make fixed --no-replay
  make p --families frame-istft,short-istft,source-istft,upsample --seconds "$3"
  make q --families tokens,codec,nearest --seconds "$3"
  make report --families flow --seconds "$3"
  sleep 12; tail -n 3 $root/out/*.log ;;
data)
  mv "$2"/*.pack "$2"/*.json $root/data/
  cp $root/data/voxforge.* $root/data/commonvoice-dev.* $root/voc/ 2>/dev/null || true
  tail -n 2 $root/out/*.log; nvidia-smi | grep MiB || true
  cd $root/code; rm -f $root/nograph  # every step on a few files, while the vocoders train
  timeout 120 python3 train.py $root/mini $root/made $root/mini-out $root/opus_tool --small --batch 64 --graph > $root/out/mini.log 2>&1 || touch $root/nograph
  tail -n 8 $root/out/mini.log; ls $root/made $root/nograph 2>&1 ;;
train)
  mv "$2"/*.pack "$2"/*.json $root/data/
  cd $root/code && python3 store.py $root/data $root/opus_tool
  setsid nohup python3 train.py $root/data $root/made $root/out $root/opus_tool --task synthetic --seconds "$3" $([ -f $root/nograph ] || echo --graph) > $root/out/train-synthetic.log 2>&1 < /dev/null &
  sleep 45; tail -n 4 $root/out/*.log; nvidia-smi | grep MiB ;;
fetch)
  cd $root/out
  cp synthetic-part*.pt "$2/" 2>/dev/null || true
  tar czf "$2/spoof-logs.tgz" $(ls ./*.log ./*.json 2>/dev/null)
  if ls $root/made/*report* > /dev/null 2>&1; then tar czf "$2/spoof-report.tgz" -C $root/made $(ls $root/made | grep report); fi
  tail -n 40 train-synthetic.log ;;
esac
