// A fresh recording against a trained voiceprint. Whether the voice matches and whether a live person speaks are two
// questions: both are always asked, and the answer on top is the more careful of the two.
import { useEffect, useRef, type ReactNode } from 'react';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { Button } from '../../kit/button.js';
import { relativeTime } from '../../format/text.js';
import { fill } from '../../kit/fill.js';
import { Card } from '../../kit/layout.js';
import { Notice } from '../../kit/notice.js';
import { navigate } from '../../router.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t as people } from '../../text/people.js';
import { t } from '../../text/voice.js';
import type { Advice } from '../../text/tools.js';
import { adviceOn } from '../biosec/advice.js';
import { useLock, type Lock } from '../biosec/lock.js';
import { useConfigset, type ActiveConfigset } from '../biosec/parameters.js';
import { PersonLink } from '../biosec/person-link.js';
import { AttackResults, attackFound, attackSpans } from './attack-results.js';
import { CaptureBox } from './capture-box.js';
import { CheckResults, type CheckSummary } from './check-results.js';
import { checkAttacks, verify, type AttackAnswer, type MatchResult, type Sent } from './lab-api.js';
import { adviceOnResult, authenticationZones, MatchNumbers, Outcome } from './match-result.js';
import { useChecks } from './use-checks.js';

const VERIFY_SECONDS = 4;

interface Verification {
  match: MatchResult;
  /** Undefined where the checks could not be made. */
  attacks: AttackAnswer | undefined;
  session: string | undefined;
}

async function verifyAndCheck(context: Context, profile: string, sent: Sent): Promise<Verification> {
  const [match, attacks] = await Promise.all([
    verify(context, profile, sent),
    checkAttacks(context, sent).catch(() => undefined),
  ]);
  return { match, attacks, session: context.gkSessionId?.value };
}

function judge({ match, attacks }: Verification): CheckSummary & { advice: Advice } {
  const attack = attackFound(attacks);
  const own = adviceOnResult('verify', match);
  if (!attack) return { decision: match.decision, reason: own.title, advice: own };
  const found = adviceOn({ question: 'attack', decision: attack.decision, reason: attack.reason });
  // A voice that matches is no news beside one that is not alive; among several recordings it tells them apart.
  const reason = (
    <>
      {found.title}
      <div className="small soft">{besideAttack(match.decision)}</div>
    </>
  );
  return { decision: 'DECISION_FRAUD', reason, advice: found };
}

/** What the comparison says, where the answer on top is that of an attack check. */
function besideAttack(decision: DecisionJson | undefined): string {
  const { matches, differs, unsure } = t.result.besideAttack;
  if (decision === 'DECISION_AUTHENTIC') return matches;
  return decision === 'DECISION_NO_MATCH' || decision === 'DECISION_FRAUD' ? differs : unsure;
}

export function VerifyStep({
  personId,
  gkPersonId,
  profile,
  below,
}: {
  personId: string;
  gkPersonId: string | undefined;
  profile: string;
  /** Below the microphone. */
  below: ReactNode;
}): ReactNode {
  const configset = useConfigset(useReadContext());
  const lock = useLock(profile);
  // A check may lock it, or meet a lock that somebody has set meanwhile.
  const checks = useChecks(
    (context, sent) => verifyAndCheck(context, profile, sent).finally(lock.reload),
    gkPersonId,
  );
  const place = useRef<HTMLDivElement>(null);
  // On a phone the three recordings before it have pushed the page down.
  useEffect(() => void place.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div className="lab">
      <div className="stack" ref={place}>
        {lock.data ? <Locked lock={lock.data} gkPersonId={gkPersonId} /> : null}
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
          summaryOf={judge}
          detailsOf={({ match }) => match.audioDetails}
          spansOf={({ attacks }) => attackSpans(attacks)}
        >
          {(result, { take }) => <VerifyOutcome name={take.name} result={result} configset={configset} />}
        </CheckResults>
      </div>
    </div>
  );
}

/** Before anybody records in vain. */
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

function VerifyOutcome({
  name,
  result,
  configset,
}: {
  name: string;
  result: Verification;
  configset: ActiveConfigset | undefined;
}): ReactNode {
  const { match, attacks, session } = result;
  const { decision, advice } = judge(result);
  const isAttack = attackFound(attacks) !== undefined;
  const numbers = <MatchNumbers result={match} zones={authenticationZones(configset)} />;
  return (
    <>
      <Outcome name={name} decision={decision} advice={advice}>
        {isAttack ? <p>{besideAttack(match.decision)}</p> : numbers}
      </Outcome>
      {isAttack ? <Card title={t.result.match}>{numbers}</Card> : null}
      {attacks ? (
        <Card title={t.attacks.section}>
          <div className="stack">
            <AttackResults answer={attacks} configset={configset} />
          </div>
        </Card>
      ) : (
        <Notice tone="warn" title={t.attacks.notCheckedTitle}>
          <span>{t.attacks.notChecked}</span>
        </Notice>
      )}
      <div className="row">
        <Button onClick={() => navigate(session ? `/sessions/${session}` : '/sessions')}>
          {t.verify.session}
        </Button>
        <Button kind="quiet" onClick={() => navigate('/applications')}>
          {t.verify.connect}
        </Button>
      </div>
    </>
  );
}
