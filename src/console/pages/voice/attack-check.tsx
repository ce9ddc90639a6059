// Checks for a live person: computer-generated speech, and playback through a loudspeaker.
import type { ReactNode } from 'react';
import { Card } from '../../kit/layout.js';
import { EmptyState } from '../../kit/notice.js';
import { useReadContext } from '../../tenant/context.js';
import { t as shell } from '../../text/shell.js';
import { t } from '../../text/voice.js';
import { adviceOnAudio } from '../biosec/advice.js';
import {
  adviceOnAttack,
  AttackResults,
  attackFound,
  attackParts,
  attackSpans,
  isOpen,
} from './attack-results.js';
import { CaptureBox } from './capture-box.js';
import { CheckResults, type CheckSummary } from './check-results.js';
import { checkAttacks, type AttackAnswer } from './lab-api.js';
import { useChecks } from './use-checks.js';

const text = t.attacks;

function summaryOf(answer: AttackAnswer): CheckSummary {
  const made = attackParts(answer).map(([, result]) => result);
  const told = attackFound(answer) ?? made.find(isOpen) ?? made[0];
  return told
    ? { decision: told.decision, reason: adviceOnAttack(answer, told).title }
    : { decision: undefined, reason: adviceOnAudio(answer.validity, answer.audioDetails).title };
}

export function AttackCheck(): ReactNode {
  const read = useReadContext();
  const checks = useChecks(checkAttacks);
  if (!read) return <EmptyState title={shell.chooseTenant} />;
  return (
    <div className="lab">
      <Card title={text.title} hint={text.hint}>
        <CaptureBox
          action={text.record}
          targetSeconds={4}
          prompt={t.prompts.verify}
          busy={checks.busy}
          busyLabel={text.looking}
          onBegin={checks.begin}
          onTake={checks.run}
        />
      </Card>
      <div className="stack" aria-live="polite">
        <CheckResults
          checks={checks}
          summaryOf={summaryOf}
          detailsOf={(answer) => answer.audioDetails}
          spansOf={attackSpans}
        >
          {(answer, { take }) => (
            <Card title={t.result.of(take.name)}>
              <div className="stack">
                <AttackResults answer={answer} />
              </div>
            </Card>
          )}
        </CheckResults>
      </div>
    </div>
  );
}
