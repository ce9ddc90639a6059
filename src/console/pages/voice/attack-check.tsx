// Checks for a live person: computer-generated speech, and playback through a loudspeaker.
import type { ReactNode } from 'react';
import { Card } from '../../kit/layout.js';
import { EmptyState } from '../../kit/notice.js';
import { useReadContext } from '../../tenant/context.js';
import { t as shell } from '../../text/shell.js';
import { t } from '../../text/voice.js';
import { attackSpans } from './attack-results.js';
import { CaptureBox } from './capture-box.js';
import { CheckResults } from './check-results.js';
import { AttackCard } from './checked-match.js';
import { checkAttacks } from './lab-api.js';
import { useChecks } from './use-checks.js';

const text = t.attacks;

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
        <CheckResults checks={checks} detailsOf={(answer) => answer.audioDetails} spansOf={attackSpans}>
          {(answer) => <AttackCard answer={answer} />}
        </CheckResults>
      </div>
    </div>
  );
}
