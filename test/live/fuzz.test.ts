// @module-tag slow
// A small run of bench/fuzz-live.ts: whatever a telephone system sends is taken or refused, and nothing else happens.
import { describe, expect, it } from 'vitest';
import {
  protocolNames,
  fuzzAudioSocket,
  fuzzProtocol,
  fuzzSignature,
  fuzzStreams,
} from '../support/fuzz-protocols.js';

const FRAMES = 1500;
const SEED = 5_000_000;

describe('mutated frames', () => {
  it.each(protocolNames)('of %s are taken or refused', async (name) => {
    const { frames, refused, begun } = await fuzzProtocol(name, FRAMES, SEED);
    expect(frames).toBeGreaterThanOrEqual(FRAMES);
    // Both happen, or the damage was too great or too small to say anything.
    expect(refused[name]).toBeGreaterThan(0);
    expect(begun[name]).toBeGreaterThan(0);
  });

  it('of AudioSocket are taken or refused', async () => {
    expect(await fuzzAudioSocket(FRAMES, SEED)).toBeGreaterThan(0);
  });

  it('never make a signature good', () => {
    expect(fuzzSignature(FRAMES, SEED)).toBeGreaterThan(0.9 * FRAMES);
  });

  it('of every encoding become samples or a fault', async () => {
    await fuzzStreams(FRAMES, SEED);
  });
});
