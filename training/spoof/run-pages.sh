#!/bin/sh
# Owns the order of work on the GPU machine, call by call (each call sends at most 64 MiB, the repository included). KIT: code, opus-src.tgz, phone/ (phone.py, codecs/, sources.tgz: the folder sources/ that codecs/build.sh wants), start.pt, speaker.pt (../checkpoints/speaker-ecapa512-r1.pt), speaker/ and common/ (../speaker, ../common), like/ (surprise.pt and scale.pt of the ninth run's tables: the statistics stay what they were), of which start.pt, speaker.pt, speaker/ and common/ may be missing where no network begins with other weights and no tables are made, asked (epoch seconds at which the
# machine was asked for). PART: packs; some also hold shipped.pt and shipped-enc.pt (checkpoints of what ships, whose scores calibrate_pages.py wants beside those of the folds), rooms/, features-src.tgz (build-features.sh), kokoro.json, kokoro.gz.a and .b, base.pt (the encoder, by encoder_view.py: the tables then hold statistics of its layers too; the view `time` wants it and a like/scale.pt that knows it).
#   run-pages.sh begin KIT PART GROW FROM UNTIL TABLE PAIRS SECONDS   build the tools, take the first part, start everything. Seconds after the asking: vocoders are trained until GROW, the detector is loaded at FROM and
#                                                 trained until UNTIL; two tables of the search for statistics (lab_table.py), each of PAIRS or of what is drawn in SECONDS, begin when all is there, or at TABLE; PAIRS of 0: no tables.
#                                                 VX_PLAN: which networks are trained, and how (words of train_pages.py after it); VX_SEED: another beginning and other draws (what is judged stays the same).
#                                                 With a ninth word, a file of recipes in KIT/code, the search goes over both tables by itself and keeps the networks of every fold.
#   run-pages.sh explore RECIPES SEEDS [--keep] [--until EPOCH_SECONDS]    lab.py over both tables, when they are there
#   run-pages.sh take PART                        one more part: packs are decoded in the background
#   run-pages.sh until SECONDS | look | fetch TO MARK | fetch-lab TO RECIPE      (never more than 20 s between two calls, and something fetched by every one: machines are lost with what is on them)
# Vocoders share the GPU through MPS; the detector stays out of it, and nothing may be ended by force while others use MPS: it takes them with it.
set -e
root=${VX_ROOT:-/root/vx}
export PYTHONUNBUFFERED=1 OMP_NUM_THREADS=2
mkdir -p $root/packs $root/made $root/out $root/code
[ -f $root/mps ] && export CUDA_MPS_PIPE_DIRECTORY=/tmp/mps CUDA_MPS_LOG_DIRECTORY=/tmp/mps-log
asked() { cat $root/asked; }
go() { log=$root/out/$1.log; shift; (cd $root/code && setsid nohup "$@" > $log 2>&1 < /dev/null &) }
since() { echo "since the asking: $(($(date +%s) - $(asked))) s"; }
families="frame-istft snake source-istft flow"
take() {
  for k in "$1"/kokoro*; do if [ -f "$k" ]; then mv "$k" $root/; fi; done  # the model in two pieces; what it shall say
  for j in "$1"/*.json; do
    [ -f "$j" ] || continue
    base=$root/packs/$(basename "${j%.json}")
    mv "${j%.json}.pack" $base.pack; mv "$j" $base.json
    go decode-$(basename $base) nice -n 5 python3 bank.py $root/opus_tool $base.json
  done
  if [ -d "$1/rooms" ]; then mv "$1/rooms" $root/; fi
  for k in base shipped shipped-enc; do if [ -f "$1/$k.pt" ]; then mv "$1/$k.pt" $root/; fi; done
  if [ -f $root/kokoro.gz.a ] && [ -f $root/kokoro.gz.b ] && [ ! -f $root/out/kokoro.log ]; then go kokoro nice -n 12 sh $root/code/run-pages.sh kokoro; fi
  if [ -f "$1/features-src.tgz" ]; then mv "$1/features-src.tgz" $root/; go features nice -n 10 sh $root/code/run-pages.sh features; fi
}
case "$1" in
begin)
  mv "$2"/code/* $root/code/; mv "$2/phone" "$2/like" "$2/asked" $root/
  for k in start.pt speaker.pt speaker common; do if [ -e "$2/$k" ]; then mv "$2/$k" $root/; fi; done
  echo "$5" > $root/from; echo "$6" > $root/until; echo "${VX_PLAN:-wide,short,time,time@light}" > $root/plan; echo "${VX_SEED:-0}" > $root/seed
  sh $root/code/build-opus.sh "$2/opus-src.tgz" $root/opus_tool
  take "$3"
  if [ -f $root/phone/sources.tgz ]; then tar xzf $root/phone/sources.tgz -C $root/phone; fi
  go codecs nice -n 5 sh $root/phone/codecs/build.sh $root/phone/sources $root/codecs
  mkdir -p /tmp/mps /tmp/mps-log
  if CUDA_MPS_PIPE_DIRECTORY=/tmp/mps CUDA_MPS_LOG_DIRECTORY=/tmp/mps-log nvidia-cuda-mps-control -d; then
    sleep 1
    CUDA_MPS_PIPE_DIRECTORY=/tmp/mps timeout 60 python3 -c "import torch; x = torch.randn(512, 512, device='cuda'); print('mps works', float((x @ x).sum()) != 0)" && touch $root/mps
    [ -f $root/mps ] || echo quit | CUDA_MPS_PIPE_DIRECTORY=/tmp/mps nvidia-cuda-mps-control
  fi
  sh $root/code/run-pages.sh copies "$4"
  go train sh $root/code/run-pages.sh train-one
  go phone nice -n 12 sh $root/code/run-pages.sh phone
  [ "$8" -eq 0 ] || for seed in 0 1; do go table-$seed sh $root/code/run-pages.sh table "$7" $seed "$8" "$9"; done
  if [ -n "${10}" ]; then go search sh $root/code/run-pages.sh explore "${10}" 4 --keep; fi
  sleep 2; ls $root $root/packs; cat $root/out/*.log; nvidia-smi | grep -E 'MiB|Driver'; since ;;
take) take "$2"; sleep 1; ls $root/packs | grep raw | tr '\n' ' '; cat $root/out/decode-*.log || true; tail -q -n 1 $root/out/features.log $root/out/copies-*.log $root/out/train.log || true; since ;;
features)
  sh $root/code/build-features.sh $root/features-src.tgz $root/feature_tool
  cd $root/code && python3 feature_copies.py $root/packs $root/made $root/opus_tool $root/feature_tool ;;
kokoro)
  cat $root/kokoro.gz.a $root/kokoro.gz.b | gunzip > $root/kokoro.onnx
  cd $root/code && PROCESSES=10 OMP_NUM_THREADS=1 python3 synthesize_neural.py speak $root/kokoro.onnx $root/kokoro.json $root/packs $root/opus_tool 150 && python3 bank.py $root/opus_tool $root/packs/kokoro-v1.json ;;
copies)  # as soon as the first corpus is decoded; each family in a process of its own
  seconds=$(($(asked) + $2 - $(date +%s)))
  go copies-dsp python3 copies.py $root/packs $root/made $root/opus_tool --part dsp --seed $(cat $root/seed) --wait librispeech.raw
  for f in $families; do
    go copies-$f python3 copies.py $root/packs $root/made $root/opus_tool --family $f --seed $(cat $root/seed) --seconds $seconds --wait librispeech.raw,attacks-train.raw --weights $root/vocoders
  done ;;
phone)  # one pack after the other, those that matter most first; then what is judged can be cut; then the copies
  while [ ! -f $root/codecs/opus.so ] || [ ! -f $root/packs/places.raw ] || [ ! -d $root/rooms ]; do sleep 1; done
  cd $root/code
  for p in attacks-train calls-dev judge-voxforge judge-cvdev judge piper-vits mimic3 espeak-ng flite librispeech commonvoice-0 attacks-train@2 kokoro-v1 piper-vits@2; do
    if [ $p = judge ]; then while [ ! -f $root/packs/commonvoice-1.raw ] || [ ! -f $root/packs/speechocean762.raw ]; do sleep 1; done; python3 judge_pages.py $root/packs $root/packs/places $root/bench || echo "nothing to judge on"; continue; fi
    n=0; while [ ! -f $root/packs/${p%@*}.raw ] && [ $n -lt 120 ]; do sleep 1; n=$((n + 1)); done
    python3 phone_pack.py $root/phone $root/codecs $root/packs/places $root/rooms $root/packs/${p%@*}.json$(echo $p | grep -o "@.*") || echo "no telephone version of $p"
  done
  python3 phone_pairs.py $root/phone $root/codecs $root/packs/places $root/rooms $root/made $(($(asked) + $(cat $root/until) - 120)) ;;
train-one)
  unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
  export VX_ENCODER=$root/base.pt VX_SCALE=$root/like/scale.pt
  until [ $(($(date +%s) - $(asked))) -ge $(cat $root/from) ] || { [ -f $root/lab-0/table.pt ] && [ -f $root/lab-1/table.pt ]; }; do sleep 1; done  # after the tables, where there are any: side by side all take longer
  until=$(($(asked) + $(cat $root/until)))
  set -- $root/packs $root/made $root/out --rooms $root/rooms --bench $root/bench $(if [ -f $root/start.pt ]; then echo --start $root/start.pt; fi) --wait attacks-train.alt.raw,librispeech.alt.raw,commonvoice-0.alt.raw,esc10.raw,places.raw --folds 0,1,2,3,4 --plan $(cat $root/plan) --seed $(cat $root/seed) --marks 0.7,1.0 --block 8
  cd $root/code
  python3 train_pages.py "$@" --until $until --graph || python3 train_pages.py "$@" --until $until
  if [ -f $root/shipped.pt ]; then
    python3 encoder_view.py join $root/shipped-enc.pt $root/base.pt $root/joined.pt && python3 score_pages.py $root/bench - $root/shipped.pt+$root/joined.pt all $root/out/scores-shipped.npz
  fi ;;
table)  # when everything is there, or at that second with what is there
  unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
  there() { for f in bench/index.json packs/esc10.raw packs/commonvoice-1.alt.raw packs/flite.tel.raw packs/kokoro-v1.alt.raw $(for v in $families; do echo made/neural-$v-2; done); do [ -e $root/$f ] || return 1; done; }
  until there || [ $(($(date +%s) - $(asked))) -ge "$2" ]; do sleep 1; done
  judge=; [ "$3" -gt 0 ] || judge=--judge
  encoder=; if [ -f $root/base.pt ]; then encoder="--encoder $root/base.pt"; fi
  cd $root/code && python3 lab_table.py $root/packs $root/made $root/bench $root/lab-$3 --rooms $root/rooms --speaker $root/speaker.pt --second --like $root/like --seed "$3" $judge $encoder --pairs "$4" --seconds "$5" ;;
explore) # RECIPES SEEDS [--keep] [--until T]: waits for the tables
  unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
  while [ ! -f $root/lab-0/table.pt ] || [ ! -f $root/lab-1/table.pt ]; do sleep 1; done
  recipes=$2 seeds=$3; shift 3
  (cd $root/code && python3 lab.py $root/lab-0,$root/lab-1 $root/out/lab "$recipes" --seeds "$seeds" "$@") 2>&1 | tee -a $root/out/lab.log; since ;;
until) while [ $(($(date +%s) - $(asked))) -lt "$2" ] && ! grep -qs " done " $root/out/train.log; do sleep 1; done ;;
look) for l in features kokoro phone copies-dsp $(for f in $families; do echo copies-$f; done); do echo "== $l: $(tail -n 1 $root/out/$l.log | cut -c1-200)"; done; echo "== train"; tail -n "${2:-4}" $root/out/train.log | cut -c1-420; ls $root/made | tr '\n' ' '; nvidia-smi | grep MiB; uptime; free -g | grep Mem; since ;;
fetch)
  cp $root/out/scores-*.npz $root/out/scores-index.json "$2"/ 2>/dev/null || true
  if [ -f $root/out/pages-"$3"-all.pt ]; then
    (cd $root/out && tar cf "$2/pages-$3-a.tar" pages-"$3"-f0.pt pages-"$3"-f1.pt && tar cf "$2/pages-$3-b.tar" pages-"$3"-f2.pt pages-"$3"-f3.pt && tar cf "$2/pages-$3-c.tar" pages-"$3"-f4.pt pages-"$3"-all.pt)
  fi
  tar czf "$2/logs.tgz" -C $root/out $(cd $root/out && ls ./*.log); ls -la "$2"; since ;;
fetch-lab) cp $root/out/lab/scores-*.npz "$2"/ 2>/dev/null || true
  if [ -f $root/out/lab/net-"$3".pt ]; then
    (cd $root/out/lab && tar cf "$2/net-a.tar" net-"$3"-f0.pt net-"$3"-f1.pt && tar cf "$2/net-b.tar" net-"$3"-f2.pt net-"$3"-f3.pt && tar cf "$2/net-c.tar" net-"$3"-f4.pt net-"$3".pt)
  fi
  tail -n 6 $root/out/lab.log | cut -c1-600; since ;;
esac
