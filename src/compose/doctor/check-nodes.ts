// The check of `voxgate doctor` whether nodes take each other's tokens.
import { setTimeout as pause } from 'node:timers/promises';
import { ISSUER_ADVICE, readNote, type NodeNotes } from '../../nodes/registry.js';
import { ok, warning, type Verdict } from './finding.js';

/** Longer than a node takes to note itself again. */
const BEAT_MS = 8000;

/** Whether nodes take each other's tokens. Where they say different things, only those count that are still there. */
export async function checkPublicUrls(notes: NodeNotes): Promise<Verdict> {
  const first = await notes.list();
  const [only, ...more] = issuersIn(first);
  if (only === undefined) return ok('none is running');
  if (more.length === 0) return ok(`the same on all nodes: ${only}`);
  await pause(BEAT_MS);
  const before = new Map(first.map(({ nodeId, note }) => [nodeId, note]));
  const issuers = issuersIn((await notes.list()).filter(({ nodeId, note }) => before.get(nodeId) !== note));
  if (issuers.length === 0) return ok('none is running');
  if (issuers.length === 1) return ok(`the same on all nodes: ${issuers.join()}`);
  return warning(
    `different on nodes of this database, which refuse each other's tokens: ${issuers.join(', ')}`,
    `${ISSUER_ADVICE}.`,
  );
}

const issuersIn = (notes: readonly { note: string }[]): string[] =>
  [...new Set(notes.flatMap(({ note }) => readNote(note)?.issuer ?? []))].sort();
