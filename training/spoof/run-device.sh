#!/bin/sh
# Owns the order of work on the GPU machine. Data travels in two parts because one call takes at most 64 MiB.
#   run-device.sh prepare PART_A                     build the Opus tool, decode part A, try every step on a few files
#   run-device.sh train PART_B SECONDS VOC_SECONDS   decode part B, make attacks and train side by side; results under $OUT
set -e
here=$(cd "$(dirname "$0")" && pwd)
root=/root/voxgate-spoof
export PYTHONUNBUFFERED=1
mkdir -p $root/data $root/made
unpack() { for p in "$1"/*.pack; do b=${p%.pack}; [ -f "$b.raw" ] || { $root/opus_tool unpack "$p" "$b.raw" & } ; done; wait; }
if [ "$1" = prepare ]; then
  sh "$here/build-opus.sh" "$2/opus-src.tgz" $root/opus_tool
  mv "$2/mini" $root/mini && mkdir -p $root/mini-made
  mv "$2"/*.pack "$2"/*.json $root/data/
  unpack $root/data & unpack $root/mini
  cd "$here"
  timeout 70 python3 vocode.py $root/mini $root/mini-made $root/opus_tool --seconds 25 --small && timeout 60 python3 train.py $root/mini $root/mini-made $root/mini-out $root/opus_tool --small --batch 64
  wait
  ls $root/data | wc -l; nvidia-smi | grep MiB
else
  mv "$2"/*.pack "$2"/*.json $root/data/
  rm -f $root/data/*.raw; unpack $root/data
  cd "$here"
  rm -rf $root/made; mkdir -p $root/made
  python3 vocode.py $root/data $root/made $root/opus_tool --seconds "$4" > "$OUT/vocode.log" 2>&1 &
  python3 train.py $root/data $root/made "$OUT" $root/opus_tool --seconds "$3" 2>&1 | tee "$OUT/train.log"
  tail -n 40 "$OUT/vocode.log"
fi
