// The rest that is known of a call: how it came in, by which batch, and what the application says about it.
import type { ReactNode } from 'react';
import { Disclosure } from '../../kit/disclosure.js';
import { Verbatim } from '../../kit/from-server.js';
import { Facts } from '../../kit/layout.js';
import { Time } from '../../kit/time.js';
import { t } from '../../text/sessions.js';
import { channelWords, intentWords } from '../biosec/operations.js';
import { CASE_OWNER } from './case.js';
import { CASE_NUMBER, NOTE } from './note-dialog.js';
import type { Timeline } from './timeline.js';
import { BatchLinks } from './upload.js';

const text = t.session;

export function CallDetails({ timeline }: { timeline: Timeline }): ReactNode {
  const { session, gkJobIds = [] } = timeline;
  return (
    <Disclosure label={text.circumstances}>
      {() => (
        <>
          <Facts
            items={[
              ...(session?.sessionId ? [[t.list.session, session.sessionId] as const] : []),
              [text.identifier, <code key="id">{session?.gkSessionId?.value}</code>],
              [text.channel, channelWords(session?.sessionType)],
              [text.purpose, intentWords(session?.sessionIntent)],
              ...(gkJobIds.length > 0
                ? [[t.upload.ofBatch, <BatchLinks key="batch" gkJobIds={gkJobIds} />] as const]
                : []),
              [text.started, <Time key="started" at={session?.creationTimestamp} />],
              ...customFacts(timeline),
            ]}
          />
          {session?.isTest ? <p className="small soft">{text.trial}</p> : null}
        </>
      )}
    </Disclosure>
  );
}

/** What the application has stored with the session and its engagement; case number and note stand on top. */
function customFacts({ session, engagement }: Timeline): [string, ReactNode][] {
  const noted = [CASE_NUMBER, NOTE, CASE_OWNER];
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
