// Whom a stored call was said to be of: by the session, by the recording, or by the voiceprint that was named.
import { expect, it } from 'vitest';
import { callsOf } from '../../../src/biometrics/voice-search/stored-calls.js';
import type { SessionPerson } from '../../../src/biometrics/model/sessions.js';
import type { BiometricsDeps } from '../../../src/biometrics/ports/deps.js';

async function saidToBe(known: {
  claimed?: string;
  recording?: string;
  persons?: readonly SessionPerson[];
  erased?: string;
  isCallErased?: boolean;
}): Promise<string | undefined> {
  const audio = { gkProcessedAudioId: 'audio', gkSessionId: 'session', gkPersonId: known.recording };
  const read = {
    processedAudios: { findMany: async () => [audio] },
    media: { find: async () => undefined },
    factors: { aboutSessions: async () => new Map([['session', { persons: known.persons ?? [] }]]) },
    sessions: {
      find: async () => ({ claimedGkPersonId: known.claimed, details: { sessionId: 'call' } }),
      findMany: async () => [],
      heardBy: async () => new Map(),
    },
    erasure: {
      isErased: async (gkPersonId: string) => gkPersonId === known.erased,
      erasedAmong: async () => new Set(known.isCallErased ? ['session'] : []),
    },
    parties: { find: async () => ({ externalId: 'somebody', details: {} }) },
  };
  const deps = { store: { read } } as unknown as BiometricsDeps;
  return (await callsOf(deps, 'tenant', [{ gkProcessedAudioId: 'audio' }], 1))[0]?.gkPersonId;
}

const verified: SessionPerson = { gkPersonId: 'verified', role: 'VERIFIED' };

it.each([
  ['whom the session claims', { claimed: 'claimed', recording: 'sent', persons: [verified] }, 'claimed'],
  ['whom the recording was sent for', { recording: 'sent', persons: [verified] }, 'sent'],
  ['whose print was named', { persons: [verified] }, 'verified'],
  [
    'nobody, where a voice was only recognized',
    { persons: [{ gkPersonId: 'r', role: 'RECOGNIZED' }] },
    undefined,
  ],
  ['nobody, where nothing is known', {}, undefined],
  ['nobody, where the call was erased', { persons: [verified], isCallErased: true }, undefined],
  ['nobody who was erased', { persons: [verified], erased: 'verified' }, undefined],
] as const)('%s', async (_name, known, expected) => {
  expect(await saidToBe(known)).toBe(expected);
});
