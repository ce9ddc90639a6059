// What a caller should know of prints that could not be used although the call itself went well: diagnostics of an OK
// status.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ComparisonOutcome } from '../../../biometrics/model/comparison.js';
import { StatusCode, type StatusSchema } from '../../../gen/vendor/rpc/status_pb.js';

/** A watchlist is long; the first few lead to the cause. */
const NAMED_MAX = 20;

interface Told {
  status?: MessageInitShape<typeof StatusSchema>;
}

const told = (code: string, extras: Record<string, string>): Told => ({
  status: { statusCode: StatusCode.OK, diagnosticDetails: [{ code, extras }] },
});

/** Prints that were named but cannot be read. */
export function damageTold(outcomes: readonly (ComparisonOutcome | undefined)[]): Told {
  const damaged = outcomes.flatMap((outcome) => outcome?.damaged ?? []);
  if (damaged.length === 0) return {};
  return told('PRINT_DAMAGED', {
    prints: String(damaged.length),
    gk_voiceprint_profile_ids: damaged.slice(0, NAMED_MAX).join(','),
  });
}

/** Prints of a watchlist that are neither compatible nor incompatible. */
export function untrainedTold(prints: number): Told {
  return prints === 0 ? {} : told('PRINTS_NOT_TRAINED', { prints: String(prints) });
}
