// The waveform of a recording; speech is marked by color and by a line below it.
import { useMemo, type ReactNode } from 'react';
import { t } from '../text/voice.js';
import { Canvas, type Draw } from './canvas.js';
import { color } from '../kit/theme.js';
import './plots.css';

interface Stretch {
  /** Seconds. */
  start: number;
  end: number;
}

interface Envelope {
  minimum: readonly number[];
  maximum: readonly number[];
}

export function Waveform({
  envelope,
  seconds,
  speech,
  height = 96,
}: {
  envelope: Envelope;
  seconds: number;
  speech: readonly Stretch[] | undefined;
  height?: number;
}): ReactNode {
  const draw = useMemo<Draw>(
    () => (context, width, tall) => {
      const middle = (tall - 6) / 2;
      const points = envelope.maximum.length;
      const peak = Math.max(0.05, ...envelope.maximum, ...envelope.minimum.map((value) => -value));
      const inSpeech = (second: number): boolean =>
        speech === undefined || speech.some(({ start, end }) => second >= start && second < end);
      const quiet = color('ink-soft');
      const spoken = color('voice');
      context.fillStyle = color('line');
      context.fillRect(0, middle, width, 1);
      const step = 3;
      for (let x = 0; x < width; x += step) {
        const from = Math.floor((x / width) * points);
        const to = Math.max(from + 1, Math.floor(((x + step) / width) * points));
        let high = 0;
        let low = 0;
        for (let index = from; index < to && index < points; index += 1) {
          high = Math.max(high, envelope.maximum[index] ?? 0);
          low = Math.min(low, envelope.minimum[index] ?? 0);
        }
        const top = middle - (high / peak) * middle * 0.94;
        const bottom = middle - (low / peak) * middle * 0.94;
        context.fillStyle = inSpeech((x / width) * seconds) ? spoken : quiet;
        context.fillRect(x, top, 2, Math.max(1, bottom - top));
      }
      if (speech && seconds > 0) {
        context.fillStyle = spoken;
        for (const { start, end } of speech) {
          context.fillRect(
            (start / seconds) * width,
            tall - 4,
            Math.max(1, ((end - start) / seconds) * width),
            3,
          );
        }
      }
    },
    [envelope, seconds, speech],
  );
  const heard = speech?.reduce((sum, { start, end }) => sum + end - start, 0);
  const label =
    heard === undefined || !speech
      ? t.recording.waveform(seconds)
      : t.recording.waveformSpeech(seconds, heard, speech.length);
  return <Canvas height={height} label={label} draw={draw} />;
}

/** An envelope that the browser can draw before the server has examined the recording. */
export function envelopeOf(samples: Float32Array, points = 800): Envelope {
  const minimum: number[] = [];
  const maximum: number[] = [];
  const size = Math.max(1, Math.ceil(samples.length / points));
  for (let at = 0; at < samples.length; at += size) {
    let low = 0;
    let high = 0;
    for (const sample of samples.subarray(at, at + size)) {
      low = Math.min(low, sample);
      high = Math.max(high, sample);
    }
    minimum.push(low);
    maximum.push(high);
  }
  return { minimum, maximum };
}
