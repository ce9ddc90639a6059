/** Reads the synthetic speech under test/fixtures; see the README there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', 'fixtures');

export const voiceNames = ['anna', 'bruno', 'carl', 'dora', 'emil', 'fritz'] as const;
export type VoiceName = (typeof voiceNames)[number];

/** One of five sentences (1 to 5), 5 to 8 s, 16 kHz, Ogg Opus. */
export function voiceFile(voice: VoiceName, sentence: number): Uint8Array {
  return readFileSync(join(ROOT, 'voices', voice, `${sentence}.opus`));
}

export function formatFile(name: string): Uint8Array {
  return readFileSync(join(ROOT, 'formats', name));
}

export function formatNames(): string[] {
  return readdirSync(join(ROOT, 'formats')).sort();
}
