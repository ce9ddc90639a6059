// Groups and watchlists that are too large for one node, spread over all of them. The node that gets a call asks the nodes
// that have the shares, all at once, and combines their answers. Each node decides for itself which node it believes to have
// which share, and this only affects where the work is done: a node answers for whatever shares it is asked about, so an
// answer is complete or there is none.
import { AppError } from '../../errors.js';
import type { Clock, Log } from '../../platform.js';
import type { Asked } from '../../voice/search/print-gallery.js';
import { scoreSample } from '../../voice/scoring/score.js';
import type { BiometricsStore } from '../ports/store.js';
import { addUp } from '../rules/other-models.js';
import { isCompatible } from '../rules/usable-print.js';
import { joinJudged } from './consistency.js';
import type { Galleries } from './galleries.js';
import type { CollectionPlace, GallerySource, GalleryView, NearestPrint, ViewAsked } from './gallery-view.js';
import {
  answerShares,
  sentSample,
  type ShareAnswer,
  type ShareAnswering,
  type ShareQuestion,
  type ShareWait,
} from './share-questions.js';
import { allShares, nodesInOrder } from './shares.js';

/** The other nodes, as far as this one knows them. */
export interface Peers {
  /** The name of this node. */
  self: string;
  /** Live nodes that divide and score as this one does, including this one. */
  nodes(): readonly string[];
  /** Undefined if the node is unavailable, or its answer is invalid. */
  ask(node: string, question: ShareQuestion, signal: AbortSignal): Promise<ShareAnswer | undefined>;
}

interface SpreadDeps extends ShareAnswering {
  galleries: Pick<Galleries, 'view' | 'openAt' | 'has'>;
  store: BiometricsStore;
  clock: Clock;
  peers: Peers;
  log: Log;
}

interface SpreadStats {
  /** Questions to other nodes, and those that had to be asked elsewhere because a node was unavailable. */
  asked: number;
  takenOver: number;
}

/** How long the number of members of a list is cached. */
const COUNT_MS = 60_000;
/** A shrinking list stays spread until it is clearly smaller, so that it does not move back and forth. */
const STAYS_FROM = 0.8;
/** Samples per question to a node: limits the size of messages. */
const SAMPLES_MAX = 64;
const RETRY_MS = 1000;
/** For internal requests: nobody is shown the field. */
const LIST_FIELD = 'unique_id';

type Question = ShareQuestion extends infer Q
  ? Q extends ShareQuestion
    ? Omit<Q, 'shares' | 'place' | 'wait'>
    : never
  : never;
type AnswerOf<K> = Extract<ShareAnswer, { kind: K }>;

export class SpreadGalleries implements GallerySource {
  readonly stats: SpreadStats = { asked: 0, takenOver: 0 };
  readonly #deps: SpreadDeps;
  readonly #membersMin: number;
  readonly #counted = new Map<string, { isSpread: boolean; members: number; atMs: number }>();

  /** Lists with at least this many members are spread. */
  constructor(deps: SpreadDeps, membersMin: number) {
    this.#deps = deps;
    this.#membersMin = membersMin;
  }

