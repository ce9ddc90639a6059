#!/bin/sh
# Decodes every pack of a folder to s16le: decode.sh OPUS_SOURCES UNPACK_C PACKS OUT
# Builds libopus from its C sources, for machines without a system copy.
set -e
opus=$1; unpack=$2; packs=$3; out=$4
mkdir -p "$out" "$out/.obj"
if [ ! -x "$out/unpack" ]; then
  ( cd "$opus"
    ls celt/*.c silk/*.c silk/float/*.c src/*.c | grep -v -e demo -e test -e _compare -e mlp_train |
      xargs -P "$(nproc)" -I{} sh -c 'gcc -O2 -w -c {} -DOPUS_BUILD -DVAR_ARRAYS -DHAVE_LRINT -DHAVE_LRINTF -DPACKAGE_VERSION="\"x\"" -Iinclude -Icelt -Isilk -Isilk/float -o '"$out"'/.obj/$(echo {} | tr / _).o' )
  gcc -O2 -w "$unpack" -I"$opus/include" "$out"/.obj/*.o -lm -o "$out/unpack"
fi
for pack in "$packs"/*.pack; do
  name=$(basename "$pack" .pack)
  ( "$out/unpack" "$pack" "$out/$name.tmp" && cp "${pack%.pack}.json" "$out/" && mv "$out/$name.tmp" "$out/$name.raw" ) &
done
wait
