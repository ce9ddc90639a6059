enum Mode { MR475 = 0 };
#ifdef __cplusplus
extern "C" {
#endif
void *Decoder_Interface_init(void); void Decoder_Interface_exit(void *); void Decoder_Interface_Decode(void *, const unsigned char *, short *, int);
void *Encoder_Interface_init(int); void Encoder_Interface_exit(void *); int Encoder_Interface_Encode(void *, enum Mode, const short *, unsigned char *, int);
int roundtrip(const short *in, int n, short *out, int mode, const unsigned char *lost) {
  void *e = Encoder_Interface_init(mode >= 8), *d = Decoder_Interface_init();
  for (int i = 0, k = 0; i + 160 <= n; i += 160, k++) {
    unsigned char b[64]; Encoder_Interface_Encode(e, (enum Mode)(mode & 7), in + i, b, 0); Decoder_Interface_Decode(d, b, out + i, lost[k]);
  }
  Encoder_Interface_exit(e); Decoder_Interface_exit(d); return 40;
}
#ifdef __cplusplus
}
#endif