  async view(place: CollectionPlace, asked: ViewAsked): Promise<GalleryView> {
    const { galleries, store } = this.#deps;
    const members = await this.#spreadMembers(place);
    if (members === undefined) return galleries.view(place, asked);
    const { nowMs, tag, named, signal } = asked;
    const seq = await store.read.printChanges.last(place.gkScopeId);
    const about = { seq, now: nowMs, ...(tag && { tag }) };
    const answers = await this.#askAll(place, { ...about, kind: 'counts', named }, signal);
    const sum = (count: 'trained' | 'scorable' | 'unusable' | 'unusableTrained'): number =>
      answers.reduce((all, { counts }) => all + counts[count], 0);
    const has = new Set(answers.flatMap((answer) => answer.has));
    const owners = answers.map(({ counts }) => counts.owners);
    return {
      members,
      trained: sum('trained'),
      scorable: sum('scorable'),
      owners: owners.reduce(
        (all, some) => (all === undefined || some === undefined ? undefined : all + some),
        0,
      ),
      unusable: sum('unusable'),
      unusableTrained: sum('unusableTrained'),
      ofOtherModels: addUp(answers.map(({ counts }) => counts.ofOtherModels ?? {})),
      damaged: answers.flatMap(({ counts }) => counts.damaged),
      has: (id) => has.has(id),
      scores: (model, samples, id) => this.#scores(place, model, samples, id),
      nearest: (wanted) => this.#nearest(place, about, wanted, signal),
      consistency: async (required, limit) => {
        const judged = await this.#askAll(place, { ...about, kind: 'consistency', required, limit }, signal);
        return joinJudged(
          judged.map(({ consistency }) => consistency),
          limit,
        );
      },
    };
  }

