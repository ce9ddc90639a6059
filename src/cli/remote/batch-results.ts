// What became of the lines of a batch: how it is read, and how it is written for people, programs and spreadsheets.
import type { Voxgate } from '../../client/index.js';
import type { BatchJson, LineOutcomeJson, LineResultJson } from '../../gen/voxgate/batch/v1/batch_pb.js';
import { resultsHead, resultsRows } from '../../manifest/results-csv.js';
import { table } from '../flags.js';
import type { Result } from './remote-command.js';

const PAGE_SIZE = 1000;
/** All lines have an answer, and some of them not the hoped-for one; 1 is a failure. */
const SOME_NOT_DONE = 2;
const CANCELED = 3;
/** Reason of lines that nobody got to before the batch was canceled. */
const NOT_REACHED = 'CANCELLED';

interface SoughtResults {
  outcome?: LineOutcomeJson | undefined;
  reason?: string | undefined;
}

/** In pages, by rising line. */
export async function* resultsOf(
  voxgate: Voxgate,
  gkJobId: string,
  sought: SoughtResults = {},
): AsyncGenerator<LineResultJson[]> {
  const { context } = voxgate;
  for (let afterLine = 0; ;) {
    const request = { context, gkJobId, afterLine, pageSize: PAGE_SIZE, ...sought };
    const { results = [], hasMore = false } = await voxgate.call('ListBatchResults', request);
    if (results.length > 0) yield results;
    if (!hasMore) return;
    afterLine = results.at(-1)?.line ?? afterLine;
  }
}

export const formats = ['text', 'json', 'csv'] as const;
export type Format = (typeof formats)[number];

/** Text of one page after another; each ends with a line break. */
export async function* written(
  pages: AsyncIterable<readonly LineResultJson[]>,
  format: Format,
): AsyncGenerator<string> {
  if (format === 'csv') yield resultsHead();
  for await (const page of pages) {
    if (format === 'json') yield page.map((line) => `${JSON.stringify(line)}\n`).join('');
    else if (format === 'csv') yield resultsRows(page);
    else yield `${table(page.map(rowOf), '').join('\n')}\n`;
  }
}

function rowOf({
  line = 0,
  ownerId = '',
  outcome,
  reason = '',
  decision = '',
  message = '',
  fraudsterId = '',
  recordings = [],
  channels = [],
}: LineResultJson) {
  const said = [message, ...(fraudsterId ? [`fraudster ${fraudsterId}`] : [])].filter(Boolean).join('; ');
  const places = recordings.map((place, at) => (channels[at] ? `${place}, channel ${channels[at]}` : place));
  const about = ownerId || places.join('|');
  return [String(line), about, outcomeWord(outcome), reason, decision, said];
}

const outcomeWord = (outcome: LineOutcomeJson | undefined): string =>
  (outcome ?? '').replace('LINE_OUTCOME_', '');

export const stateWord = ({ state }: BatchJson): string =>
  (state ?? '').replace('BATCH_STATE_', '').toLowerCase();

/** Lines that were worked on: of a batch that was canceled, not those that nobody got to. */
export function endedOf({ done = 0, skipped = 0, refused = 0, failed = 0, reasons = [] }: BatchJson): number {
  const unreached = reasons.filter(({ reason }) => reason === NOT_REACHED);
  return done + skipped + refused + failed - unreached.reduce((sum, { lines = 0 }) => sum + lines, 0);
}

export const isOver = ({ state }: BatchJson): boolean =>
  state === 'BATCH_STATE_COMPLETED' || state === 'BATCH_STATE_CANCELLED';

/** Where a batch stands, with the exit code that tells. */
export function summary(batch: BatchJson): Result {
  const { gkJobId = '', operation = '', lines = 0, refused = 0, failed = 0, dryRun = false } = batch;
  const reasons = (batch.reasons ?? []).map(({ outcome, reason = '', lines: count = 0 }) => [
    String(count),
    outcomeWord(outcome),
    reason,
  ]);
  const code = batch.state === 'BATCH_STATE_CANCELLED' ? CANCELED : refused + failed > 0 ? SOME_NOT_DONE : 0;
  const what = `${operation.toLowerCase()}${dryRun ? ', dry run' : ''}`;
  return {
    value: batch,
    lines: [
      `batch ${gkJobId} (${what}): ${stateWord(batch)}, ${endedOf(batch)} of ${lines} lines`,
      ...table(reasons, 'no results yet'),
    ],
    ...(isOver(batch) && { code }),
  };
}
