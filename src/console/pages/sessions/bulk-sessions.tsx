// Actions on several sessions at once: record one outcome for all of them, or export only these.
import { useState, type ReactNode } from 'react';
import type { UniqueIdJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { call } from '../../api/client.js';
import { asApiError, isChangedMeanwhile } from '../../api/errors.js';
import { forEachSelected } from '../../api/for-each.js';
import { useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { downloadCsv } from '../../kit/copy.js';
import { Notice } from '../../kit/notice.js';
import { SelectionBar } from '../../kit/selection-bar.js';
import { toast } from '../../kit/toast.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/sessions.js';
import { SESSIONS_ASKED_MAX } from '../biosec/sessions-by-id.js';
import { OutcomeDialog, recordOutcome, type Outcome, type OutcomeEffects } from './outcome-dialog.js';

export const sessionKey = ({ details }: SessionEntryJson): string => details?.gkSessionId?.value ?? '';

const sessionName = ({ details }: SessionEntryJson): string =>
  details?.sessionId || details?.gkSessionId?.value || '';

const hasOutcome = ({ verdict }: SessionEntryJson): boolean =>
  verdict !== undefined && verdict !== 'ENGAGEMENT_VERDICT_UNSPECIFIED';

/** What an outcome deletes and leaves in all of them: the list itself does not contain that. */
async function effectsOn(
  context: Context | undefined,
  gkSessionIds: readonly string[],
  signal: AbortSignal,
): Promise<OutcomeEffects> {
  const found: SessionEntryJson[] = [];
  for (let from = 0; from < gkSessionIds.length; from += SESSIONS_ASKED_MAX) {
    const asked = gkSessionIds.slice(from, from + SESSIONS_ASKED_MAX);
    const wanted = { context, gkSessionIds: asked, withOutcomeEffects: true };
    const { sessions = [] } = await call('ListSessions', wanted, signal);
    found.push(...sessions);
  }
  const keptAsFraud = found.filter(({ isKeptAsFraud }) => isKeptAsFraud);
  const keptWithFraudster = found.filter(({ isKeptWithFraudster }) => isKeptWithFraudster);
  return {
    isKeptAsFraud: keptAsFraud.length > 0,
    isKeptWithFraudster: keptWithFraudster.length > 0,
    keptIn: { asFraud: onePerEngagement(keptAsFraud), withFraudster: onePerEngagement(keptWithFraudster) },
    enrolledAs: found.flatMap(({ enrolledAs = [] }) => enrolledAs),
    engagementFraudsters: found.flatMap(({ engagementFraudsters = [] }) => engagementFraudsters),
  };
}

/** Names each engagement by the first of its selected sessions. */
const onePerEngagement = (entries: readonly SessionEntryJson[]): UniqueIdJson[] =>
  [...new Map(entries.map(({ details }) => [details?.gkEngagementId?.value, details])).values()].map(
    (details) => ({ value: details?.gkSessionId?.value ?? '' }),
  );

export function BulkSessions({
  chosen,
  onSelected,
  reload,
  toCsv,
}: {
  /** The selected sessions. */
  chosen: readonly SessionEntryJson[];
  onSelected: (selected: ReadonlySet<string>) => void;
  reload: () => void;
  toCsv: (rows: readonly SessionEntryJson[]) => string;
}): ReactNode {
  const read = useReadContext();
  const [recording, setRecording] = useState(false);
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const ids = chosen.map(sessionKey);
  const effects = useQuery(recording ? `outcome of ${ids.join(' ')}` : undefined, (signal) =>
    effectsOn(read, ids, signal),
  );
  const leftAsTheyWere = chosen.filter((row) => changed.has(sessionKey(row)));
  const decidedBefore = chosen.filter(hasOutcome).length;
  const save = async (outcome: Outcome): Promise<void> => {
    const bySession = new Map(chosen.map((row) => [sessionKey(row), row]));
    const others = new Set<string>();
    const record = onceForEngagement((row) =>
      recordOutcome(read, row.details?.gkEngagementId, outcome, { time: row.verdictTime }),
    );
    const done = await forEachSelected(
      new Set(bySession.keys()),
      async (gkSessionId) => {
        try {
          await record(bySession.get(gkSessionId) ?? {});
        } catch (thrown) {
          if (!isChangedMeanwhile(asApiError(thrown))) throw thrown;
          others.add(gkSessionId);
        }
      },
      (left) => {
        setChanged(others);
        onSelected(new Set([...left, ...others]));
        reload();
      },
    );
    if (done > others.size) toast(t.outcome.savedMany(done - others.size));
    setRecording(false);
  };
  return (
    <>
      {leftAsTheyWere.length > 0 ? (
        <Notice tone="warn">
          {t.outcome.leftAsTheyWere(leftAsTheyWere.length, leftAsTheyWere.map(sessionName).join(', '))}
        </Notice>
      ) : null}
      <SelectionBar count={chosen.length} onClear={() => onSelected(new Set())}>
        <Allowed to="SetEngagementVerdict">
          <Button size="small" onClick={() => setRecording(true)}>
            {t.session.record}
          </Button>
        </Allowed>
        <Button size="small" onClick={() => downloadCsv('sessions.csv', toCsv(chosen))}>
          {t.list.exportSelected}
        </Button>
        {recording ? (
          <OutcomeDialog
            title={t.outcome.titleMany(chosen.length)}
            isOfMany={chosen.length > 1}
            scope={t.outcome.holdsForAll}
            effects={effects.data}
            unknown={effects.error}
            warning={decidedBefore > 0 ? t.outcome.replaces(decidedBefore) : undefined}
            onClose={() => setRecording(false)}
            save={save}
          />
        ) : null}
      </SelectionBar>
    </>
  );
}

/**
 * Sessions of one engagement share one outcome: it is recorded once, so that it does not conflict with
 * itself.
 */
function onceForEngagement(
  record: (row: SessionEntryJson) => Promise<void>,
): (row: SessionEntryJson) => Promise<void> {
  const recorded = new Map<string, Promise<void>>();
  return (row) => {
    const id = row.details?.gkEngagementId?.value ?? '';
    const before = recorded.get(id) ?? record(row);
    recorded.set(id, before);
    return before;
  };
}
