// What the audit trail has of an attack check's evidence. Records from before it was kept have none.
import { isObject } from '../../errors.js';
import type { JsonObject, JsonValue } from '../../audit/model.js';
import type { AttackSpan } from '../../voice/spoof/evidence.js';

export interface RememberedEvidence {
  detector: string;
  experimental: boolean;
  spans: AttackSpan[];
  doubts: { measure: string; value: number; limit: number }[];
  /** The alarm threshold and the bandwidth; 0 and empty if records do not say. */
  alarmRisk: number;
  bandwidth: string;
}

/** Members of an audit record that belong to the evidence. */
export const evidenceMembers = ['experimental', 'spans', 'doubts', 'alarmRisk', 'bandwidth'] as const;

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
    alarmRisk: typeof detail['alarmRisk'] === 'number' ? detail['alarmRisk'] : 0,
    bandwidth: typeof detail['bandwidth'] === 'string' ? detail['bandwidth'] : '',
  };
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly JsonValue[]).filter((item): item is JsonObject => isObject(item));
}
