// What a node asks the nodes that have shares of a list, and how each of them answers: plain data, because most of them are
// other processes.
import { AppError, type ErrorCode, type FieldFault } from '../../errors.js';
import type { Log } from '../../platform.js';
import type { ScoringSettings, SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { ListConsistency, RequiredCalibration } from './consistency.js';
import type { Galleries } from './galleries.js';
import type { CollectionPlace, GalleryCounts, NearestPrint, ViewAsked } from './gallery-view.js';

/** Nodes with another program or model divide or score differently: they are never asked. */
export const shareFormatOf = ({ revision, dim }: Pick<SpeakerModel, 'revision' | 'dim'>): string =>
  `1/${revision}/${dim}`;

/**
 * What a node does if it does not have the shares: `read` them and answer, `begin` to read them and say so at
 * once, or `never`, because they belong to another node and are only wanted until that one has read them.
 */
export type ShareWait = 'read' | 'begin' | 'never';

interface SentSample extends Omit<VoiceSample, 'embedding'> {
  embedding: readonly number[];
}

export type ShareQuestion = {
  place: CollectionPlace;
  shares: readonly number[];
  /** The change that the answer must include. */
  seq: number;
  /** The name that nodes of every version use. */
  now: ViewAsked['nowMs'];
  tag?: string;
  wait: ShareWait;
} & (
  | { kind: 'counts'; named: readonly string[] }
  | {
      kind: 'nearest';
      scoring: ScoringSettings;
      samples: readonly SentSample[];
      limit: number;
      /** Nodes of an earlier version answer for all samples. */
      enoughLlr?: number;
    }
  | { kind: 'consistency'; required: RequiredCalibration; limit: number }
);

export type ShareAnswer =
  | { kind: 'counts'; counts: GalleryCounts; has: readonly string[] }
  | { kind: 'nearest'; nearest: NearestPrint[][] }
  | { kind: 'consistency'; consistency: ListConsistency }
  /** The shares are being read: ask again. */
  | { kind: 'reading' }
  | {
      kind: 'refused';
      code: ErrorCode;
      message: string;
      fields: readonly FieldFault[];
      retryAfterMs?: number;
    };

/** A node reports at least this often, so that a dead node is not mistaken for one that is reading. */
const READING_MS = 1500;

export interface ShareAnswering {
  galleries: Pick<Galleries, 'openAt' | 'has'>;
  model: SpeakerModel;
  log: Log;
}

/** Answers for this node, whatever shares it is asked for: shares that it does not have are read first. */
export async function answerShares(
  { galleries, model, log }: ShareAnswering,
  question: ShareQuestion,
): Promise<ShareAnswer> {
  try {
    const { place, seq, shares, wait } = question;
    const hasShares = galleries.has(place, shares);
    if (!hasShares && wait === 'never') return { kind: 'reading' };
    const opening = galleries.openAt(place, seq, shares);
    // The next request is told if it fails.
    opening.catch(() => {});
    if (!hasShares && wait === 'begin') return { kind: 'reading' };
    const gallery = await withinMs(opening, READING_MS);
    if (!gallery) return { kind: 'reading' };
    const view = gallery.at(question.now, question.tag, new Set(question.shares));
    switch (question.kind) {
      case 'counts': {
        const { trained, scorable, owners, unusable, unusableTrained, ofOtherModels, damaged } = view;
        const counts = {
          trained,
          scorable,
          owners,
          unusable,
          unusableTrained,
          damaged,
          ...(ofOtherModels && { ofOtherModels }),
        };
        return { kind: 'counts', counts, has: question.named.filter((id) => view.has(id)) };
      }
      case 'nearest': {
        const { scoring, limit, enoughLlr } = question;
        const samples = question.samples.map(receivedSample);
        const nearest = await view.nearest({
          model: { ...model, scoring },
          samples,
          limit,
          ...(enoughLlr !== undefined && { enoughLlr }),
        });
        return { kind: 'nearest', nearest };
      }
      case 'consistency':
        return {
          kind: 'consistency',
          consistency: await view.consistency(question.required, question.limit),
        };
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, fields, retryAfterMs } = error;
    log.debug({ code }, 'a question of another node was refused');
    return { kind: 'refused', code, message, fields, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
}

export function sentSample({ embedding, ...sample }: VoiceSample): SentSample {
  return { ...sample, embedding: [...embedding] };
}

function receivedSample({ embedding, ...sample }: SentSample): VoiceSample {
  return { ...sample, embedding: Float32Array.from(embedding) };
}

/** Undefined if it takes longer; the work goes on nevertheless. */
async function withinMs<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
