// An audit record as people read it: what it is about by name, its values in words, and what changed from what to what.
import type { ReactNode } from 'react';
import type { RecordTypeJson } from '../../../gen/vendor/biosec/v1/history/history_pb.js';
import { num, shortId } from '../../format/text.js';
import { Facts } from '../../kit/layout.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { FraudsterLink, GroupLink, OwnerLink, WatchlistLink } from '../biosec/owner-link.js';
import { PersonLink } from '../biosec/person-link.js';

const text = t.audit;

/** As much of a record as is shown; the record itself may hold more. */
interface Content {
  detail?: Readonly<Record<string, unknown>>;
  subjectIds?: readonly string[];
  personal?: { masked?: boolean; erased?: boolean };
}

function contentOf(json: string | undefined): Content {
  try {
    return JSON.parse(json ?? '{}') as Content;
  } catch {
    return {};
  }
}

/** Of which kind the first thing of a record is. */
const links: Partial<Record<RecordTypeJson, (gkId: string) => ReactNode>> = {
  RECORD_TYPE_PERSON_EVENT: (gkId) => <PersonLink gkId={gkId} />,
  RECORD_TYPE_DELETE_PERSONAL_DATA_EVENT: (gkId) => <PersonLink gkId={gkId} />,
  RECORD_TYPE_FRAUDSTER_EVENT: (gkId) => <FraudsterLink gkId={gkId} />,
  RECORD_TYPE_GROUP_EVENT: (gkId) => <GroupLink gkId={gkId} />,
  RECORD_TYPE_WATCHLIST_EVENT: (gkId) => <WatchlistLink gkId={gkId} />,
  RECORD_TYPE_SESSION_EVENT: (gkId) => <PersonLink gkId={gkId} />,
  RECORD_TYPE_VOICEPRINT_EVENT: (profile) => <OwnerLink profile={profile} />,
  RECORD_TYPE_FACTORS_AUDIT_INFO_EVENT: (profile) => <OwnerLink profile={profile} />,
};

/** What the record is about, linked by name where it is a thing with a page. */
export function RecordObject({
  type,
  json,
}: {
  type: RecordTypeJson | undefined;
  json: string | undefined;
}): ReactNode {
  const [first, second] = contentOf(json).subjectIds ?? [];
  // A session has a column of its own; behind it stands who called, as they say.
  const subject = type === 'RECORD_TYPE_SESSION_EVENT' ? second : first;
  if (!subject) return shell.none;
  const linked = type && links[type]?.(subject);
  if (linked) return linked;
  const kind = type && text.objects[type];
  return (
    <span title={subject}>
      {kind ? `${kind} ` : ''}
      <code>{shortId(subject)}</code>
    </span>
  );
}

/** `gkVoiceprintProfileId` as `Voiceprint profile id`. */
function nameWords(name: string): string {
  const plain = name
    .replace(/^gk(?=[A-Z])/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_.-]/g, ' ')
    .toLowerCase();
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return shell.none;
  if (typeof value === 'number') return num(value);
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  if (Array.isArray(value)) return value.length === 0 ? shell.none : value.map(valueWords).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, inner]) => `${nameWords(name)}: ${valueWords(inner)}`)
      .join('; ');
  return String(value);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `before` and `after` of a change member by member; everything else as it stands. */
function itemsOf(detail: Readonly<Record<string, unknown>>): [string, ReactNode][] {
  const { before, after, ...rest } = detail;
  const changes =
    isObject(before) && isObject(after)
      ? [...new Set([...Object.keys(before), ...Object.keys(after)])]
          .filter((name) => valueWords(before[name]) !== valueWords(after[name]))
          .map((name): [string, ReactNode] => [
            nameWords(name),
            <span key={name}>
              <del>{valueWords(before[name])}</del> <ins>{valueWords(after[name])}</ins>
            </span>,
          ])
      : [];
  const plain = Object.entries(isObject(before) && isObject(after) ? rest : detail);
  return [
    ...changes,
    ...plain.map(([name, value]): [string, ReactNode] => [nameWords(name), valueWords(value)]),
  ];
}

export function RecordView({
  summary,
  sequence,
  json,
  hash,
}: {
  summary: string;
  sequence: string;
  json: string | undefined;
  hash: string | undefined;
}): ReactNode {
  const { detail = {}, personal } = contentOf(json);
  const items: [string, ReactNode][] = [
    ...itemsOf(detail),
    ...(personal?.masked ? [[text.personal, text.masked] as [string, string]] : []),
    ...(personal?.erased ? [[text.personal, text.erased] as [string, string]] : []),
  ];
  return (
    <details>
      <summary>{summary}</summary>
      <div className="audit-record" role="group" aria-label={text.recordLabel(sequence)}>
        {items.length > 0 ? <Facts items={items} /> : <p className="soft">{text.noDetails}</p>}
        <p className="small soft">{text.hash(hash ?? '')}</p>
      </div>
    </details>
  );
}