  /** Reads this node's shares of spread lists in advance, so that no request has to wait for it. */
  async warm(lists: readonly Omit<CollectionPlace, 'field'>[]): Promise<void> {
    const { galleries, peers, store } = this.#deps;
    for (const list of lists) {
      const place = { ...list, field: LIST_FIELD };
      if ((await this.#spreadMembers(place)) === undefined) continue;
      const groups = sharesByNode(peers.nodes(), place, allShares, 0);
      const own = groups.find(([node]) => node === peers.self)?.[1] ?? [];
      const seq = await store.read.printChanges.last(place.gkScopeId);
      if (own.length > 0) await galleries.openAt(place, seq, own);
    }
  }

  /** The number of members, if it is spread. */
  async #spreadMembers({ gkScopeId, collectionGkId }: CollectionPlace): Promise<number | undefined> {
    const key = `${gkScopeId}/${collectionGkId}`;
    const now = this.#deps.clock.now();
    const known = this.#counted.get(key);
    if (known && Math.abs(now - known.atMs) < COUNT_MS) return known.isSpread ? known.members : undefined;
    const members = await this.#deps.store.read.collections.countMembers(gkScopeId, collectionGkId);
    const isSpread = members >= this.#membersMin * (known?.isSpread ? STAYS_FROM : 1);
    for (const [other, { atMs }] of this.#counted)
      if (now - atMs > COUNT_MS && !this.#counted.get(other)?.isSpread) this.#counted.delete(other);
    this.#counted.set(key, { isSpread, members, atMs: now });
    return isSpread ? members : undefined;
  }

  async #nearest(
    place: CollectionPlace,
    about: Pick<ShareQuestion, 'seq' | 'now' | 'tag'>,
    { model, samples, limit, enoughLlr }: Asked,
    signal: AbortSignal,
  ): Promise<NearestPrint[][]> {
    const found: NearestPrint[][] = [];
    const { scoring } = model;
    for (let from = 0; from < samples.length; from += SAMPLES_MAX) {
      const sent = samples.slice(from, from + SAMPLES_MAX).map(sentSample);
      const question = {
        ...about,
        kind: 'nearest' as const,
        scoring,
        samples: sent,
        limit,
        // JSON has no infinite numbers.
        ...(enoughLlr !== undefined && Number.isFinite(enoughLlr) && { enoughLlr }),
      };
      const answers = await this.#askAll(place, question, signal);
      // A node that has found enough leaves out the rest, whatever the others do.
      const complete = Math.min(sent.length, ...answers.map(({ nearest }) => nearest.length));
      for (let index = 0; index < complete; index++)
        found.push(
          answers
            .flatMap(({ nearest }) => nearest[index] ?? [])
            .sort((a, b) => b.llr - a.llr)
            .slice(0, limit),
        );
      if (complete < sent.length) break;
    }
    return found;
  }

  /** For one print: it is read from the database, which every node has at hand. */
  async #scores(
    { gkScopeId, collectionGkId }: CollectionPlace,
    ...[model, samples, id]: Parameters<GalleryView['scores']>
  ): ReturnType<GalleryView['scores']> {
    const [print] = await this.#deps.store.read.profiles.listInCollection(gkScopeId, collectionGkId, {
      prints: [id],
      owners: [],
    });
    const { trained } = print ?? {};
    if (!trained || !isCompatible(trained, model)) return undefined;
    return samples.map((sample) => {
      const { llr, reliability } = scoreSample(model, trained.template, sample);
      return { llr, reliability };
    });
  }

  /**
   * Every share is answered by some node: a question for an unavailable node goes to the next node that would
   * have the share, in the end to this one. A node that still has to read its shares, because it is new or
   * took them over, is waited for only if the previous node does not answer in its place.
   */
  async #askAll<Q extends Question>(
    place: CollectionPlace,
    question: Q,
    signal: AbortSignal,
  ): Promise<AnswerOf<Q['kind']>[]> {
    const answers: ShareAnswer[] = [];
    const away = new Set<string>();
    const ask = async (shares: readonly number[], wait: ShareWait): Promise<number[]> => {
      const nodes = this.#nodesWithout(away);
      const groups = sharesByNode(nodes, place, shares, wait === 'never' ? 1 : 0);
      const asked = await Promise.all(
        groups.map(async ([node, some]) => {
          const complete = { ...question, place, shares: some, wait } as unknown as ShareQuestion;
          return { node, some, answer: await this.#ask(node, complete, signal) };
        }),
      );
      return asked.flatMap(({ node, some, answer }) => {
        if (!answer) this.#isAway(node, some, away);
        else if (answer.kind !== 'reading') answers.push(answer);
        return answer && answer.kind !== 'reading' ? [] : some;
      });
    };
    let open = await ask(allShares, 'begin');
    if (open.length > 0) open = await ask(open, 'never');
    while (open.length > 0) open = await ask(open, 'read');
    return answers as AnswerOf<Q['kind']>[];
  }

  /** There is always one: this node. */
  #nodesWithout(away: ReadonlySet<string>): readonly string[] {
    const { peers } = this.#deps;
    const nodes = peers.nodes().filter((node) => !away.has(node));
    return nodes.length > 0 ? nodes : [peers.self];
  }

  #isAway(node: string, shares: readonly number[], away: Set<string>): void {
    away.add(node);
    this.stats.takenOver += 1;
    this.#deps.log.warn(
      { node, shares: shares.length },
      'a node is away: others answer for its share of a list',
    );
  }

  /** Undefined if the node is unavailable. */
  async #ask(node: string, question: ShareQuestion, signal: AbortSignal): Promise<ShareAnswer | undefined> {
    const { peers } = this.#deps;
    if (signal.aborted) throw notNow();
    const isOwn = node === peers.self;
    if (!isOwn) this.stats.asked += 1;
    const answer = await (isOwn ? answerShares(this.#deps, question) : peers.ask(node, question, signal));
    if (!answer && signal.aborted) throw notNow();
    if (answer?.kind === 'refused') {
      const { code, message, fields, retryAfterMs } = answer;
      throw new AppError(code, message, { fields, ...(retryAfterMs !== undefined && { retryAfterMs }) });
    }
    return answer?.kind === question.kind || answer?.kind === 'reading' ? answer : undefined;
  }
}

/** By the node that has each share first, or that had it before that node joined. */
function sharesByNode(
  nodes: readonly string[],
  { collectionGkId }: CollectionPlace,
  shares: readonly number[],
  choice: number,
): [node: string, shares: number[]][] {
  const byNode = new Map<string, number[]>();
  for (const share of shares) {
    const inOrder = nodesInOrder(nodes, collectionGkId, share);
    const node = inOrder[choice] ?? inOrder[0] ?? '';
    byNode.set(node, [...(byNode.get(node) ?? []), share]);
  }
  return [...byNode];
}

const notNow = (): AppError =>
  new AppError('BUSY', 'the nodes that hold this list are not ready yet', { retryAfterMs: RETRY_MS });
