// The takes a voiceprint was made from: how good each is, how it sounds, and the way to remove it.
import { useState, type ReactNode } from 'react';
import { post } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { durationSeconds, words } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Badge } from '../../kit/layout.js';
import { Table } from '../../kit/table.js';
import { useInSession } from '../biosec/in-session.js';
import type { Id, SegmentDetails } from '../biosec/types.js';

export function Segments({
  rows,
  onRemove,
}: {
  rows: readonly SegmentDetails[];
  onRemove: (processed: string, label: string) => void;
}): ReactNode {
  if (rows.length === 0) return <p className="soft">No takes yet.</p>;
  const labelOf = (row: SegmentDetails): string => `take ${String(rows.indexOf(row) + 1)}`;
  return (
    <Table
      caption="Takes of this voiceprint"
      rows={rows}
      rowKey={(row) => row.gkProcessedAudioId?.value ?? ''}
      columns={[
        { label: 'Take', cell: (row) => words(labelOf(row)) },
        {
          label: 'Speech',
          number: true,
          cell: (row) => `${durationSeconds(row.audioDetails?.netAudio).toFixed(1)} s`,
        },
        {
          label: 'Above the noise',
          number: true,
          cell: (row) =>
            row.audioDetails?.snrDb === undefined ? '-' : `${row.audioDetails.snrDb.toFixed(0)} dB`,
        },
        {
          label: 'Fits the others',
          cell: (row) =>
            row.consistencyDecision === 'CONSISTENCY_DECISION_INCONSISTENT' ? (
              <Badge tone="bad">No</Badge>
            ) : row.consistencyDecision ? (
              <Badge tone="good">Yes</Badge>
            ) : (
              '-'
            ),
        },
        { label: 'In the template', cell: (row) => (row.usedForTrain ? 'Yes' : 'No') },
        {
          label: 'Actions',
          actions: true,
          cell: (row) => (
            <>
              <PlaySegment media={row.gkMediaSegmentId} label={labelOf(row)} />
              <Button
                size="small"
                kind="quiet"
                aria-label={`Remove ${labelOf(row)}`}
                onClick={() => onRemove(row.gkProcessedAudioId?.value ?? '', labelOf(row))}
              >
                Remove
              </Button>
            </>
          ),
        },
      ]}
    />
  );
}

function PlaySegment({ media, label }: { media: Id | undefined; label: string }): ReactNode {
  const inSession = useInSession();
  const [source, setSource] = useState<string | undefined>();
  const play = useAction(async () => {
    const { mediaDownloadUrl } = await inSession((context) =>
      post<{ mediaDownloadUrl: string }>('/v1/audios/download-url', {
        context,
        gkMediaSegmentId: media,
        container: 'CONTAINER_WAV',
        format: { pcm: { sampleRateHz: 16_000 }, numberOfChannels: 1 },
      }),
    );
    const address = new URL(mediaDownloadUrl);
    setSource(address.pathname + address.search);
  });
  if (source)
    return (
      <audio className="people-segment-player" controls autoPlay src={source} aria-label={`Play ${label}`} />
    );
  return (
    <>
      <Button size="small" busy={play.busy} aria-label={`Play ${label}`} onClick={() => void play.run()}>
        Play
      </Button>
      {play.error ? <span className="small">{play.error.message}</span> : null}
    </>
  );
}
