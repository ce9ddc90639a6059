// A session that only holds recordings, which other sessions have heard: not a call, and nothing to decide.
import { Fragment, type ReactNode } from 'react';
import type { LaterCheckJson, TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { shortId } from '../../format/text.js';
import { fill } from '../../kit/fill.js';
import { Card, Facts } from '../../kit/layout.js';
import { num } from '../../text/tools.js';
import { t } from '../../text/sessions.js';
import { Link } from '../../router.js';
import { HeadlineBadge } from '../biosec/decision-badge.js';
import { SessionLink } from '../biosec/session-link.js';

const text = t.upload;
const SESSIONS_SHOWN_MAX = 10;

/** Several, with commas between them. */
const listed = (links: readonly ReactNode[]): ReactNode =>
  links.map((link, index) => (
    // eslint-disable-next-line react/no-array-index-key -- they never change places
    <Fragment key={index}>
      {index > 0 ? ', ' : null}
      {link}
    </Fragment>
  ));

export const BatchLinks = ({ gkJobIds }: { gkJobIds: readonly string[] }): ReactNode =>
  listed(gkJobIds.map((id) => <Link to={`/batches/${id}`}>{text.batch(shortId(id))}</Link>));

export function UploadCard({
  events,
  later,
  gkJobIds,
  isGivenUp,
}: {
  events: readonly TimelineEventJson[];
  later: readonly LaterCheckJson[];
  gkJobIds: readonly string[];
  /** Begun for a line of a batch that was canceled meanwhile. */
  isGivenUp: boolean;
}): ReactNode {
  const received = events.filter(({ operation }) => operation === 'GetUploadUrl').length;
  const heardIn = new Map(
    later.flatMap(({ gkSessionId, sessionId }) =>
      gkSessionId?.value ? [[gkSessionId.value, sessionId] as const] : [],
    ),
  );
  const links = [...heardIn].map(([gkId, name]) => <SessionLink gkId={gkId} name={name} />);
  const more = links.length - SESSIONS_SHOWN_MAX;
  return (
    <Card title={t.session.result}>
      <p className="session-result">
        <HeadlineBadge of={{ headline: 'SESSION_HEADLINE_UPLOAD' }} />
        <strong>
          {gkJobIds.length > 0
            ? fill(isGivenUp ? text.givenUp : text.forBatch, { batch: <BatchLinks gkJobIds={gkJobIds} /> })
            : text.title}
        </strong>
      </p>
      <p>{links.length > 0 ? text.text : isGivenUp ? text.givenUpText : text.unheard}</p>
      <Facts
        items={[
          ...(received > 0 ? [[text.recordings, num(received)] as const] : []),
          ...(links.length > 0
            ? [
                [
                  text.heardIn,
                  <>
                    {listed(links.slice(0, SESSIONS_SHOWN_MAX))}
                    {more > 0 ? ` ${text.more(more)}` : null}
                  </>,
                ] as const,
              ]
            : []),
        ]}
      />
    </Card>
  );
}
