#include "gsm.h"
#include <string.h>
int roundtrip(const short *in, int n, short *out, int mode, const unsigned char *lost) {
  gsm e = gsm_create(), d = gsm_create(); gsm_frame f, last; memset(last, 0, sizeof last); int have = 0;
  for (int i = 0, k = 0; i + 160 <= n; i += 160, k++) {
    gsm_signal s[160], o[160]; memcpy(s, in + i, 320); gsm_encode(e, s, f);
    if (lost[k]) { if (have) gsm_decode(d, last, o); else memset(o, 0, 320); for (int j = 0; j < 160; j++) o[j] = o[j] / 2; }
    else { gsm_decode(d, f, o); memcpy(last, f, sizeof last); have = 1; }
    memcpy(out + i, o, 320);
  }
  gsm_destroy(e); gsm_destroy(d); return 0;
}
