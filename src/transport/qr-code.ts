// QR codes as the path of a picture, for pages of this server and for whoever draws them elsewhere.
import encodeQR from 'qr';

export interface QrCode {
  /** Width and height of the view box, the quiet zone included. */
  size: number;
  /** `d` of an SVG path: the dark modules, one stroke for each run. */
  path: string;
}

const QUIET_ZONE = 4;

export function qrCode(text: string): QrCode {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  let path = '';
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      const from = x;
      while (row[x]) x++;
      if (x > from) path += `M${from} ${y}h${x - from}v1h${from - x}z`;
    }
  });
  return { size: rows.length, path };
}
