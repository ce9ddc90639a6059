// Checks every request, whichever transport brought it, before a handler sees it: lists and maps are
// bounded, enum numbers are known, text can be stored, field masks are in their normal form. A plan per message
// type is made once, so that a request without any of these costs nothing.
import { ScalarType, type DescField, type DescMessage, type Message } from '@bufbuild/protobuf';
import { refuseFaults, type FieldFault } from '../errors.js';
import { normalizeMaskPaths } from './field-mask.js';
import { say, type Said } from '../words/server/say.js';

const FIELD_MASK = 'google.protobuf.FieldMask';
/** Enough to show a caller what is wrong without repeating a hostile request back to it. */
const FAULTS_MAX = 20;

type Members = Record<string, unknown>;
type Visit = (message: Members, path: string, faults: FieldFault[], limit: number) => void;

const plans = new WeakMap<DescMessage, Plan>();

interface Plan {
  visits: Visit[];
}

export function checkRequest(desc: DescMessage, message: Message, listLengthMax: number): void {
  const plan = planOf(desc);
  if (plan.visits.length === 0) return;
  const faults: FieldFault[] = [];
  for (const visit of plan.visits) visit(message as unknown as Members, '', faults, listLengthMax);
  refuseFaults(faults);
}

function planOf(desc: DescMessage): Plan {
  const known = plans.get(desc);
  if (known) return known;
  const plan: Plan = { visits: [] };
  // Stored before it is filled: message types may contain themselves.
  plans.set(desc, plan);
  if (desc.typeName === FIELD_MASK) {
    plan.visits.push((message, path, faults, limit) => {
      const paths = message['paths'] as string[];
      if (paths.length > limit)
        report(
          faults,
          `${path}paths`,
          'TOO_LONG',
          say('MORE_ENTRIES_THAN_ALLOWED', { count: paths.length, max: limit }),
        );
      else message['paths'] = normalizeMaskPaths(paths);
    });
    return plan;
  }
  for (const field of desc.fields) {
    const visit = visitOf(field);
    if (visit) plan.visits.push(visit);
  }
  return plan;
}

function visitOf(field: DescField): Visit | undefined {
  const check = valueCheck(field);
  if (!check) return undefined;
  const oneof = field.oneof;
  if (!oneof) {
    return (message, path, faults, limit) => {
      const value = message[field.localName];
      if (value !== undefined) check(value, path, field.name, faults, limit);
    };
  }
  return (message, path, faults, limit) => {
    const choice = message[oneof.localName] as { case?: string; value?: unknown };
    if (choice.case === field.localName) check(choice.value, path, field.name, faults, limit);
  };
}

/** `path` and `name` are put together only for a fault: nearly no request has one. */
type Check = (value: unknown, path: string, name: string, faults: FieldFault[], limit: number) => void;

function valueCheck(field: DescField): Check | undefined {
  switch (field.fieldKind) {
    case 'scalar':
      return scalarCheck(field.scalar);
    case 'enum':
      return enumCheck(field.enum);
    case 'message':
      return messageCheck(field.message);
    case 'list': {
      const item =
        field.listKind === 'enum'
          ? enumCheck(field.enum)
          : field.listKind === 'message'
            ? messageCheck(field.message)
            : scalarCheck(field.scalar);
      return (value, path, name, faults, limit) => {
        const list = value as unknown[];
        if (list.length > limit) {
          report(
            faults,
            path + name,
            'TOO_LONG',
            say('MORE_ENTRIES_THAN_ALLOWED', { count: list.length, max: limit }),
          );
        } else if (item) {
          list.forEach((entry, index) => item(entry, path, `${name}[${index}]`, faults, limit));
        }
      };
    }
    case 'map': {
      const item =
        field.mapKind === 'enum'
          ? enumCheck(field.enum)
          : field.mapKind === 'message'
            ? messageCheck(field.message)
            : scalarCheck(field.scalar);
      return (value, path, name, faults, limit) => {
        const entries = Object.entries(value as Members);
        if (entries.length > limit) {
          report(
            faults,
            path + name,
            'TOO_LONG',
            say('MORE_ENTRIES_THAN_ALLOWED', { count: entries.length, max: limit }),
          );
        } else if (item) {
          for (const [key, entry] of entries) item(entry, path, `${name}.${key}`, faults, limit);
        }
      };
    }
  }
}

/** PostgreSQL has no text with NUL in it; the storage refuses it too, but cannot name the field. */
function scalarCheck(type: ScalarType): Check | undefined {
  if (type !== ScalarType.STRING) return undefined;
  return (value, path, name, faults) => {
    if ((value as string).includes('\0')) report(faults, path + name, 'INVALID_FORMAT', say('NUL_CHARACTER'));
  };
}

function enumCheck(desc: { typeName: string; value: Record<number, unknown> }): Check {
  return (value, path, name, faults) => {
    if (desc.value[value as number] === undefined) {
      report(
        faults,
        path + name,
        'OUT_OF_RANGE',
        say('NOT_A_VALUE', { value: String(value), type: desc.typeName }),
        String(value),
      );
    }
  };
}

function messageCheck(desc: DescMessage): Check | undefined {
  // Well-known types other than masks hold nothing to check, and some are plain values in memory.
  if (desc.typeName.startsWith('google.protobuf.') && desc.typeName !== FIELD_MASK) return undefined;
  const plan = planOf(desc);
  return (value, path, name, faults, limit) => {
    if (typeof value !== 'object' || value === null) return;
    for (const visit of plan.visits) visit(value as Members, `${path}${name}.`, faults, limit);
  };
}

function report(
  faults: FieldFault[],
  field: string,
  violation: FieldFault['violation'],
  said: Said,
  value?: string,
): void {
  if (faults.length >= FAULTS_MAX) return;
  faults.push(value === undefined ? { field, violation, ...said } : { field, violation, ...said, value });
}
