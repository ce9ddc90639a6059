// Tells the caller of a comparison which of the named prints could not be read: the call itself went well, so this is
// a diagnostic of an OK status.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ComparisonOutcome } from '../../../biometrics/model/comparison.js';
import { StatusCode, type StatusSchema } from '../../../gen/vendor/rpc/status_pb.js';

/** A watchlist is long; the first few lead to the cause. */
const NAMED_MAX = 20;

export function damageTold(outcomes: readonly (ComparisonOutcome | undefined)[]): {
  status?: MessageInitShape<typeof StatusSchema>;
} {
  const damaged = outcomes.flatMap((outcome) => outcome?.damaged ?? []);
  if (damaged.length === 0) return {};
  const extras = {
    prints: String(damaged.length),
    gk_voiceprint_profile_ids: damaged.slice(0, NAMED_MAX).join(','),
  };
  return {
    status: { statusCode: StatusCode.OK, diagnosticDetails: [{ code: 'PRINT_DAMAGED', extras }] },
  };
}
