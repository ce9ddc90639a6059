import { describe, expect, it } from 'vitest';
import { envelopeOf } from '../../../src/voice/inspect/envelope.js';
import { spectrogramOf } from '../../../src/voice/inspect/spectrogram.js';
import { createLogMelExtractor } from '../../../src/voice/features/log-mel.js';

describe('the envelope', () => {
  it('holds the extremes of every step, of the last one too', () => {
    const samples = Float32Array.from([0.1, -0.2, 0.5, 0.25, -0.75, 0, 0.9]);
    const { minimum, maximum } = envelopeOf(samples, 3);
    expect([...maximum].map((v) => Number(v.toFixed(2)))).toEqual([0.1, 0.5, 0.9]);
    expect([...minimum].map((v) => Number(v.toFixed(2)))).toEqual([-0.2, 0.25, -0.75]);
  });

  it('has no more steps than samples', () => {
    expect(envelopeOf(new Float32Array(2), 800).maximum).toHaveLength(2);
    expect(envelopeOf(new Float32Array(0), 800).maximum).toHaveLength(0);
  });
});

describe('the spectrogram', () => {
  const tone = (hz: number, amplitude: number) =>
    Float32Array.from({ length: 16_000 }, (_, i) => amplitude * Math.sin((2 * Math.PI * hz * i) / 16_000));

  it('shows a tone as its brightest row, near full scale when it is', () => {
    const { data, frames, bins } = createLogMelExtractor()(tone(3000, 0.9));
    const picture = spectrogramOf(data, frames, bins, 20);
    expect([picture.columns, picture.rows, picture.values.length]).toEqual([20, 80, 1600]);
    for (let column = 0; column < 20; column++) {
      const cells = [...picture.values.subarray(column * 80, (column + 1) * 80)];
      const brightest = cells.indexOf(Math.max(...cells));
      // 3 kHz on a mel scale of 80 bands up to 7.6 kHz.
      expect(brightest).toBeGreaterThan(48);
      expect(brightest).toBeLessThan(58);
    }
    expect(Math.max(...picture.values)).toBe(255);
    expect(picture.maxDb - picture.minDb).toBeCloseTo(80);
    expect(Math.abs(picture.maxDb)).toBeLessThan(12);
  });

  it('sinks with the level', () => {
    const extract = createLogMelExtractor();
    const at = (amplitude: number) => {
      const { data, frames, bins } = extract(tone(1000, amplitude));
      return spectrogramOf(data, frames, bins, 5).maxDb;
    };
    expect(at(0.8) - at(0.08)).toBeCloseTo(20, 0);
  });

  it('is empty for no audio', () => {
    expect(spectrogramOf(new Float32Array(0), 0, 80, 600)).toMatchObject({ columns: 0, rows: 80 });
  });
});
