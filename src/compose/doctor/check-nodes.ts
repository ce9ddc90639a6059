// The check of `voxgate doctor` whether the nodes that share large groups and watchlists reach each other.
import { connect } from 'node:net';
import { hostPortOf } from '../../config.js';
import { readNote, type NodeNotes } from '../../nodes/registry.js';
import { ok, warning, type Verdict } from './finding.js';

const CONNECT_TIMEOUT_MS = 2000;
const ADVICE =
  'See that `nodes.address` of every node is an address at which the others reach it, and that no firewall is between them. Until then the others answer for its part; a node that is gone is forgotten within two minutes.';

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
      `${noted.length} are reached, but they have different programs or speaker models`,
      'Bring all nodes to one version: until then each kind shares large lists among its own only.',
    );
  return ok(`${noted.length} are reached: ${addresses.join(', ')}`);
}

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
