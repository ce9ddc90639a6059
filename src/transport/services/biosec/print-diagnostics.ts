// What a caller should know of prints that could not be used although the call itself went well: diagnostics of an OK
// status.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ComparisonOutcome } from '../../../biometrics/model/comparison.js';
import { StatusCode, type StatusSchema } from '../../../gen/vendor/rpc/status_pb.js';

/** A watchlist is long; the first few lead to the cause. */
const NAMED_MAX = 20;

interface WithDiagnostic {
  status?: MessageInitShape<typeof StatusSchema>;
}

const withDiagnostic = (code: string, extras: Record<string, string>): WithDiagnostic => ({
  status: { statusCode: StatusCode.OK, diagnosticDetails: [{ code, extras }] },
});

/** Prints that were named but cannot be read. */
export function damageDiagnostic(outcomes: readonly (ComparisonOutcome | undefined)[]): WithDiagnostic {
  const damaged = outcomes.flatMap((outcome) => outcome?.damaged ?? []);
  if (damaged.length === 0) return {};
  return withDiagnostic('PRINT_DAMAGED', {
    prints: String(damaged.length),
    gk_voiceprint_profile_ids: damaged.slice(0, NAMED_MAX).join(','),
  });
}

/** Prints of a watchlist that are neither compatible nor incompatible. */
export function untrainedDiagnostic(prints: number): WithDiagnostic {
  return prints === 0 ? {} : withDiagnostic('PRINTS_NOT_TRAINED', { prints: String(prints) });
}
