// Stored calls as found: when, which session, whom the caller claimed to be, and the recording to listen to.
import { useState, type ReactNode } from 'react';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type {
  FoundCallJson,
  LookedAtJson,
  StoredCallJson,
} from '../../../gen/voxgate/biosec/v1/voice_search_pb.js';
import { isFraudster, shownParties } from '../../../words/tell.js';
import { num } from '../../text/tools.js';
import { dateTime, durationSeconds, finite } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Dialog } from '../../kit/dialog.js';
import { Badge } from '../../kit/layout.js';
import { EmptyState, Notice } from '../../kit/notice.js';
import { Table, type Column, type Selection } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { Link } from '../../router.js';
import { t as words } from '../../text/assessment.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/voice-search.js';
import { t as shell } from '../../text/shell.js';
import { evidenceWords } from '../biosec/advice.js';
import { SessionLink } from '../biosec/session-link.js';
import { useSessionsById } from '../biosec/sessions-by-id.js';
import { RecordingView } from '../voice/recording-view.js';

/** `entryOf`: the call as other lists have it, with a fraudster whose voice is known by name. */
const callColumns = (
  entryOf: (call: StoredCallJson) => SessionEntryJson | undefined,
): readonly Column<StoredCallJson>[] => [
  { label: t.columns.time, whole: true, cell: ({ time }) => <Time at={time} /> },
  {
    label: t.columns.session,
    whole: true,
    cell: ({ gkSessionId, sessionId }) => <SessionLink gkId={gkSessionId?.value} name={sessionId} />,
  },
  {
    label: t.columns.claimed,
    cell: (call) => (
      <>
        <Claimed call={call} />
        {fraudstersIn([entryOf(call)]).map((name) => (
          <div key={name}>
            <Badge tone="bad">{name}</Badge>
          </div>
        ))}
      </>
    ),
  },
  {
    label: t.columns.speech,
    number: true,
    cell: ({ netSpeech }) => t.seconds(durationSeconds(netSpeech)),
  },
];

function Claimed({ call: { gkPersonId, personId, personName } }: { call: StoredCallJson }): ReactNode {
  if (!gkPersonId?.value) return personId || shell.none;
  return (
    <>
      <Link to={`/people/persons/${gkPersonId.value}`}>{personId || t.columns.gone}</Link>
      {personName ? <div className="small soft">{personName}</div> : null}
    </>
  );
}

/** By whose names the voice is known already. */
export const fraudstersIn = (entries: readonly (SessionEntryJson | undefined)[]): string[] => [
  ...new Set(
    entries.flatMap((entry) =>
      shownParties(words, entry?.assessment ?? {}).flatMap(({ party, name }) =>
        party && isFraudster(party) ? name : [],
      ),
    ),
  ),
];

/** Several sessions may have heard one recording. */
export const idOf = ({ gkSessionId }: StoredCallJson): string => gkSessionId?.value ?? '';

/** With a button that plays the recording. */
export function CallTable({
  caption,
  calls,
  columns = [],
  selection,
}: {
  caption: string;
  calls: readonly StoredCallJson[];
  columns?: readonly Column<StoredCallJson>[];
  selection?: Selection<StoredCallJson>;
}): ReactNode {
  const [heard, setHeard] = useState<StoredCallJson>();
  const entries = useSessionsById(calls.map(idOf)).data ?? [];
  const byId = new Map(entries.map((entry) => [entry.details?.gkSessionId?.value, entry]));
  const listen: Column<StoredCallJson> = {
    label: t.columns.actions,
    actions: true,
    cell: (call) => (
      <Button size="small" onClick={() => setHeard(call)} aria-label={t.listenTo(dateTime(call.time))}>
        {t.listen}
      </Button>
    ),
  };
  return (
    <>
      <Table
        caption={caption}
        rows={calls}
        rowKey={idOf}
        columns={[...callColumns((call) => byId.get(idOf(call))), ...columns, listen]}
        selection={selection}
      />
      {heard ? (
        <Dialog title={t.listenTo(dateTime(heard.time))} wide onClose={() => setHeard(undefined)}>
          <RecordingView name={t.recording} media={heard.gkMediaSegmentId?.value} />
        </Dialog>
      ) : null}
    </>
  );
}

const CHANCE_SHOWN_MIN = 0.0001;

/** Nothing is impossible: a chance too small to write is shown as less than the smallest one. */
const chanceWords = (expected: number): string =>
  expected < CHANCE_SHOWN_MIN ? t.lessThan(num(CHANCE_SHOWN_MIN, 4)) : num(expected, 4);

/** Best first, with the evidence for each. */
export function FoundCalls({
  calls,
  lookedAt,
}: {
  calls: readonly FoundCallJson[];
  lookedAt: LookedAtJson | undefined;
}): ReactNode {
  const byId = new Map(calls.map((found) => [idOf(found.call ?? {}), found]));
  const found = (call: StoredCallJson): FoundCallJson => byId.get(idOf(call)) ?? {};
  if (calls.length === 0)
    return (
      <EmptyState icon="search" title={t.none}>
        <LookedAt lookedAt={lookedAt} />
      </EmptyState>
    );
  return (
    <div className="stack">
      <p>
        <strong>{t.found(calls.length)}</strong> <LookedAt lookedAt={lookedAt} />
      </p>
      <CallTable
        caption={t.foundCaption}
        calls={calls.map(({ call = {} }) => call)}
        columns={[
          {
            label: t.columns.evidence,
            cell: (call) => (
              <div>
                {evidenceWords(finite(found(call).biometricScore))}
                <div className="small soft">{checks.risk(found(call).risk ?? 0)}</div>
              </div>
            ),
          },
          {
            label: t.columns.byChance,
            number: true,
            cell: (call) => chanceWords(finite(found(call).expectedByChance) ?? 0),
          },
        ]}
      />
      <Notice>{t.byChanceText}</Notice>
    </div>
  );
}

export function LookedAt({ lookedAt = {} }: { lookedAt: LookedAtJson | undefined }): ReactNode {
  const {
    searched = 0,
    otherModel = 0,
    unreadable = 0,
    liveCalls = 0,
    isPartial = false,
    startTime,
  } = lookedAt;
  return (
    <>
      <Time at={startTime} within={(time) => t.searched(searched, time)} />
      {otherModel > 0 ? ` ${t.otherModel(otherModel)}` : null}
      {unreadable > 0 ? ` ${t.unreadable(unreadable)}` : null}
      {isPartial ? ` ${t.partial}` : null}
      {liveCalls > 0 ? ` ${t.liveCalls(liveCalls)}` : null}
    </>
  );
}
