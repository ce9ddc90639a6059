// The circumstances of a session: who claimed to be whom, from which number, when, and what the application
// says about it.
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../../client/contract.js';
import type { SessionPersonJson, SessionPersonRoleJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { Verbatim } from '../../kit/from-server.js';
import { Card, Facts } from '../../kit/layout.js';
import { Time } from '../../kit/time.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { channelWords, intentWords } from '../biosec/operations.js';
import { FraudsterLink } from '../biosec/owner-link.js';
import { PersonLink } from '../biosec/person-link.js';
import { idOf } from './caller-facts.js';
import { CASE_NUMBER, NOTE } from './next-steps.js';
import { BatchLinks } from './upload.js';

const text = t.session;

type Timeline = AnswerOf<'GetSessionTimeline'>;
type Role = SessionPersonRoleJson;

/** The persons who were claimed, and those known by the voiceprints that were named; each only once. */
function personFacts(timeline: Timeline): [string, ReactNode][] {
  const { session, persons = [], enrolledFraudsters = [], hasOtherPerson } = timeline;
  const claimed = session?.claimedGkPersonId?.value;
  const of = (role: Role): string[] =>
    persons.flatMap((person) =>
      person.role === role && !person.isAgent ? (person.gkPersonId?.value ?? []) : [],
    );
  const agents = persons.flatMap(({ isAgent, gkPersonId }) => (isAgent ? (gkPersonId?.value ?? []) : []));
  const linked = (ids: readonly string[]): ReactNode =>
    ids.map((gkId, index) => (
      <span key={gkId}>
        {index > 0 ? ', ' : ''}
        <PersonLink gkId={gkId} known={idOf(timeline, gkId)} />
      </span>
    ));
  const rows: [string, string[]][] = [
    [text.verified, of('SESSION_PERSON_ROLE_VERIFIED').filter((gkId) => gkId !== claimed || hasOtherPerson)],
    [text.recognized, of('SESSION_PERSON_ROLE_RECOGNIZED')],
    [text.enrolled, of('SESSION_PERSON_ROLE_ENROLLED').filter((gkId) => gkId !== claimed)],
    [text.agentHeard, [...new Set(agents)]],
  ];
  const known: [string, ReactNode][] = rows.flatMap(([label, ids]) =>
    ids.length > 0 ? [[label, linked(ids)]] : [],
  );
  known.push(
    ...enrolledFraudsters.map(({ gkFraudsterId, fraudsterId }): [string, ReactNode] => [
      text.enrolledFraudster,
      <FraudsterLink key={gkFraudsterId?.value} gkId={gkFraudsterId?.value ?? ''} known={fraudsterId} />,
    ]),
  );
  // A match is always with somebody.
  if (!claimed && known.length === 0 && session?.riskInfo?.decision === 'DECISION_AUTHENTIC')
    return [[text.verified, persons.some(isErasedPerson) ? t.list.erasedPerson : t.list.gonePerson]];
  return [
    ...(claimed || timeline.claimedPersonId || known.length === 0
      ? [
          [
            text.claims,
            claimed ? (
              <PersonLink key="claimed" gkId={claimed} known={idOf(timeline, claimed)} />
            ) : (
              timeline.claimedPersonId || (timeline.isClaimErased ? t.list.erasedPerson : shell.none)
            ),
          ] as [string, ReactNode],
        ]
      : []),
    ...known,
  ];
}

export function Circumstances({ timeline, id }: { timeline: Timeline; id: string }): ReactNode {
  const { session, gkJobIds = [] } = timeline;
  return (
    <Card title={text.circumstances}>
      <Facts
        items={[
          ...personFacts(timeline),
          [text.from, session?.ani || shell.none],
          [text.channel, channelWords(session?.sessionType)],
          [text.purpose, intentWords(session?.sessionIntent)],
          ...(gkJobIds.length > 0 && !timeline.isUpload
            ? [[t.upload.ofBatch, <BatchLinks key="batch" gkJobIds={gkJobIds} />] as const]
            : []),
          [text.started, <Time key="started" at={session?.creationTimestamp} />],
          [text.identifier, <code key="id">{id}</code>],
          ...customFacts(timeline),
        ]}
      />
      {session?.isTest ? <p className="small soft">{text.trial}</p> : null}
    </Card>
  );
}

const isErasedPerson = ({ gkPersonId, isAgent }: SessionPersonJson): boolean =>
  !isAgent && !gkPersonId?.value;

/** What the application has stored with the session and its engagement; the result has case number and note. */
function customFacts({ session, engagement }: Timeline): [string, ReactNode][] {
  const noted = [CASE_NUMBER, NOTE];
  const ofEngagement = Object.entries(engagement?.customData ?? {}).filter(([name]) => !noted.includes(name));
  const shown = (name: string, value: string, label: string): [string, ReactNode] => [
    label,
    <Verbatim key={name}>{value}</Verbatim>,
  ];
  return [
    ...Object.entries(session?.customData ?? {}).map(([name, value]) =>
      shown(name, value, text.customData(name)),
    ),
    ...ofEngagement.map(([name, value]) => shown(name, value, text.customDataOfEngagement(name))),
  ];
}
