#!/bin/sh
# Owns the order of work on the GPU machine, call by call (each call sends at most 64 MiB, the repository included). KIT: code, opus-src.tgz, mini/ (a few recordings), rooms/.
#   run-pages.sh begin KIT PART           build the Opus tool, take the first part, try every step on a few recordings in the background
#   run-pages.sh take PART                one more part: packs are decoded in the background
#   run-pages.sh copies SECONDS           start making copies: signal processing once, three groups of vocoders for SECONDS
#   run-pages.sh train UNTIL              start judge_pages.py and train_pages.py, which ends at UNTIL (epoch seconds)
#   run-pages.sh look | fetch TO          what the logs say; copy results
set -e
root=${VX_ROOT:-/root/vx}
export PYTHONUNBUFFERED=1 OMP_NUM_THREADS=3
mkdir -p $root/packs $root/made $root/out $root/code
[ -f $root/mps ] && export CUDA_MPS_PIPE_DIRECTORY=/tmp/mps CUDA_MPS_LOG_DIRECTORY=/tmp/mps-log
take() {
  for j in "$1"/*.json; do
    base=$root/packs/$(basename "${j%.json}")
    mv "${j%.json}.pack" $base.pack; mv "$j" $base.json
    (cd $root/code && setsid nohup python3 bank.py $root/opus_tool $base.json > $root/out/decode.log 2>&1 < /dev/null &)
  done
}
tel() { python3 phone_pack.py $root/phone $root/codecs "$1" $root/rooms "$2"; }
go() { log=$root/out/$1.log; shift; (cd $root/code && setsid nohup "$@" > $log 2>&1 < /dev/null &) }
try_out() {
  cd $root/code; m=$root/mini-run; mkdir -p $m/made $m/out
  python3 bank.py $root/opus_tool $root/mini/*.json
  for i in 1 2 3 4 5 6 7 8 9 10; do [ -f $root/codecs/opus.so ] || sleep 3; done
  for p in attacks-train librispeech mimic3 judge-voxforge; do tel $root/mini/places $root/mini/$p.json > $m/phone.log 2>&1; done
  python3 copies.py $root/mini $m/made $root/opus_tool --part dsp --small > $m/dsp.log 2>&1 &
  for f in frame-istft,short-istft,snake upsample,source-istft,codec tokens,nearest,flow; do
    python3 copies.py $root/mini $m/made $root/opus_tool --part $(echo $f | cut -c1-2) --families $f --small > $m/neural-$(echo $f | cut -c1-2).log 2>&1 &
  done
  python3 judge_pages.py $root/mini $root/mini/places $m/bench small > $m/judge.log 2>&1
  python3 train_pages.py $root/mini $m/made $m/out --until $(($(date +%s) + 20)) --start $root/start.pt --rooms $root/rooms --bench $m/bench --batch 64 --small --graph > $m/train.log 2>&1 && touch $m/graph-works
  wait; tail -n 4 $m/*.log
}
case "$1" in
begin)
  mv "$2"/code/* $root/code/; mv "$2/mini" "$2/rooms" "$2/phone" $root/; mv "$2"/start.pt $root/
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
  ls $root $root/packs; nvidia-smi | grep -E 'MiB|Driver' ;;
try) try_out ;;
take) take "$2"; ls $root/packs | grep raw | tr '\n' ' '; cat $root/out/decode.log ;;
copies)
  go copies-dsp python3 copies.py $root/packs $root/made $root/opus_tool --part dsp
  for f in frame-istft,short-istft,snake upsample,source-istft,codec tokens,nearest,flow; do
    go copies-$(echo $f | cut -c1-2) python3 copies.py $root/packs $root/made $root/opus_tool --part $(echo $f | cut -c1-2) --families $f --seconds "$2" --wait librispeecha.raw.raw
  done
  sleep 3; tail -n 2 $root/out/*.log ;;
phone)  # once noise and these packs are decoded
  (cd $root/code && for p in attacks-traina attacks-trainb mimic3 piper-vits librispeecha commonvoice-0b judge-voxforge judge-cvdev judge-calls; do
    setsid nohup sh run-pages.sh phone-one $p > $root/out/phone-$p.log 2>&1 < /dev/null &
  done) ;;
phone-one) while [ ! -f $root/codecs/opus.so ] || [ ! -f $root/packs/$2.raw ] || [ ! -f $root/packs/places.raw ]; do sleep 1; done; cd $root/code; tel $root/packs/places $root/packs/$2.json ;;
judge) go judge python3 judge_pages.py $root/packs $root/packs/places $root/bench ;;
train)
  go train python3 train_pages.py $root/packs $root/made $root/out --until "$2" --start $root/start.pt --rooms $root/rooms --bench $root/bench --wait attacks-traina.alt.raw,attacks-trainb.alt.raw,librispeecha.alt.raw,commonvoice-0b.alt.raw,piper-vits.alt.raw$([ -f $root/no-phone ] || echo ,attacks-traina.tel.raw,attacks-trainb.tel.raw,piper-vits.tel.raw,librispeecha.tel.raw) $([ -f $root/mini-run/graph-works ] && echo --graph)
  sleep 3; tail -n 2 $root/out/*.log ;;
look) tail -n "${2:-4}" $root/out/*.log; ls $root/made; nvidia-smi | grep MiB ;;
fetch) cp $root/out/pages-"${3:-100}"-*.pt "$2"/ 2> /dev/null || true; tar czf "$2/logs.tgz" -C $root/out $(cd $root/out && ls ./*.log ./scores-*); ls -la "$2"; tail -n 24 $root/out/train.log ;;
esac
