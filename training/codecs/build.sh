#!/bin/sh
# Builds one shared library per speech codec from sources: build.sh SOURCES OUT. A codec that fails is left out.
# SOURCES holds the unpacked source archives of Debian 12: gsm-1.0-pl22, bcg729-1.1.1, speex-1.2.1, opencore-amr-0.1.6, and opus
# (include, celt, silk, src). Nothing of them is part of this project.
here=$(cd "$(dirname "$0")" && pwd); sources=$(cd "$1" && pwd); out=$2; J=${JOBS:-16}; mkdir -p "$out"; out=$(cd "$out" && pwd); tmp=$(mktemp -d); cd "$tmp"
cp -r "$sources"/. .
F="-O2 -w -fPIC -fcommon"
so() { name=$1; flags=$2; shift 2; mkdir -p o_$name
  printf '%s\n' "$@" | xargs -P $J -I{} sh -c "gcc $F $flags -c {} -o o_$name/\$(echo {} | tr / _).o" && gcc -shared o_$name/*.o -o "$out/$name.so" -lm $LIBS && echo "built $name"; }
so gsm "-DSASR -DNeedFunctionPrototypes=1 -DHAS_STDLIB_H -DHAS_STRING_H -DHAS_FCNTL_H -Igsm-1.0-pl22/inc" $here/w_gsm.c $(ls gsm-1.0-pl22/src/*.c | grep -v toast)
so g729 "-Ibcg729-1.1.1/include -Ibcg729-1.1.1/src" $here/w_g729.c $(ls bcg729-1.1.1/src/*.c)
cat > config_types.h <<X
#include <stdint.h>
typedef int16_t spx_int16_t; typedef uint16_t spx_uint16_t; typedef int32_t spx_int32_t; typedef uint32_t spx_uint32_t;
X
cp config_types.h speex-1.2.1/include/speex/speex_config_types.h
so speex "-DFLOATING_POINT -DUSE_SMALLFT -DVAR_ARRAYS -DEXPORT= -Ispeex-1.2.1/include -Ispeex-1.2.1/libspeex" $here/w_speex.c $(ls speex-1.2.1/libspeex/*.c | grep -v -E 'testenc|kiss')
A=opencore-amr-0.1.6; B=$A/opencore/codecs_v2/audio/gsm_amr; N=$B/amr_nb
so amr "-x c -std=gnu99 -I$A/oscl -I$N/dec/src -I$N/common/include -I$N/dec/include -I$B/common/dec/include -I$N/enc/src -I$N/enc/include -I$A/amrnb" $here/w_amr.c $A/amrnb/wrapper.cpp $(ls $N/dec/src/*.cpp $N/enc/src/*.cpp $N/common/src/*.cpp | grep -v -E 'decoder_gsm_amr|pvgsmamrdecoder|gsmamr_encoder_wrapper|common/src/(bits2prm|copy|div_32|l_abs|r_fft|vad1|vad2).cpp')
cd opus; echo "#define PACKAGE_VERSION \"x\"" > ver.h; so opus "-DOPUS_BUILD -DVAR_ARRAYS -DHAVE_LRINT -DHAVE_LRINTF -include ver.h -Iinclude -Icelt -Isilk -Isilk/float" $here/w_opus.c $(ls celt/*.c silk/*.c silk/float/*.c src/*.c | grep -v -E 'demo|compare|test|mlp_train|train')
ls -la "$out"; rm -rf "$tmp"
