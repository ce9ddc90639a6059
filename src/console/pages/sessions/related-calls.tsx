// Other calls that have to do with this one, in one table that says why: the same engagement, case, person, fraudster or number.
import { useState, type ReactNode } from 'react';
import type { RequestOf } from '../../../client/contract.js';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { partyName } from '../../../words/tell.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { isWithheld, numberKey, numberQuery } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Card } from '../../kit/layout.js';
import { Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { useReadContext } from '../../tenant/context.js';
import { t as words } from '../../text/assessment.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { EntryDecision } from '../biosec/decision-badge.js';
import { callTypes, outcomeWords } from '../biosec/operations.js';
import { PersonCell } from '../biosec/person-cell.js';
import { SessionLink } from '../biosec/session-link.js';
import { SESSIONS_ASKED_MAX } from '../biosec/sessions-by-id.js';
import { CASE_NUMBER } from './note-dialog.js';
import type { Timeline } from './timeline.js';

const text = t.related;
const EACH = 20;
const ROWS_SHOWN_MAX = 3;

interface Reason {
  why: string;
  asked: Partial<RequestOf<'ListSessions'>>;
  /** Leaves out what the search found by part of a word. */
  fits?: (entry: SessionEntryJson) => boolean;
}

function reasonsIn({ session, engagement, assessment }: Timeline): Reason[] {
  const { gkSessionIds = [], customData } = engagement ?? {};
  const own = session?.gkSessionId?.value;
  const others = gkSessionIds.flatMap(({ value = '' }) => (value === own ? [] : value));
  const found = (assessment?.foundLater ?? []).flatMap(({ fraudster }) => fraudster ?? []);
  const parties = [...(assessment?.whoCalled ?? []).filter(({ isAgent }) => !isAgent), ...found];
  const about = new Map(
    parties.map((party) => [(party.gkFraudsterId ?? party.gkPersonId)?.value ?? '', party]),
  );
  about.delete('');
  const caseNumber = customData?.[CASE_NUMBER];
  const ani = session?.ani;
  const ofKind = { isTest: session?.isTest === true, sessionType: callTypes, withoutUploads: true };
  return [
    ...(others.length > 0
      ? [{ why: text.engagement, asked: { gkSessionIds: others.slice(-SESSIONS_ASKED_MAX) } }]
      : []),
    ...(caseNumber
      ? [
          {
            why: text.ofCase,
            asked: { caseNumber },
            fits: (entry: SessionEntryJson) => entry.caseNumber === caseNumber,
          },
        ]
      : []),
    ...[...about.values()].map((party) => ({
      why: text.party(partyName(words, party)),
      asked: {
        ...ofKind,
        ...(party.gkFraudsterId ? { gkFraudsterId: party.gkFraudsterId } : { gkPersonId: party.gkPersonId }),
      },
    })),
    ...(ani && !isWithheld(ani)
      ? [
          {
            why: text.number,
            asked: { ...ofKind, query: numberQuery(ani) },
            fits: ({ details }: SessionEntryJson) => numberKey(details?.ani) === numberKey(ani),
          },
        ]
      : []),
  ];
}

interface Related {
  entry: SessionEntryJson;
  why: string[];
}

export function RelatedCalls({ timeline }: { timeline: Timeline }): ReactNode {
  const read = useReadContext();
  const [isAll, setAll] = useState(false);
  const own = timeline.session?.gkSessionId?.value;
  const reasons = reasonsIn(timeline);
  const key = JSON.stringify(reasons);
  const query = useQuery(read && `related ${own ?? ''} ${key}`, async (signal) => {
    const related = new Map<string, Related>();
    const found = await Promise.all(
      reasons.map(async ({ asked, fits = () => true }) => {
        const answer = await call('ListSessions', { context: read, pageSize: EACH, ...asked }, signal);
        return (answer.sessions ?? []).filter(fits);
      }),
    );
    for (const [index, entries] of found.entries())
      for (const entry of entries) {
        const id = entry.details?.gkSessionId?.value ?? '';
        const known = related.get(id) ?? { entry, why: [] };
        known.why.push(reasons[index]?.why ?? '');
        if (id !== own) related.set(id, known);
      }
    return [...related.values()].toSorted((one, other) => startedMs(other.entry) - startedMs(one.entry));
  });
  if (reasons.length === 0) return null;
  return (
    <Loaded query={query}>
      {(rows) =>
        rows.length === 0 ? null : (
          <Card title={text.title}>
            <div className="stack" data-tight>
              <Table
                caption={text.title}
                rows={isAll ? rows : rows.slice(0, ROWS_SHOWN_MAX)}
                rowKey={({ entry }) => entry.details?.gkSessionId?.value ?? ''}
                columns={[
                  { label: text.why, whole: true, cell: ({ why }) => why.join(', ') },
                  {
                    label: t.list.session,
                    whole: true,
                    cell: ({ entry: { details } }) => (
                      <SessionLink gkId={details?.gkSessionId?.value} name={details?.sessionId} />
                    ),
                  },
                  {
                    label: t.list.started,
                    whole: true,
                    cell: ({ entry: { details } }) => <Time at={details?.creationTimestamp} relative />,
                  },
                  { label: t.list.person, cell: ({ entry }) => <PersonCell entry={entry} /> },
                  { label: t.list.decision, cell: ({ entry }) => <EntryDecision entry={entry} /> },
                  {
                    label: t.session.outcome,
                    cell: ({ entry: { verdict, amount } }) =>
                      verdict ? outcomeWords(verdict, amount) : shell.none,
                  },
                ]}
              />
              {rows.length > ROWS_SHOWN_MAX && !isAll ? (
                <Button size="small" onClick={() => setAll(true)}>
                  {text.all(rows.length)}
                </Button>
              ) : null}
            </div>
          </Card>
        )
      }
    </Loaded>
  );
}

const startedMs = ({ details }: SessionEntryJson): number => Date.parse(details?.creationTimestamp ?? '');
