// The recordings of a voiceprint in progress: done, next and still to come.
import type { ReactNode } from 'react';
import type { EnrollmentSegmentDetailsJson } from '../../../gen/vendor/biosec/v1/voiceprint/types_pb.js';
import { Button } from '../../kit/button.js';
import { t } from '../../text/voice.js';
import type { AddedFile } from './added-files.js';
import { qualityLine } from './recording-view.js';

const text = t.enroll;

export function Takes({
  segments,
  wanted,
  files,
  busy,
  onRemove,
}: {
  segments: readonly EnrollmentSegmentDetailsJson[];
  wanted: number;
  /** The files that recordings came from, as far as known. */
  files: readonly AddedFile[];
  busy: boolean;
  onRemove: (processed: string) => void;
}): ReactNode {
  const count = segments.length;
  return (
    <ol className="takes" aria-label={text.recordings}>
      {Array.from({ length: Math.max(wanted, count) }, (_unused, index) => {
        const segment = segments[index];
        const state = segment ? 'good' : index === count ? 'next' : 'open';
        const processed = segment?.gkProcessedAudioId?.value;
        const file = files.find((one) => one.processed !== undefined && one.processed === processed);
        return (
          <li key={processed ?? index} data-state={state}>
            <span className="take-mark" aria-hidden="true">
              {segment ? '✓' : index + 1}
            </span>
            <span>
              {text.recording(index + 1)}
              {state === 'open' ? '' : `: ${state === 'good' ? text.good : text.next}`}
              <span className="small soft">
                {file ? <span translate="no"> {file.name}</span> : null} {qualityLine(segment?.audioDetails)}
              </span>
              {segment?.consistencyDecision === 'CONSISTENCY_DECISION_INCONSISTENT' ? (
                <strong className="small"> {text.otherVoice}</strong>
              ) : null}
            </span>
            {segment ? (
              <Button
                kind="quiet"
                size="small"
                busy={busy}
                aria-label={text.removeOne(index + 1)}
                onClick={() => onRemove(processed ?? '')}
              >
                {text.remove}
              </Button>
            ) : null}
          </li>
        );
      })}
    </ol>
  );
}
