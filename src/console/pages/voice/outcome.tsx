// What the check of a recording means, as the session that it was made in says.
import { useEffect, useRef, type ReactNode } from 'react';
import type { SessionAssessmentJson } from '../../../gen/voxgate/biosec/v1/assessment_pb.js';
import { headlineWord, nextStep } from '../../../words/tell.js';
import { t as words } from '../../text/assessment.js';
import { t } from '../../text/voice.js';
import { toneOf } from '../biosec/decision-badge.js';
import { Caveats, Meaning } from '../biosec/told.js';

export function Outcome({
  name,
  of,
  children,
}: {
  /** Name of the recording. */
  name: string;
  of: SessionAssessmentJson;
  children?: ReactNode;
}): ReactNode {
  const next = nextStep(words, of);
  const place = useRef<HTMLDivElement>(null);
  // On a phone the answer is below the microphone: scroll it into view.
  useEffect(() => {
    // Newer browsers return a promise, which React would take for a clean-up function.
    void place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div className="outcome" data-tone={toneOf(of)} role="status" ref={place}>
      <p className="small soft">{t.result.of(name)}</p>
      <p className="outcome-word">{headlineWord(words, of)}</p>
      <p>
        <Meaning of={of} />
      </p>
      <Caveats of={of} />
      {next ? <p>{next}</p> : null}
      {children}
    </div>
  );
}
