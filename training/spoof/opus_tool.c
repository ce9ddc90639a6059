/* Owns the Opus path of the detectors' training: pack, unpack and recode speech the way the packs were made (SILK wide-band, 60 ms packets).
 *   opus_tool unpack X.pack X.raw            decode a pack to s16le samples
 *   opus_tool pack X.raw LENGTHS X.pack      LENGTHS: one "samples bitrate" pair per line
 *   opus_tool recode X.raw LENGTHS Y.raw     encode and decode each utterance in memory; bitrate 0 copies it unchanged,
 *                                            a negative bitrate forces narrow band (8 kHz telephone-like) at that rate
 * The recoded utterance is shifted back by the codec's delay so that it keeps its length and place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "opus.h"
#define FRAME 960
static OpusEncoder *enc; static OpusDecoder *dec;
static void open_codec(void) { int e; enc = opus_encoder_create(16000, 1, OPUS_APPLICATION_VOIP, &e); dec = opus_decoder_create(16000, 1, &e); }
static void set_rate(int rate) {
  opus_encoder_ctl(enc, OPUS_RESET_STATE); opus_decoder_ctl(dec, OPUS_RESET_STATE);
  opus_encoder_ctl(enc, OPUS_SET_BITRATE(rate < 0 ? -rate : rate)); opus_encoder_ctl(enc, OPUS_SET_VBR(1)); opus_encoder_ctl(enc, OPUS_SET_COMPLEXITY(3));
  opus_encoder_ctl(enc, OPUS_SET_BANDWIDTH(rate < 0 ? OPUS_BANDWIDTH_NARROWBAND : OPUS_BANDWIDTH_WIDEBAND));
}
static short *read_all(const char *path, long *n) {
  FILE *f = fopen(path, "rb"); if (!f) { perror(path); exit(1); }
  fseek(f, 0, SEEK_END); *n = ftell(f) / 2; fseek(f, 0, SEEK_SET);
  short *b = malloc(*n * 2 + 2); if (fread(b, 2, *n, f) != (size_t)*n) exit(1); fclose(f); return b;
}
int main(int c, char **v) {
  open_codec();
  static short pcm[5760]; static unsigned char pkt[4000];
  if (c == 4 && !strcmp(v[1], "unpack")) {
    FILE *f = fopen(v[2], "rb"), *o = fopen(v[3], "wb"); unsigned n, p;
    if (!f || !o) return 1;
    while (fread(&n, 4, 1, f) == 1 && fread(&p, 4, 1, f) == 1) {
      opus_decoder_ctl(dec, OPUS_RESET_STATE);
      for (unsigned i = 0, left = n; i < p; i++) {
        unsigned short k; if (fread(&k, 2, 1, f) != 1 || k > sizeof pkt || fread(pkt, 1, k, f) != k) return 1;
        int r = opus_decode(dec, pkt, k, pcm, 5760, 0); if (r < 0) return 1;
        unsigned w = (unsigned)r < left ? (unsigned)r : left; fwrite(pcm, 2, w, o); left -= w;
      }
    }
    fclose(o); return 0;
  }
  if (c != 5) { fprintf(stderr, "usage: opus_tool unpack|pack|recode ...\n"); return 2; }
  int packing = !strcmp(v[1], "pack");
  long total; short *raw = read_all(v[2], &total); FILE *l = fopen(v[3], "r"), *o = fopen(v[4], "wb");
  if (!l || !o) return 1;
  long at = 0, n; int rate, delay = 0; opus_encoder_ctl(enc, OPUS_GET_LOOKAHEAD(&delay));
  while (fscanf(l, "%ld %d", &n, &rate) == 2 && at + n <= total) {
    short *x = raw + at; at += n;
    if (!packing && rate == 0) { fwrite(x, 2, n, o); continue; }
    set_rate(rate);
    long frames = packing ? (n + FRAME - 1) / FRAME : (n + delay + FRAME - 1) / FRAME, skip = delay, left = n;
    if (packing) { unsigned h[2] = {(unsigned)n, (unsigned)frames}; fwrite(h, 4, 2, o); }
    for (long i = 0; i < frames; i++) {
      short in[FRAME] = {0}; long have = n - i * FRAME; if (have > FRAME) have = FRAME; if (have > 0) memcpy(in, x + i * FRAME, have * 2);
      int k = opus_encode(enc, in, FRAME, pkt, sizeof pkt); if (k < 0) return 1;
      if (packing) { unsigned short s = k; fwrite(&s, 2, 1, o); fwrite(pkt, 1, k, o); continue; }
      int r = opus_decode(dec, pkt, k, pcm, 5760, 0); if (r < 0) return 1;
      short *p = pcm; if (skip) { long s = skip < r ? skip : r; p += s; r -= s; skip -= s; }
      if (r > left) r = left; fwrite(p, 2, r, o); left -= r;
    }
    while (!packing && left > 0) { short z = 0; fwrite(&z, 2, 1, o); left--; }
  }
  fclose(o); return 0;
}
