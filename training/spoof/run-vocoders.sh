#!/bin/sh
# Owns the order of work on the GPU machine where views are trained with copies by published vocoders, call by call (each call sends at most 64 MiB; the machine is lost 30 s after a call without another).
# KIT: code (this folder), opus-src.tgz, start.pt (../checkpoints/spoof-r7.pt), published/ (vocoders' weights). PART: packs, and some rooms/ or model.onnx (what ships, to judge the copies).
#   run-vocoders.sh begin KIT PART GROW     GROW: seconds for which vocoders are trained
#   run-vocoders.sh take PART
#   run-vocoders.sh train SECONDS PLAN      in the background
#   run-vocoders.sh wait SECONDS | fetch TO
set -e
root=${VX_ROOT:-/root/vx}
export PYTHONUNBUFFERED=1 OMP_NUM_THREADS=2
mkdir -p $root/packs $root/made $root/out $root/code
go() { log=$root/out/$1.log; shift; (cd $root/code && setsid nohup "$@" > $log 2>&1 < /dev/null &) }
families="hifigan hifigan-many hifigan-snake pwg pwg-many frame-istft flow"
take() {
  for j in "$1"/*.json; do
    base=$root/packs/$(basename "${j%.json}")
    cp "${j%.json}.pack" $base.pack; cp "$j" $base.json
    go decode-$(basename $base) python3 bank.py $root/opus_tool $base.json
  done
  if [ -d "$1/rooms" ]; then cp -r "$1/rooms" $root/; fi
  if [ -f "$1/model.onnx" ]; then cp "$1/model.onnx" $root/; fi
}
case "$1" in
begin)
  cp "$2"/code/* $root/code/; cp -r "$2/start.pt" "$2/published" $root/
  sh $root/code/build-opus.sh "$2/opus-src.tgz" $root/opus_tool
  take "$3"
  export CUDA_MPS_PIPE_DIRECTORY=/tmp/mps CUDA_MPS_LOG_DIRECTORY=/tmp/mps-log
  mkdir -p /tmp/mps /tmp/mps-log
  nvidia-cuda-mps-control -d && timeout 60 python3 -c "import torch; x = torch.randn(512, 512, device='cuda'); print('mps works', float((x @ x).sum()) != 0)" || unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
  go copies-dsp python3 copies.py $root/packs $root/made $root/opus_tool --part dsp --wait librispeech.raw
  for f in $families; do
    go copies-$f python3 copies.py $root/packs $root/made $root/opus_tool --family $f --seconds "$4" --wait librispeech.raw,attacks-train.raw --weights $root/vocoders --published $root/published
  done ;;
take) take "$2" ;;
train)
  go bench sh -c "until [ -f $root/packs/esc10.raw ] && [ -f $root/packs/places.raw ] && [ -f $root/packs/judge-cvdev.raw ] && [ -f $root/packs/attacks-train.raw ]; do sleep 1; done; exec nice python3 judge_pages.py $root/packs $root/packs/places $root/bench"
  go train python3 train_pages.py $root/packs $root/made $root/out --start $root/start.pt --rooms $root/rooms --bench $root/bench --wait attacks-train.alt.raw,attacks-train.spans.npy,librispeech.alt.raw,esc10.raw,places.raw --folds 0,1,2,3,4 \
    --plan "$3" --every-second wide,long --until $(($(date +%s) + $2)) --graph --marks 0.6,1.0 --block 8 ;;
wait) n=0; while [ $n -lt "$2" ] && ! grep -qs " done " $root/out/train.log; do sleep 1; n=$((n + 1)); done ;;
fetch)
  cp $root/out/scores-*.npz $root/out/scores-index.json "$2"/ 2>/dev/null || true
  (cd $root/out && tar cf "$2/nets.tar" pages-100-*.pt) || true
  (cd $root/vocoders && tar cf "$2/vocoders.tar" ./*.pt) || true
  tar czf "$2/logs.tgz" -C $root/out $(cd $root/out && ls ./*.log); ls -la "$2" ;;
esac
for l in $(ls $root/out/*.log); do echo "== $(basename $l): $(tail -n 1 $l | cut -c1-300)"; done; ls $root/made | tr '\n' ' '; nvidia-smi | grep MiB; uptime
