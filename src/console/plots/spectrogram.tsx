// Energy by time and frequency, from the server's bytes: quiet is the paper, loud is the ink.
import { useMemo, type ReactNode } from 'react';
import type { SpectrogramJson } from '../../gen/voxgate/biosec/v1/lab_pb.js';
import { num } from '../text/tools.js';
import { finite } from '../format/text.js';
import { t } from '../text/voice.js';
import { Canvas, type Draw } from './canvas.js';
import { color, rgb } from '../kit/theme.js';
import './plots.css';

const HZ_MAX = 8000;

/** Its values are base64: one byte per cell, column after column, lowest band first. */
export function Spectrogram({
  data,
  seconds,
  height = 140,
}: {
  data: SpectrogramJson;
  seconds: number;
  height?: number;
}): ReactNode {
  const hz = finite(data.maxHz) ?? HZ_MAX;
  const draw = useMemo<Draw>(
    () => (context, width, tall) => {
      const { columns = 0, rows = 0, values = '' } = data;
      if (columns === 0 || rows === 0) return;
      const bytes = Uint8Array.from(atob(values), (char) => char.charCodeAt(0));
      const stops = [rgb('sunken'), rgb('chart-1'), rgb('voice'), rgb('voice-soft')];
      const image = new ImageData(columns, rows);
      for (let column = 0; column < columns; column += 1) {
        for (let row = 0; row < rows; row += 1) {
          const share = ((bytes[column * rows + row] ?? 0) / 255) * (stops.length - 1);
          const low = Math.min(stops.length - 2, Math.floor(share));
          const at = ((rows - 1 - row) * columns + column) * 4;
          for (let part = 0; part < 3; part += 1) {
            const from = stops[low]?.[part] ?? 0;
            const to = stops[low + 1]?.[part] ?? 0;
            image.data[at + part] = from + (to - from) * (share - low);
          }
          image.data[at + 3] = 255;
        }
      }
      const small = new OffscreenCanvas(columns, rows);
      small.getContext('2d')?.putImageData(image, 0, 0);
      context.imageSmoothingEnabled = true;
      context.drawImage(small, 0, 0, width, tall);
      context.fillStyle = color('surface');
      context.globalAlpha = 0.85;
      context.fillRect(4, 4, 58, 16);
      context.globalAlpha = 1;
      context.fillStyle = color('ink');
      context.font = '11px sans-serif';
      context.fillText(`${num(hz / 1000, 1)} kHz`, 8, 16);
    },
    [data, hz],
  );
  return (
    <Canvas
      height={height}
      draw={draw}
      label={t.recording.spectrogram(seconds, hz / 1000, data.mel ?? false)}
    />
  );
}
