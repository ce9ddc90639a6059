// What the audit trail remembers of an attack check's evidence. Records from before it was kept have none.
import { isObject } from '../../errors.js';
import type { JsonObject, JsonValue } from '../../audit/model.js';
import type { AttackSpan } from '../../voice/spoof/evidence.js';

export interface RememberedEvidence {
  detector: string;
  experimental: boolean;
  spans: AttackSpan[];
  doubts: { measure: string; value: number; limit: number }[];
}

/** Members of an audit record that evidence has a place for. */
export const evidenceMembers = ['experimental', 'spans', 'doubts'] as const;

export function evidenceIn(detail: JsonObject): RememberedEvidence {
  return {
    detector: typeof detail['detector'] === 'string' ? detail['detector'] : '',
    experimental: detail['experimental'] === true,
    spans: objectsIn(detail['spans']).map((span) => ({
      startMs: Number(span['startMs']),
      endMs: Number(span['endMs']),
      llr: Number(span['llr']),
    })),
    doubts: objectsIn(detail['doubts']).map((doubt) => ({
      measure: String(doubt['measure']),
      value: Number(doubt['value']),
      limit: Number(doubt['limit']),
    })),
  };
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly JsonValue[]).filter((item): item is JsonObject => isObject(item));
}
