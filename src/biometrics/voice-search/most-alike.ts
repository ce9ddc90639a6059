// Which of a tenant's stored calls a voice may be in: all of them are compared, most of them together in blocks, and the most
// similar ones are then read individually, as they are now.
import type { Call } from '../../platform.js';
import { dot } from '../../voice/embedding/vector.js';
import type { Template } from '../../voice/scoring/template.js';
import { Best } from '../../voice/search/best.js';
import { scanBlock } from '../../voice/search/voice-block.js';
import { pauseBetweenSlices } from '../call/pause.js';
import type { CallVoice } from '../ports/call-voices.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { forEachVoice, nothingHeard, type Heard, type Span } from './read-voices.js';

const BLOCKS_AT_ONCE = 8;
const ROWS_AT_ONCE = 200;

interface Question extends Span {
  template: Template;
  /** How many of the most similar calls are wanted. */
  wanted: number;
}

export async function mostAlike(
  deps: BiometricsDeps,
  call: Call,
  question: Question,
): Promise<{ heard: Heard; alike: CallVoice[] }> {
  const { gkScopeId, template, wanted } = question;
  const heard = nothingHeard();
  const nearest = new Nearest(wanted);
  // A voice that was put into a block after it was read individually is not counted again.
  const known = new Set<string>();
  const looking: Looking = { deps, call, question, heard, nearest, known, done: new Set() };
  await dropOutdated(looking);
  await lookIntoBlocks(looking);
  await forEachVoice(deps, call, { ...question, isLoose: true }, heard, ({ gkProcessedAudioId, voice }) => {
    known.add(gkProcessedAudioId);
    nearest.offer(gkProcessedAudioId, dot(template.embedding, voice.embedding));
  });
  await lookIntoBlocks(looking);
  const alike: CallVoice[] = [];
  const pause = pauseBetweenSlices(call);
  for (let at = 0; at < nearest.ids.length; at += ROWS_AT_ONCE) {
    const ids = nearest.ids.slice(at, at + ROWS_AT_ONCE);
    const { voices, unreadable } = await deps.store.read.callVoices.findMany(gkScopeId, ids);
    heard.unreadable += unreadable;
    alike.push(...voices.filter(({ voice }) => voice.modelRevision === question.model.revision));
    await pause();
  }
  return { heard, alike };
}

interface Looking {
  deps: BiometricsDeps;
  call: Call;
  question: Question;
  heard: Heard;
  nearest: Nearest;
  known: Set<string>;
  done: Set<string>;
}

/** The identifiers with the highest cosines. */
class Nearest {
  readonly #best: Best;
  readonly #named = new Map<number, string>();
  #offered = 0;

  constructor(wanted: number) {
    this.#best = new Best(wanted);
  }

  offer(id: string, cosine: number): void {
    if (cosine <= this.#best.worst) return;
    this.#best.offer(cosine, this.#offered);
    this.#named.set(this.#offered++, id);
    if (this.#named.size > 2 * this.#best.limit) this.#forgetOthers();
  }

  get ids(): string[] {
    return this.#best.rows.flatMap((row) => this.#named.get(row) ?? []);
  }

  #forgetOthers(): void {
    const wanted = new Set(this.#best.rows);
    for (const row of [...this.#named.keys()]) if (!wanted.has(row)) this.#named.delete(row);
  }
}

/** Programs that know nothing of blocks delete recordings and leave the block unchanged. */
async function dropOutdated({ deps: { store }, question: { gkScopeId } }: Looking): Promise<void> {
  const outdated = await store.read.callVoices.outdatedBlocks(gkScopeId);
  if (outdated.length > 0) await store.transaction((tx) => tx.callVoices.dropBlocks(gkScopeId, outdated));
}

async function lookIntoBlocks(looking: Looking): Promise<void> {
  const { deps, call, question, heard, done } = looking;
  const { gkScopeId, fromMs, callsMax } = question;
  const pause = pauseBetweenSlices(call);
  const blockIds = await deps.store.read.callVoices.blocks(gkScopeId, fromMs);
  const left = blockIds.filter((blockId) => !done.has(blockId));
  for (let at = 0; at < left.length; at += BLOCKS_AT_ONCE) {
    if (heard.searched >= callsMax) {
      heard.isPartial = true;
      return;
    }
    await lookInto(looking, left.slice(at, at + BLOCKS_AT_ONCE));
    await pause();
  }
}

async function lookInto(looking: Looking, blockIds: readonly string[]): Promise<void> {
  const { deps, call, question, heard, nearest, known, done } = looking;
  const { gkScopeId, fromMs, model, template } = question;
  const wanted = { modelRevision: model.revision, embedding: template.embedding, fromMs };
  for (const { blockId, block } of await deps.store.read.callVoices.openBlocks(gkScopeId, blockIds)) {
    if (block === 'damaged') {
      // Its voices are read one by one instead, until there is a new block.
      call.log.warn({ gkScopeId, blockId }, 'a block of voices cannot be read and is removed');
      await deps.store.transaction((tx) => tx.callVoices.dropBlocks(gkScopeId, [blockId]));
      continue;
    }
    done.add(blockId);
    const { ids } = block;
    const skip = known.size > 0 ? ids.map((id) => known.has(id)) : [];
    const found = scanBlock(block, wanted, skip, (row, cosine) => nearest.offer(ids[row] as string, cosine));
    heard.searched += found.searched;
    heard.otherModel += found.otherModel;
  }
}
