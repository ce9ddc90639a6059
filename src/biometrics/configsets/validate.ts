// Checks a config-set document against the parameter table and names every wrong parameter.
import { isObject, type FieldFault } from '../../errors.js';
import {
  parameterTable,
  resolveParameters,
  type ParameterOverrides,
  type ParameterRule,
  type Parameters,
} from '../model/parameters.js';
import { say } from '../../words/server/say.js';

type Validation = { ok: true; parameters: Parameters } | { ok: false; faults: FieldFault[] };

const DOCUMENT_BYTES_MAX = 64 * 1024;

export function validateDocument(content: string): Validation {
  if (Buffer.byteLength(content) > DOCUMENT_BYTES_MAX) {
    return refuse([
      { field: 'content', violation: 'TOO_LONG', ...say('TOO_MANY_BYTES', { max: DOCUMENT_BYTES_MAX }) },
    ]);
  }
  let document: unknown;
  try {
    document = JSON.parse(content);
  } catch {
    return refuse([{ field: 'content', violation: 'INVALID_FORMAT', ...say('NOT_JSON') }]);
  }
  if (!isObject(document))
    return refuse([{ field: 'content', violation: 'INVALID_FORMAT', ...say('NOT_A_JSON_OBJECT') }]);

  const faults: FieldFault[] = [];
  const tables: Record<string, Record<string, ParameterRule> | undefined> = parameterTable;
  for (const [section, values] of Object.entries(document)) {
    if (section === '$schema') continue;
    const rules = tables[section];
    if (!rules || !Object.hasOwn(parameterTable, section)) {
      faults.push({
        field: section,
        violation: 'OTHER',
        ...say('NOT_A_SECTION', { known: Object.keys(parameterTable).join(', ') }),
      });
    } else if (!isObject(values)) {
      faults.push({
        field: section,
        violation: 'INVALID_FORMAT',
        ...say('NOT_PARAMETERS'),
      });
    } else {
      for (const [name, value] of Object.entries(values)) {
        const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
        const fault = rule
          ? faultOf(rule, value)
          : {
              violation: 'OTHER' as const,
              ...say('NOT_A_PARAMETER', { section, known: Object.keys(rules).join(', ') }),
            };
        if (fault) faults.push({ field: `${section}.${name}`, ...fault });
      }
    }
  }
  if (faults.length > 0) return refuse(faults);
  const parameters = resolveParameters(document as ParameterOverrides);
  const conflicts = conflictsOf(parameters);
  return conflicts.length > 0 ? refuse(conflicts) : { ok: true, parameters };
}

function faultOf(rule: ParameterRule, value: unknown): Omit<FieldFault, 'field'> | undefined {
  switch (rule.kind) {
    case 'boolean':
      return typeof value === 'boolean'
        ? undefined
        : { violation: 'INVALID_FORMAT', ...say('NOT_TRUE_OR_FALSE') };
    case 'number':
    case 'integer':
      if (typeof value !== 'number' || !Number.isFinite(value))
        return { violation: 'INVALID_FORMAT', ...say('NOT_A_NUMBER') };
      if (rule.kind === 'integer' && !Number.isInteger(value))
        return { violation: 'INVALID_FORMAT', ...say('NOT_WHOLE') };
      if (value < rule.min || value > rule.max)
        return { violation: 'OUT_OF_RANGE', ...say('OUT_OF_RANGE', { min: rule.min, max: rule.max }) };
      return undefined;
    case 'numbers':
      if (
        !Array.isArray(value) ||
        !value.every((item) => typeof item === 'number' && item >= rule.min && item <= rule.max)
      ) {
        return {
          violation: 'INVALID_FORMAT',
          ...say('NOT_NUMBERS_IN_RANGE', { min: rule.min, max: rule.max }),
        };
      }
      if (value.length > rule.maxItems)
        return { violation: 'TOO_LONG', ...say('TOO_MANY_ENTRIES', { max: rule.maxItems }) };
      if (value.some((item, index) => index > 0 && item <= value[index - 1]))
        return { violation: 'INVALID_FORMAT', ...say('NOT_ASCENDING') };
      return undefined;
  }
}

/** Pairs that must be in order; checked after defaults, because either side may come from them. */
function conflictsOf(parameters: Parameters): FieldFault[] {
  const { enrollment, authentication } = parameters;
  const ordered: [number, number, string, string][] = [
    [
      enrollment.segmentsMin,
      enrollment.segmentsOptimal,
      'enrollment.segmentsOptimal',
      'enrollment.segmentsMin',
    ],
    [
      enrollment.segmentsOptimal,
      enrollment.segmentsMax,
      'enrollment.segmentsMax',
      'enrollment.segmentsOptimal',
    ],
    [
      enrollment.netSpeechSecondsMin,
      enrollment.netSpeechSecondsOptimal,
      'enrollment.netSpeechSecondsOptimal',
      'enrollment.netSpeechSecondsMin',
    ],
    [
      authentication.riskLow + 1,
      authentication.riskHigh,
      'authentication.riskHigh',
      'authentication.riskLow',
    ],
  ];
  return ordered
    .filter(([low, high]) => low > high)
    .map(([, , field, other]) => ({
      field,
      violation: 'FIELD_CONFLICT' as const,
      ...say('BELOW_OTHER', { other }),
    }));
}

const refuse = (faults: FieldFault[]): Validation => ({ ok: false, faults });
