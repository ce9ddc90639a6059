// What can be done with several sessions at once: record one outcome for all of them, or export just these.
import { useState, type ReactNode } from 'react';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { forEachSelected } from '../../api/for-each.js';
import { Button } from '../../kit/button.js';
import { downloadCsv } from '../../kit/copy.js';
import { SelectionBar } from '../../kit/selection-bar.js';
import { toast } from '../../kit/toast.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext } from '../../tenant/context.js';
import { t } from '../../text/sessions.js';
import { OutcomeDialog, recordOutcome, type Outcome } from './outcome-dialog.js';

export const sessionKey = ({ details }: SessionEntryJson): string => details?.gkSessionId?.value ?? '';

const hasOutcome = ({ verdict }: SessionEntryJson): boolean =>
  verdict !== undefined && verdict !== 'ENGAGEMENT_VERDICT_UNSPECIFIED';

export function BulkSessions({
  chosen,
  onSelected,
  reload,
  toCsv,
}: {
  /** Those of the list that are selected. */
  chosen: readonly SessionEntryJson[];
  onSelected: (selected: ReadonlySet<string>) => void;
  reload: () => void;
  toCsv: (rows: readonly SessionEntryJson[]) => string;
}): ReactNode {
  const read = useReadContext();
  const [recording, setRecording] = useState(false);
  const engagements = new Map(chosen.map((row) => [sessionKey(row), row.details?.gkEngagementId]));
  const decidedBefore = chosen.filter(hasOutcome).length;
  const save = async (outcome: Outcome): Promise<void> => {
    const done = await forEachSelected(
      new Set(engagements.keys()),
      (gkSessionId) => recordOutcome(read, engagements.get(gkSessionId), outcome),
      (left) => {
        onSelected(left);
        reload();
      },
    );
    toast(t.outcome.savedMany(done));
    setRecording(false);
  };
  return (
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
          warning={decidedBefore > 0 ? t.outcome.replaces(decidedBefore) : undefined}
          onClose={() => setRecording(false)}
          save={save}
        />
      ) : null}
    </SelectionBar>
  );
}
