#include "opus.h"
/* mode: bit rate; 8 kHz, 20 ms packets, SILK narrow band; the decoder conceals what is lost */
int roundtrip(const short *in, int n, short *out, int mode, const unsigned char *lost) {
  int err, delay = 0; OpusEncoder *e = opus_encoder_create(8000, 1, OPUS_APPLICATION_VOIP, &err); OpusDecoder *d = opus_decoder_create(8000, 1, &err);
  opus_encoder_ctl(e, OPUS_SET_BITRATE(mode)); opus_encoder_ctl(e, OPUS_SET_COMPLEXITY(4)); opus_encoder_ctl(e, OPUS_GET_LOOKAHEAD(&delay));
  for (int i = 0, k = 0; i + 160 <= n; i += 160, k++) {
    unsigned char b[1500]; int m = opus_encode(e, in + i, 160, b, 1500); opus_decode(d, lost[k] ? 0 : b, lost[k] ? 0 : m, out + i, 160, 0);
  }
  opus_encoder_destroy(e); opus_decoder_destroy(d); return delay;
}
