#include "bcg729/encoder.h"
#include "bcg729/decoder.h"
int roundtrip(const short *in, int n, short *out, int mode, const unsigned char *lost) {
  bcg729EncoderChannelContextStruct *e = initBcg729EncoderChannel(0); bcg729DecoderChannelContextStruct *d = initBcg729DecoderChannel();
  for (int i = 0, k = 0; i + 80 <= n; i += 80, k++) {
    uint8_t b[16], l; bcg729Encoder(e, in + i, b, &l); bcg729Decoder(d, b, l, lost[k / 2], 0, 0, out + i);
  }
  closeBcg729EncoderChannel(e); closeBcg729DecoderChannel(d); return 40;
}
