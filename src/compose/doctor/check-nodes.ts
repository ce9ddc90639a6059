// The checks of `voxgate doctor` whether the nodes that share large groups and watchlists reach each other, and whether nodes take
// each other's tokens.
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { hostPortOf } from '../../config/read-text.js';
import { ISSUER_ADVICE, readNote, type NodeNotes } from '../../nodes/registry.js';
import { ok, warning, type Verdict } from './finding.js';

const CONNECT_TIMEOUT_MS = 2000;
/** Longer than a node takes to note itself again. */
const BEAT_MS = 8000;
const ADVICE =
  'Make sure that `nodes.address` of every node is an address at which the others can reach it, and that no firewall is in between. Until then the others answer for its part; a node that is gone is forgotten within two minutes.';

export async function checkNodes(notes: NodeNotes): Promise<Verdict> {
  const noted = (await notes.list()).flatMap(({ note }) => readNote(note) ?? []);
  if (noted.length === 0) return ok('none is running');
  const addresses = noted.map(({ address }) => address);
  const reached = await Promise.all(addresses.map(isReachable));
  const away = addresses.filter((_, index) => !reached[index]);
  if (away.length > 0)
    return warning(
      `${away.length} of ${noted.length} cannot be reached from here: ${away.join(', ')}`,
      ADVICE,
    );
  if (new Set(noted.map(({ speaks }) => speaks)).size > 1)
    return warning(
      `${noted.length} can be reached, but they have different program versions or speaker models`,
      'Bring all nodes to one version: until then, nodes share large lists only with nodes of the same kind.',
    );
  return ok(`${noted.length} are reached: ${addresses.join(', ')}`);
}

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

function isReachable(address: string): Promise<boolean> {
  const place = hostPortOf(address);
  if (!place) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ ...place, timeout: CONNECT_TIMEOUT_MS });
    const end = (isReached: boolean) => () => {
      socket.destroy();
      resolve(isReached);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}
