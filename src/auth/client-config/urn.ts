// Resource URNs that are passed to the runtime services (docs/reference/token-contract.md#resource-names): build,
// read, check.
import type { FieldFault } from '../../errors.js';
import { say } from '../../words/server/say.js';

export type ResourceUrn =
  | { type: 'asr' | 'nlu'; contextTag: string; language: string }
  | { type: 'dialog'; contextTag: string }
  | { type: 'wordset'; context: string; wordsetName: string; language: string; service: string };

const PREFIX = 'urn:vendor-platform:tag:';
/** Three-letter language, hyphen, three-letter region: eng-USA. */
const languagePattern = /^[a-z]{3}-[A-Z]{3}$/;
/** One path segment: no slash, no colon, nothing that starts the ?= part. */
const segmentPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const modelPattern = /^model\/([^/?]+)\/platform\.(asr|nlu|dialog)(?:\?=language=(.+))?$/;
const wordsetPattern = /^wordset:lang\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)$/;

function isLanguage(value: string): boolean {
  return languagePattern.test(value);
}

export function buildUrn(urn: ResourceUrn): string {
  if (urn.type === 'wordset') {
    return `${PREFIX}wordset:lang/${urn.context}/${urn.wordsetName}/${urn.language}/${urn.service}`;
  }
  const base = `${PREFIX}model/${urn.contextTag}/platform.${urn.type}`;
  return urn.type === 'dialog' ? base : `${base}?=language=${urn.language}`;
}

/** The parts of a well-formed URN, or undefined. */
export function parseUrn(value: string): ResourceUrn | undefined {
  const urn = splitUrn(value);
  return urn && urnFaults('urn', urn).length === 0 ? urn : undefined;
}

/** Every fault of the text, for a caller that must be told what to fix. */
export function validateUrn(field: string, value: string): FieldFault[] {
  const urn = splitUrn(value);
  if (!urn) return [{ field, violation: 'INVALID_FORMAT', ...say('NOT_A_URN'), value }];
  return urnFaults(field, urn);
}

/** The faults of URN parts, before they are put together. */
export function urnFaults(field: string, urn: ResourceUrn): FieldFault[] {
  const faults: FieldFault[] = [];
  const segment = (name: string, value: string): void => {
    if (segmentPattern.test(value)) return;
    faults.push({ field, violation: 'INVALID_FORMAT', ...say('NOT_A_URN_PART', { part: name }), value });
  };
  if (urn.type === 'wordset') {
    segment('context', urn.context);
    segment('wordset name', urn.wordsetName);
    segment('service', urn.service);
  } else {
    segment('context tag', urn.contextTag);
  }
  if (urn.type !== 'dialog' && !isLanguage(urn.language)) {
    faults.push({ field, violation: 'INVALID_FORMAT', ...say('NOT_A_LANGUAGE'), value: urn.language });
  }
  return faults;
}

function splitUrn(value: string): ResourceUrn | undefined {
  if (!value.startsWith(PREFIX)) return undefined;
  const rest = value.slice(PREFIX.length);
  const wordset = wordsetPattern.exec(rest);
  if (wordset) {
    const [, context = '', wordsetName = '', language = '', service = ''] = wordset;
    return { type: 'wordset', context, wordsetName, language, service };
  }
  const model = modelPattern.exec(rest);
  if (!model) return undefined;
  const [, contextTag = '', type, language] = model;
  // A dialog resource has no language part, the two models always have one.
  if (type === 'dialog') return language === undefined ? { type, contextTag } : undefined;
  if (type !== 'asr' && type !== 'nlu') return undefined;
  return language === undefined ? undefined : { type, contextTag, language };
}
