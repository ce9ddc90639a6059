#!/bin/sh
# Owns the building of opus_tool where no libopus is installed: from the Opus sources (an archive of include, celt, silk, src).
# Usage: build-opus.sh OPUS_SRC.tgz OUT_BINARY
set -e
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
tar xzf "$1" -C "$tmp"
cp "$here/opus_tool.c" "$tmp/"
cd "$tmp"
ls celt/*.c silk/*.c silk/float/*.c src/*.c | grep -v -E 'demo|compare|test|mlp_train|train' > list
FLAGS="-O2 -w -DOPUS_BUILD -DVAR_ARRAYS -DHAVE_LRINT -DHAVE_LRINTF -DPACKAGE_VERSION=\"x\" -Iinclude -Icelt -Isilk -Isilk/float"
xargs -P 16 -I{} sh -c 'gcc '"$(printf '%s' "$FLAGS" | sed 's/"x"/\\"x\\"/')"' -c {} -o $(echo {} | tr / _).o' < list
gcc -O2 -Iinclude opus_tool.c ./*.o -lm -o "$2"
