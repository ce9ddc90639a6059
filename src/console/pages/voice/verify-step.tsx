// Checks a fresh recording against a trained voiceprint.
import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../../kit/button.js';
import { relativeTime } from '../../format/text.js';
import { fill } from '../../kit/fill.js';
import { Card } from '../../kit/layout.js';
import { Notice } from '../../kit/notice.js';
import { navigate } from '../../router.js';
import { useReadContext } from '../../tenant/context.js';
import { t as people } from '../../text/people.js';
import { t } from '../../text/voice.js';
import { useLock, type Lock } from '../biosec/lock.js';
import { useConfigset } from '../biosec/parameters.js';
import { PersonLink } from '../biosec/person-link.js';
import { attackSpans } from './attack-results.js';
import { CaptureBox } from './capture-box.js';
import { CheckResults } from './check-results.js';
import { AttackCard, withAttackChecks } from './checked-match.js';
import { verify } from './lab-api.js';
import { authenticationZones, MatchCard, openWords } from './match-result.js';
import { useChecks } from './use-checks.js';

const VERIFY_SECONDS = 4;

export function VerifyStep({
  personId,
  gkPersonId,
  profile,
  isNext,
  below,
}: {
  personId: string;
  gkPersonId: string | undefined;
  profile: string;
  /** The voiceprint was trained just now: keyboard users continue here. */
  isNext: boolean;
  /** Shown below the microphone. */
  below: ReactNode;
}): ReactNode {
  const configset = useConfigset(useReadContext());
  const lock = useLock(profile);
  // A check may lock the print, or find a lock that was set meanwhile.
  const checks = useChecks(
    (context, sent) => withAttackChecks(context, sent, verify(context, profile, sent)).finally(lock.reload),
    gkPersonId,
  );
  const place = useRef<HTMLDivElement>(null);
  // On a phone the three recordings before it have pushed the page down.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
    if (isNext && document.activeElement === document.body)
      place.current?.querySelector<HTMLElement>('.capture-button')?.focus();
  }, [isNext]);
  return (
    <div className="lab">
      <div className="stack" ref={place}>
        {lock.data?.lock ? <Locked lock={lock.data.lock} gkPersonId={gkPersonId} /> : null}
        <Card title={t.verify.title} hint={t.verify.hint(personId)}>
          <CaptureBox
            action={t.verify.record}
            targetSeconds={VERIFY_SECONDS}
            prompt={t.prompts.verify}
            busy={checks.busy}
            busyLabel={t.verify.comparing}
            onBegin={checks.begin}
            onTake={checks.run}
          />
        </Card>
        {below}
      </div>
      <div className="stack" aria-live="polite">
        <CheckResults
          checks={checks}
          detailsOf={({ match }) => match.audioDetails}
          spansOf={({ attacks }) => attackSpans(attacks)}
          more={
            <Button kind="quiet" onClick={() => navigate('/applications')}>
              {t.verify.connect}
            </Button>
          }
        >
          {({ match, attacks }) => (
            <>
              <MatchCard question="verify" result={match} zones={authenticationZones(configset)} />
              <AttackCard answer={attacks} said={openWords('verify', match)?.title} />
            </>
          )}
        </CheckResults>
      </div>
    </div>
  );
}

/** Shown before anybody records in vain. */
function Locked({ lock, gkPersonId }: { lock: Lock; gkPersonId: string | undefined }): ReactNode {
  const { reason, lockReason = 'LOCK_REASON_UNSPECIFIED', autoUnlockTimestamp } = lock;
  return (
    <Notice tone="warn" title={t.verify.locked}>
      <p>{t.verify.lockedText(reason || people.lockReasons[lockReason])}</p>
      {autoUnlockTimestamp ? <p>{t.verify.opens(relativeTime(autoUnlockTimestamp))}</p> : null}
      {gkPersonId ? (
        <p>{fill(t.verify.lockedWhere, { person: <PersonLink gkId={gkPersonId} bare /> })}</p>
      ) : null}
    </Notice>
  );
}
