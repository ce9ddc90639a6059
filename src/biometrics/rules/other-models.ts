// During a node-by-node upgrade, prints of two speaker models are in use, and each node can compare only those of its own
// model. Calls that another node can serve better are left to that node, and the caller is told to retry.
import { AppError } from '../../errors.js';

export type PrintsByModel = Readonly<Record<string, number>>;

const RETRY_AFTER_MS = 1000;

export function countByModel(revisions: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const revision of revisions) counts[revision] = (counts[revision] ?? 0) + 1;
  return counts;
}

export function addUp(parts: readonly PrintsByModel[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const part of parts)
    for (const [revision, prints] of Object.entries(part)) sum[revision] = (sum[revision] ?? 0) + prints;
  return sum;
}

/**
 * The model of other nodes with which more of the prints can be compared than with this node's `own`. The one
 * with the most, so that among nodes with different models there is always one that answers.
 */
export function betterModel(
  own: number,
  others: PrintsByModel,
  inUseElsewhere: readonly string[],
): string | undefined {
  const prints = (revision: string): number => others[revision] ?? 0;
  const [best] = [...inUseElsewhere].sort((a, b) => prints(b) - prints(a));
  return best !== undefined && prints(best) > own ? best : undefined;
}

export function servedElsewhere(printModel: string, nodeModel: string): AppError {
  return new AppError(
    'BUSY',
    'this installation is being upgraded, and the prints were made with a speaker model that only other nodes have: ' +
      'send the same call again, so that another node can serve it',
    {
      retryAfterMs: RETRY_AFTER_MS,
      diagnostics: [
        { code: 'UPGRADE_IN_PROGRESS', extras: { print_model: printModel, node_model: nodeModel } },
      ],
    },
  );
}
