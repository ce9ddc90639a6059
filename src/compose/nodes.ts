// Nodes that ask each other about their parts of large groups and watchlists; only where nodes.listen is set.
import { hostname } from 'node:os';
import type { Peers, SpreadGalleries } from '../biometrics/galleries/spread-galleries.js';
import type { ShareAnswer, ShareQuestion } from '../biometrics/galleries/share-questions.js';
import { hostPortOf, nodeAddressOf } from '../config/read-text.js';
import { AppError } from '../errors.js';
import { reachedAt } from '../nodes/address.js';
import { NodeAsker } from '../nodes/ask-node.js';
import { Envelopes } from '../nodes/envelope.js';
import { NodeListener, QUESTIONS_AT_ONCE_MAX } from '../nodes/listener.js';
import { NodeRegistry } from '../nodes/registry.js';
import { nodeNotes } from '../storage/nodes.js';
import { openBytes, sealBytes } from '../storage/sealing/cipher.js';
import { loadSecret } from '../storage/sealing/secrets.js';
import type { OwnMetric } from '../transport/metrics.js';
import type { Core, Part } from './part.js';
import type { Storage } from '../storage/open-storage.js';

const KEY_VERSION = 1;

interface Nodes extends Required<Pick<Part, 'metrics' | 'drain' | 'stop'>> {
  peers: Peers;
  /** From now on this node answers, and others find it. */
  open(answer: (question: ShareQuestion) => Promise<ShareAnswer>, spread: SpreadGalleries): Promise<void>;
}

export async function joinNodes(core: Core, { database, keyring }: Storage, speaks: string): Promise<Nodes> {
  const { log, ids, config } = core;
  const nodeId = ids.uuid();
  const sealing = {
    seal: (key: Uint8Array, content: Uint8Array, place: string) =>
      sealBytes(key, KEY_VERSION, content, place),
    open: openBytes,
  };
  const envelopes = new Envelopes(sealing, await loadSecret(database, keyring, 'nodes'));
  const asker = new NodeAsker(envelopes);
  let registry: NodeRegistry | undefined;
  let listener: NodeListener | undefined;
  let spreading: SpreadGalleries | undefined;

  const ask: Peers['ask'] = async (node, question, signal) => {
    const address = registry?.addressOf(node);
    if (address === undefined) return undefined;
    try {
      return (await asker.ask({ nodeId: node, address }, question, signal)) as ShareAnswer;
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      if (!signal.aborted) {
        registry?.suspect(node);
        log.warn({ err: cause, node, address }, 'a node does not answer');
      }
      return undefined;
    }
  };

  return {
    peers: { self: nodeId, nodes: () => registry?.nodes() ?? [nodeId], ask },
    async open(answer, spread) {
      spreading = spread;
      listener = new NodeListener({
        ...{ nodeId, envelopes, log, atOnceMax: QUESTIONS_AT_ONCE_MAX },
        answer: (asked) => answer(asked as ShareQuestion),
      });
      const listen = hostPortOf(config.nodes.listen) ?? { host: '127.0.0.1', port: 0 };
      const port = await listener.start(listen);
      const address = reachedAt(nodeAddressOf(config.nodes.address), { ...listen, port }, hostname());
      const deps = { notes: nodeNotes(database), log, elapsedMs: () => performance.now() };
      registry = new NodeRegistry(deps, { nodeId, address, speaks });
      await registry.start();
      log.info({ node: nodeId, address }, 'other nodes find this one');
    },
    metrics: nodeMetrics({
      nodes: () => registry?.nodes().length ?? 1,
      asked: () => spreading?.stats.asked ?? 0,
      takenOver: () => spreading?.stats.takenOver ?? 0,
      refused: () => listener?.refused ?? 0,
    }),
    // Others stop asking this node while it still answers.
    drain: async () => registry?.stop(),
    async stop() {
      await registry?.stop();
      await listener?.stop();
      asker.close();
    },
  };
}

function nodeMetrics(value: Record<'nodes' | 'asked' | 'takenOver' | 'refused', () => number>): OwnMetric[] {
  return [
    {
      name: 'voxgate_nodes',
      type: 'gauge',
      help: 'Nodes that this one shares large groups and watchlists with, itself included',
      value: value.nodes,
    },
    {
      name: 'voxgate_node_questions_total',
      type: 'counter',
      help: 'Questions to other nodes about their parts of groups and watchlists',
      value: value.asked,
    },
    {
      name: 'voxgate_node_takeovers_total',
      type: 'counter',
      help: 'Requests sent to another node because the first was unavailable',
      value: value.takenOver,
    },
    {
      name: 'voxgate_node_questions_refused_total',
      type: 'counter',
      help: 'Questions that were not from a node of this installation, or too many at once',
      value: value.refused,
    },
  ];
}
