// An audit record in readable form: its subject by name, its values in words, and what changed from what to
// what.
import type { ReactNode } from 'react';
import type { RecordTypeJson } from '../../../gen/vendor/biosec/v1/history/history_pb.js';
import type { AuditRecordJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { shortId } from '../../format/text.js';
import { Facts } from '../../kit/layout.js';
import { Link } from '../../router.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { FraudsterLink, GroupLink, OwnerLink, usePrint, WatchlistLink } from '../biosec/owner-link.js';
import { PersonLink } from '../biosec/person-link.js';
import { CheckBadge } from '../biosec/decision-badge.js';
import { checkOf, placeOf, recordItems, recordTitle, type NameOfId } from './record-words.js';

const text = t.audit;

/** The part of a record that is shown; the record itself may contain more. */
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

/** Links by the kind of a record's first subject. */
const links: Partial<Record<RecordTypeJson, (gkId: string, name: string) => ReactNode>> = {
  RECORD_TYPE_PERSON_EVENT: (gkId, name) => <PersonLink gkId={gkId} known={name} />,
  RECORD_TYPE_DELETE_PERSONAL_DATA_EVENT: (gkId, name) => <PersonLink gkId={gkId} known={name} />,
  RECORD_TYPE_PERSONAL_DATA_DELETED_EVENT: (gkId, name) => <PersonLink gkId={gkId} known={name} />,
  RECORD_TYPE_FRAUDSTER_EVENT: (gkId, name) => <FraudsterLink gkId={gkId} known={name} />,
  RECORD_TYPE_GROUP_EVENT: (gkId, name) =>
    name ? <Link to={`/people/groups/${gkId}`}>{name}</Link> : <GroupLink gkId={gkId} />,
  RECORD_TYPE_WATCHLIST_EVENT: (gkId, name) =>
    name ? <Link to={`/people/watchlists/${gkId}`}>{name}</Link> : <WatchlistLink gkId={gkId} />,
  RECORD_TYPE_SESSION_EVENT: (gkId, name) => <PersonLink gkId={gkId} known={name} />,
  RECORD_TYPE_VOICEPRINT_EVENT: (profile, name) => <PrintOwner profile={profile} name={name} />,
  RECORD_TYPE_FACTORS_AUDIT_INFO_EVENT: (profile, name) => <PrintOwner profile={profile} name={name} />,
};

/** The former owner of a deleted print. */
function PrintOwner({ profile, name }: { profile: string; name: string }): ReactNode {
  const { data, loading } = usePrint(profile);
  if (!name || loading || data?.details?.gkOwnerId?.value) return <OwnerLink profile={profile} />;
  return (
    <>
      {name} <span className="soft">{text.formerPrint}</span>
    </>
  );
}

/** Config sets and webhooks have names of their own, and batches are more than jobs. */
function objectWords(
  { operation = '', context }: AuditRecordJson,
  { host }: NonNullable<Content['detail']>,
): string | undefined {
  if (operation.includes('Configset') && context?.configsetId) return text.configset(context.configsetId);
  if (operation.includes('Webhook') && typeof host === 'string') return text.webhook(host);
  return operation.endsWith('Batch') ? text.batch : undefined;
}

/** The subject of the record, linked by name if it has a page. */
export function RecordObject({ row }: { row: AuditRecordJson }): ReactNode {
  const { recordType: type, operation, gkSessionId } = row;
  const { subjectIds: [first, second] = [], detail = {} } = contentOf(row.recordAsJson);
  // The session has a column of its own; the caller, as claimed, comes second.
  const subject = type === 'RECORD_TYPE_SESSION_EVENT' ? second : first;
  const name = row.objectName || (row.isObjectErased ? t.list.erasedPerson : '');
  const linked = subject && type && links[type]?.(subject, name);
  if (linked) return linked;
  const kind = objectWords(row, detail) ?? (type && text.objects[type]) ?? '';
  const to = placeOf({ type, operation, subject: first, gkSessionId: gkSessionId?.value });
  // The call itself is named in a column of its own.
  if (to)
    return (
      <Link to={to} title={subject}>
        {kind || shortId(subject)}
      </Link>
    );
  if (!subject) return shell.none;
  return (
    <span title={subject}>
      {kind ? `${kind} ` : ''}
      <code>{shortId(subject)}</code>
    </span>
  );
}

/** What happened, and the result of a check, so that nobody has to open each record for it. */
export function RecordAct({ row }: { row: AuditRecordJson }): ReactNode {
  const { operation, recordAsJson, recordType } = row;
  const { detail = {} } = contentOf(recordAsJson);
  const check = checkOf(operation, detail);
  // The request and its completion have the same operation.
  if (recordType === 'RECORD_TYPE_PERSONAL_DATA_DELETED_EVENT') return text.dataErased;
  const title = recordTitle(operation, detail);
  if (!check) return title;
  return (
    <div className="row">
      <span>{title}</span>
      <CheckBadge check={check} />
    </div>
  );
}

export function RecordView({
  summary,
  operation,
  sequence,
  json,
  hash,
  nameOf,
}: {
  summary: string;
  operation?: string | undefined;
  sequence: string;
  json: string | undefined;
  hash: string | undefined;
  nameOf?: NameOfId;
}): ReactNode {
  const { detail = {}, personal } = contentOf(json);
  const items: [string, ReactNode][] = [
    ...recordItems(detail, operation, nameOf).map(({ name, value, before }): [string, ReactNode] => [
      name,
      before === undefined ? (
        value
      ) : (
        <span key={name}>
          <del>{before}</del> <ins>{value}</ins>
        </span>
      ),
    ]),
    ...(personal?.masked ? [[text.personal, text.masked] as [string, string]] : []),
    ...(personal?.erased ? [[text.personal, text.erased] as [string, string]] : []),
  ];
  return (
    <details>
      <summary>{summary}</summary>
      <div className="audit-record" role="group" aria-label={text.recordLabel(sequence)} tabIndex={0}>
        {items.length > 0 ? <Facts items={items} /> : <p className="soft">{text.noDetails}</p>}
        <p className="small soft">{text.hash(hash ?? '')}</p>
      </div>
    </details>
  );
}
