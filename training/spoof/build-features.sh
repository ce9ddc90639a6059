#!/bin/sh
# Owns the building of feature_tool from the sources of Opus 1.5.2 (an archive of include, celt, silk and dnn; BSD), with gcc alone.
# Usage: build-features.sh SRC.tgz OUT_BINARY
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
tar xzf "$1" -C "$tmp" && cp "$here/feature_tool.c" "$tmp/" && cd "$tmp" || exit 1
names="dnn/burg dnn/freq dnn/fargan dnn/fargan_data dnn/lpcnet_enc dnn/lpcnet_tables dnn/nnet dnn/nnet_default dnn/parse_lpcnet_weights dnn/pitchdnn dnn/pitchdnn_data
  dnn/dred_rdovae_enc dnn/dred_rdovae_enc_data dnn/dred_rdovae_dec dnn/dred_rdovae_dec_data dnn/dred_rdovae_stats_data celt/kiss_fft celt/celt_lpc celt/pitch celt/mathops feature_tool"
flags="-w -DOPUS_BUILD -DVAR_ARRAYS -DHAVE_LRINT -DHAVE_LRINTF -DFLOAT_APPROX -DENABLE_DEEP_PLC -DENABLE_DRED -I. -Iinclude -Icelt -Isilk -Isilk/float -Idnn"
# with the machine's own vector instructions; if these sources do not like them, plain C
for how in "-O2 -march=native" "-O2" "-O3 -U__SSE2__ -U__AVX__"; do
  rm -f ./*.o
  printf '%s\n' $names | xargs -P 16 -I{} sh -c "gcc $how $flags -c {}.c -o \$(echo {} | tr / _).o" && gcc ./*.o -lm -o "$2" && echo "built with $how" && exit 0
done
exit 1
