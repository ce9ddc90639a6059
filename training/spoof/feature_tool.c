/* Owns copies of speech through what Opus 1.5 brings for lost packets: the vocoder FARGAN on 20 numbers every 10 ms, and before it, if wanted, the neural coder of these numbers (DRED).
 *   feature_tool fargan X.raw LENGTHS Y.raw     features and back
 *   feature_tool pitch  X.raw LENGTHS Y.raw     the same with the pitch a quarter of an octave lower or higher, in turn
 *   feature_tool dredQ  X.raw LENGTHS Y.raw     features coded at quality Q, 0 (finest) to 15
 * s16le at 16 kHz, LENGTHS: samples of each utterance, one a line. A copy has the length and the place (to about 10 ms) of its original. Built by build-features.sh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "arch.h"
#include "lpcnet.h"
#include "freq.h"
#include "os_support.h"
#include "fargan.h"
#include "dred_rdovae_enc.h"
#include "dred_rdovae_dec.h"
#include "dred_rdovae_stats_data.h"
#include "dred_config.h"
#include "dred_rdovae_constants.h"
#define NF DRED_NUM_FEATURES
#define HOP 160
#define LEAD 1600  /* samples of faint noise before the speech: the vocoder needs a beginning */
#define LATE 320   /* what analysis and synthesis add */
#define CHUNK 24
#define PITCH_AT 18

static void quantise(const float *x, float *y, const opus_uint8 *scale, const opus_uint8 *dead, const opus_uint8 *r, const opus_uint8 *p0, int n) {
  for (int i = 0; i < n; i++) {
    float d = dead[i] / 256.f, v = x[i] * scale[i] / 256.f;
    v -= d * tanhf(v / (d + .1f));
    int q = (r[i] == 0 || p0[i] == 255) ? 0 : (int)floor(.5f + v);
    y[i] = q * 256.f / (scale[i] == 0 ? 1 : scale[i]);
  }
}

/* Features through encoder, quantiser and decoder, in place; the decoder works backwards from its newest state. */
static void through_dred(float *features, int frames, int q) {
  static RDOVAEEnc enc; static RDOVAEDec dec; static int ready = 0;
  if (!ready && (init_rdovaeenc(&enc, rdovaeenc_arrays) || init_rdovaedec(&dec, rdovaedec_arrays))) { fprintf(stderr, "cannot set up DRED\n"); exit(1); }
  ready = 1;
  RDOVAEEncState state; memset(&state, 0, sizeof state);
  int pairs = frames / 2, l = q * DRED_LATENT_DIM, s = q * DRED_STATE_DIM;
  float *latents = malloc(sizeof(float) * pairs * DRED_LATENT_DIM), *states = malloc(sizeof(float) * pairs * DRED_STATE_DIM);
  for (int i = 0; i < pairs; i++) dred_rdovae_encode_dframe(&state, &enc, latents + i * DRED_LATENT_DIM, states + i * DRED_STATE_DIM, features + 2 * i * NF, 0);
  static float L[CHUNK * DRED_LATENT_DIM], F[CHUNK * 4 * NF], S[DRED_STATE_DIM];
  for (int end = pairs - 1; end >= 1;) {
    int n = (end + 1) / 2; if (n > CHUNK) n = CHUNK;
    quantise(states + end * DRED_STATE_DIM, S, dred_state_quant_scales_q8 + s, dred_state_dead_zone_q8 + s, dred_state_r_q8 + s, dred_state_p0_q8 + s, DRED_STATE_DIM);
    for (int k = 0; k < n; k++)
      quantise(latents + (end - 2 * k) * DRED_LATENT_DIM, L + k * DRED_LATENT_DIM, dred_latent_quant_scales_q8 + l, dred_latent_dead_zone_q8 + l, dred_latent_r_q8 + l, dred_latent_p0_q8 + l, DRED_LATENT_DIM);
    DRED_rdovae_decode_all(&dec, F, S, L, n, 0);
    for (int k = 0; k < 4 * n && 2 * end + 1 - k >= 0; k++) memcpy(features + (2 * end + 1 - k) * NF, F + k * NF, sizeof(float) * NF);
    end -= 2 * n;
  }
  free(latents); free(states);
}

static void synthesise(const float *features, int frames, opus_int16 *y) {
  FARGANState net; float zero[320] = {0}, first[5 * NB_FEATURES], wave[HOP];
  fargan_init(&net);
  for (int i = 0; i < 5; i++) memcpy(first + i * NB_FEATURES, features + i * NF, NB_FEATURES * sizeof(float));
  fargan_cont(&net, zero, first);
  for (int i = 5; i < frames; i++) {
    fargan_synthesize(&net, wave, features + i * NF);
    for (int k = 0; k < HOP; k++) { float v = 32768.f * wave[k]; y[i * HOP + k] = (opus_int16)floor(.5 + (v > 32767 ? 32767 : v < -32767 ? -32767 : v)); }
  }
}

int main(int c, char **v) {
  if (c != 5) { fprintf(stderr, "usage: feature_tool fargan|pitch|dredQ X.raw LENGTHS Y.raw\n"); return 2; }
  FILE *in = fopen(v[2], "rb"), *lengths = fopen(v[3], "r"), *out = fopen(v[4], "wb"); long n;
  if (!in || !lengths || !out) return 1;
  for (int turn = 0; fscanf(lengths, "%ld", &n) == 1; turn++) {
    long total = (LEAD + n + 1600) / 320 * 320; int frames = total / HOP;
    opus_int16 *x = calloc(total, 2), *y = calloc(total + 2000, 2); float *features = calloc((size_t)frames * NF, sizeof(float));
    if (fread(x + LEAD, 2, n, in) != (size_t)n) return 1;
    for (int i = 0; i < LEAD; i++) x[i] = rand() % 5 - 2;
    LPCNetEncState *net = lpcnet_encoder_create();
    for (int i = 0; i < frames; i++) {
      float all[NB_TOTAL_FEATURES];
      lpcnet_compute_single_frame_features(net, x + i * HOP, all, 0);
      memcpy(features + i * NF, all, NF * sizeof(float));
    }
    lpcnet_encoder_destroy(net);
    if (v[1][0] == 'd') through_dred(features, frames, atoi(v[1] + 4));
    if (v[1][0] == 'p') for (int i = 0; i < frames; i++) features[i * NF + PITCH_AT] += turn & 1 ? .25f : -.25f;
    synthesise(features, frames, y);
    fwrite(y + LEAD + LATE, 2, n, out);
    free(x); free(y); free(features);
  }
  return fclose(out) != 0;
}
