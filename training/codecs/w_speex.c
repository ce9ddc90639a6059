#include <speex/speex.h>
#include <string.h>
int roundtrip(const short *in, int n, short *out, int mode, const unsigned char *lost) {
  void *e = speex_encoder_init(&speex_nb_mode), *d = speex_decoder_init(&speex_nb_mode); SpeexBits b; speex_bits_init(&b);
  int q = mode, c = 2, h = 1; speex_encoder_ctl(e, SPEEX_SET_QUALITY, &q); speex_encoder_ctl(e, SPEEX_SET_COMPLEXITY, &c); speex_decoder_ctl(d, SPEEX_SET_ENH, &h);
  for (int i = 0, k = 0; i + 160 <= n; i += 160, k++) {
    short s[160]; char buf[200]; memcpy(s, in + i, 320); speex_bits_reset(&b); speex_encode_int(e, s, &b); int m = speex_bits_write(&b, buf, 200);
    if (lost[k]) speex_decode_int(d, 0, out + i); else { speex_bits_read_from(&b, buf, m); speex_decode_int(d, &b, out + i); }
  }
  speex_bits_destroy(&b); speex_encoder_destroy(e); speex_decoder_destroy(d); return 79;
}
