// The other sessions of an engagement: an outcome holds for all of them, so its page leads to what was found
// in each.
import type { ReactNode } from 'react';
import type { EngagementDetailsForReadJson } from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { Card } from '../../kit/layout.js';
import { Loaded } from '../../kit/notice.js';
import { t } from '../../text/sessions.js';
import { SessionTable } from '../biosec/history.js';
import { useSessionsById } from '../biosec/sessions-by-id.js';

const text = t.history;

export function EngagementSessions({
  engagement: { gkSessionIds = [] } = {},
  current,
}: {
  engagement: EngagementDetailsForReadJson | undefined;
  /** The session that the page is about. */
  current: string;
}): ReactNode {
  const others = gkSessionIds.flatMap(({ value = '' }) => (value === current ? [] : value));
  const query = useSessionsById(others);
  if (others.length === 0) return null;
  return (
    <Card title={text.ofEngagement}>
      <Loaded query={query}>
        {(rows) => (
          <div className="stack" data-tight>
            <SessionTable caption={text.ofEngagement} rows={rows} />
            {others.length > rows.length && rows.length > 0 ? (
              <p className="soft">{t.upload.more(others.length - rows.length)}</p>
            ) : null}
          </div>
        )}
      </Loaded>
    </Card>
  );
}
