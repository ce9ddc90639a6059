// The gates, their order, and that each says what to do next.
import { describe, expect, it } from 'vitest';
import { audioGates } from '../../../src/biometrics/rules/media-for-engine.js';
import { defaultParameters } from '../../../src/biometrics/model/parameters.js';
import { defaultGates, judgeAudio, judgeInvalid } from '../../../src/voice/quality/judge-audio.js';
import type { AudioQuality } from '../../../src/voice/quality/types.js';

const good: AudioQuality = {
  grossMs: 8000, netMs: 6000, uncertainMs: 0, snrDb: 25, calibrationSnrDb: 25, speechLevelDbfs: -24, peakDbfs: -6,
  saturatedPerMinute: 0, bandwidth: 'narrow', highBandDb: -40, dropouts: 0,
}; // prettier-ignore

const { enroll, verify } = defaultGates;

describe('judgeAudio', () => {
  it('lets good audio pass', () => {
    expect(judgeAudio(good, verify)).toMatchObject({ validity: 'AUDIO_OK', failed: [] });
  });

  it.each([
    ['AUDIO_TOO_SHORT', { netMs: 1400 }],
    ['AUDIO_TOO_SHORT', { netMs: 0, speechLevelDbfs: -120, snrDb: 0 }],
    ['AUDIO_TOO_SOFT', { netMs: 0, peakDbfs: -60 }],
    ['AUDIO_TOO_SOFT', { speechLevelDbfs: -55 }],
    ['AUDIO_TOO_LOUD', { saturatedPerMinute: 50_000 }],
    ['AUDIO_TOO_NOISY', { snrDb: 2 }],
    // Long enough, were it not for the noise; without noise, or not even then long enough, more speech is what helps.
    ['AUDIO_TOO_NOISY', { netMs: 0, uncertainMs: 4000, snrDb: 1 }],
    ['AUDIO_TOO_NOISY', { netMs: 900, uncertainMs: 900, snrDb: 3 }],
    ['AUDIO_TOO_SHORT', { netMs: 900, uncertainMs: 900, snrDb: 20 }],
    ['AUDIO_TOO_SHORT', { netMs: 200, uncertainMs: 400, snrDb: 1 }],
    ['MULTIPLE_SPEAKERS_DETECTED', { numberOfSpeakers: 2 }],
  ] as const)('says %s', (validity, change) => {
    const verdict = judgeAudio({ ...good, ...change }, verify);
    expect(verdict.validity).toBe(validity);
    expect(verdict.advice).toMatch(/^[A-Z].{15,}\.$/);
    expect(verdict.explanation.length).toBeGreaterThan(10);
  });

  it('names every gate that fails, the first one decides', () => {
    const verdict = judgeAudio(
      { ...good, netMs: 500, speechLevelDbfs: -60, snrDb: 1, numberOfSpeakers: 3 },
      verify,
    );
    expect(verdict.validity).toBe('AUDIO_TOO_SHORT');
    expect(verdict.failed.map((f) => f.validity)).toEqual([
      'AUDIO_TOO_SHORT',
      'AUDIO_TOO_SOFT',
      'AUDIO_TOO_NOISY',
      'MULTIPLE_SPEAKERS_DETECTED',
    ]);
  });

  it('is stricter for enrollment, and takes limits of the caller', () => {
    expect(judgeAudio({ ...good, snrDb: 6 }, verify).validity).toBe('AUDIO_OK');
    expect(judgeAudio({ ...good, snrDb: 6 }, enroll).validity).toBe('AUDIO_TOO_NOISY');
    expect(judgeAudio(good, { ...verify, netMsMin: 7000 }).validity).toBe('AUDIO_TOO_SHORT');
    expect(judgeAudio({ ...good, numberOfSpeakers: 2 }, { ...verify, speakersMax: 2 }).validity).toBe(
      'AUDIO_OK',
    );
  });

  it('judges by itself as a new config set does', () => {
    expect(defaultGates.enroll).toMatchObject(audioGates(defaultParameters, true));
    expect(defaultGates.verify).toMatchObject(audioGates(defaultParameters, false));
  });

  it('explains files that cannot be read', () => {
    const verdict = judgeInvalid({
      ok: false,
      code: 'UNSUPPORTED_RATE',
      reason: 'The sampling rate is 4000 Hz.',
      exceeded: { measure: 'sampling_rate_hz', value: 4000, min: 6000, max: 192_000 },
    });
    expect(verdict).toMatchObject({
      exceeded: { value: 4000 },
      validity: 'INVALID_AUDIO',
      explanation: 'The sampling rate is 4000 Hz.',
    });
    expect(verdict.advice).toContain('8 to 48 kHz');
  });
});
