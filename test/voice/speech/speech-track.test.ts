// Speech found while audio arrives: in the end the same as for the whole file, however the audio was cut.
import { describe, expect, it } from 'vitest';
import { resample } from '../../../src/voice/resample.js';
import { perFrame } from '../../../src/voice/speech/detect-speech.js';
import { formSegments } from '../../../src/voice/speech/form-segments.js';
import { speechProbabilities } from '../../../src/voice/speech/speech-net.js';
import { SpeechTrack } from '../../../src/voice/speech/speech-track.js';
import { pinkNoise, createRng, silence } from '../../support/sounds.js';
import { hear, joined, logmel, speechModel } from '../../support/speech.js';
import { voiceSamples } from '../../support/voice-samples.js';

async function call(): Promise<Float32Array> {
  return joined(
    silence(0.7),
    await voiceSamples('anna', 1),
    silence(1),
    await voiceSamples('anna', 2),
    silence(0.5),
  );
}

function heard(x: Float32Array, rate: number, size: number): { track: SpeechTrack; counts: number[] } {
  const track = new SpeechTrack(rate, { model: speechModel, logmel });
  const counts: number[] = [];
  for (let at = 0; at < x.length; at += size) {
    track.push(x.subarray(at, at + size));
    counts.push(track.speechFrames.length);
  }
  track.finish();
  return { track, counts };
}

const framesOf = ({ speechFrames }: SpeechTrack): (number | undefined)[] =>
  Array.from({ length: speechFrames.length }, (_, i) => speechFrames.at(i));

describe('speech as it comes', () => {
  it.each([
    [16000, 320],
    [8000, 160],
    [8000, 1999],
    [44100, 882],
  ])('is the same at %d Hz in chunks of %d as for the whole', async (rate, size) => {
    const x = resample(await call(), 16000, rate);
    const { track, counts } = heard(x, rate, size);
    const whole = hear(x, rate);
    expect([...track.upTo().speech.mask]).toEqual([...whole.speech.mask]);
    expect(framesOf(track)).toEqual([...whole.speech.mask.keys()].filter((i) => whole.speech.mask[i] === 1));
    expect(track.samples.subarray(0, track.samples.length)).toEqual(whole.samples16k);
    // Most of it is known long before the end.
    expect(counts.at(-1)).toBeGreaterThan(0.7 * track.speechFrames.length);
    expect(counts).toEqual(counts.slice().sort((a, b) => a - b));
  });

  it.each([
    ['telephone', 8000],
    ['wide band', 16000],
  ])('tells 3 s of speech before another 300 ms have come (%s)', async (_band, rate) => {
    const talk = joined(silence(0.4), await voiceSamples('bruno', 4), await voiceSamples('bruno', 5));
    const x = resample(talk, 16000, rate);
    const track = new SpeechTrack(rate, { model: speechModel, logmel });
    const step = rate / 100;
    let at = 0;
    const isTold = (): boolean => (track.speechFrames.at(299) ?? Infinity) + 15 < track.settledFrames;
    for (; at < x.length && !isTold(); at += step) track.push(x.subarray(at, at + step));
    expect((1000 * at) / rate - 10 * (track.speechFrames.at(299) as number)).toBeLessThan(300);
    // And says when it will look.
    expect(track.untilLookMs).toBeGreaterThan(0);
  });

  it('is nearly that of a detector that hears all of it before it answers', async () => {
    const talk = joined(...(await Promise.all([1, 2, 3, 4, 5].map((i) => voiceSamples('carl', i)))));
    const { data, frames } = logmel(talk);
    const patient = formSegments(perFrame(speechProbabilities(speechModel, data, frames), frames)).mask;
    const { mask } = hear(talk).speech;
    expect(mask.length).toBe(patient.length);
    expect(mask.filter((value, i) => value !== patient[i]).length).toBeLessThan(0.01 * mask.length);
  });

  it('can be looked at as if it ended earlier', async () => {
    const { track } = heard(await call(), 16000, 1000);
    const part = track.upTo(300);
    expect(part.frames).toBe(300);
    expect(part.speech.mask.length).toBe(300);
    expect(part.samples).toBe(299 * 160 + 400);
    expect(part.all).toBe(false);
  });

  it('is not found in noise', () => {
    expect(heard(pinkNoise(8, createRng(2)), 16000, 4000).track.speechFrames.length).toBe(0);
  });

  it('is over once it is over', async () => {
    const { track } = heard(await call(), 16000, 16_000);
    const before = track.grossMs;
    track.push(new Float32Array(1000));
    track.finish();
    expect(track.grossMs).toBe(before);
  });
});
