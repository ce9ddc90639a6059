// The recordings that a voiceprint was made from: the quality of each, a player, and a way to remove it.
import { useRef, type ReactNode } from 'react';
import type { EnrollmentSegmentDetailsJson } from '../../../gen/vendor/biosec/v1/voiceprint/types_pb.js';
import type { PrintRecordingJson } from '../../../gen/voxgate/biosec/v1/directory_pb.js';
import { durationSeconds, finite, words } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { fill } from '../../kit/fill.js';
import { Badge } from '../../kit/layout.js';
import { Table } from '../../kit/table.js';
import { Allowed } from '../../tenant/allowed.js';
import { t } from '../../text/people.js';
import { t as shell } from '../../text/shell.js';
import { t as voice } from '../../text/voice.js';
import { SessionLink } from '../biosec/session-link.js';
import { StoredPlayer } from '../voice/recording-view.js';

const text = t.segments;

export function Segments({
  rows,
  sources = [],
  onRemove,
}: {
  rows: readonly EnrollmentSegmentDetailsJson[];
  /** The calls that they were recorded in, if known. */
  sources?: readonly PrintRecordingJson[] | undefined;
  onRemove: (processed: string, label: string) => void;
}): ReactNode {
  if (rows.length === 0) return <p className="soft">{text.none}</p>;
  const labelOf = (row: EnrollmentSegmentDetailsJson): string => text.nth(rows.indexOf(row) + 1);
  return (
    <Table
      caption={text.caption}
      rows={rows}
      rowKey={(row) => row.gkProcessedAudioId?.value ?? ''}
      columns={[
        {
          label: text.recording,
          whole: true,
          cell: (row) => (
            <>
              {words(labelOf(row))}
              <Source of={row} sources={sources} />
            </>
          ),
        },
        {
          label: text.speech,
          number: true,
          cell: (row) => text.seconds(durationSeconds(row.audioDetails?.netAudio)),
        },
        {
          label: text.snr,
          number: true,
          cell: (row) => {
            const snr = finite(row.audioDetails?.snrDb);
            return snr === undefined ? shell.none : voice.recording.db(snr);
          },
        },
        {
          label: text.consistent,
          cell: (row) => <Consistency decision={row.consistencyDecision} />,
        },
        { label: text.used, cell: (row) => (row.usedForTrain ? shell.yes : shell.no) },
        {
          label: shell.actions,
          actions: true,
          cell: (row) => (
            <>
              <Player media={row.gkMediaSegmentId?.value} label={labelOf(row)} />
              <Allowed to="RemoveEnrollmentSegment">
                <Button
                  size="small"
                  kind="quiet"
                  aria-label={text.removeOne(labelOf(row))}
                  onClick={() => onRemove(row.gkProcessedAudioId?.value ?? '', labelOf(row))}
                >
                  {text.remove}
                </Button>
              </Allowed>
            </>
          ),
        },
      ]}
    />
  );
}

function Source({
  of,
  sources,
}: {
  of: EnrollmentSegmentDetailsJson;
  sources: readonly PrintRecordingJson[];
}): ReactNode {
  const source = sources.find((one) => one.gkProcessedAudioId?.value === of.gkProcessedAudioId?.value);
  if (!source) return null;
  const session = <SessionLink gkId={source.gkSessionId?.value} name={source.sessionId} />;
  return <div className="small">{fill(text.source, { session })}</div>;
}

function Consistency({
  decision,
}: {
  decision: EnrollmentSegmentDetailsJson['consistencyDecision'];
}): ReactNode {
  if (decision === 'CONSISTENCY_DECISION_INCONSISTENT') return <Badge tone="bad">{shell.no}</Badge>;
  return decision === 'CONSISTENCY_DECISION_CONSISTENT' ? <Badge tone="good">{shell.yes}</Badge> : shell.none;
}

function Player({ media, label }: { media: string | undefined; label: string }): ReactNode {
  const player = useRef<HTMLAudioElement>(null);
  return media ? (
    <div className="people-segment-player">
      <StoredPlayer name={label} media={media} player={player} />
    </div>
  ) : null;
}
