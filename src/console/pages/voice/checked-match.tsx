// A comparison together with the attack checks on the same recording. Whether the voice matches and whether a
// live person speaks are two questions: both are always asked, and the answer on top is the more cautious of
// the two.
import type { ReactNode } from 'react';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { Card } from '../../kit/layout.js';
import { Notice } from '../../kit/notice.js';
import type { Context } from '../../tenant/context.js';
import { t as words } from '../../text/assessment.js';
import { t } from '../../text/voice.js';
import type { Advice } from '../../text/tools.js';
import { adviceOn, type Question } from '../biosec/advice.js';
import { AttackResults, attackFound } from './attack-results.js';
import type { CheckSummary } from './check-results.js';
import { checkAttacks, type AttackAnswer, type MatchResult, type Sent } from './lab-api.js';
import { doubtOn } from './match-doubt.js';
import { adviceOnResult, Outcome } from './match-result.js';

export interface CheckedMatch {
  match: MatchResult;
  /** Undefined if the checks could not be made. */
  attacks: AttackAnswer | undefined;
  session: string | undefined;
}

export async function withAttackChecks(
  context: Context,
  sent: Sent,
  compared: Promise<MatchResult>,
): Promise<CheckedMatch> {
  const [match, attacks] = await Promise.all([compared, checkAttacks(context, sent).catch(() => undefined)]);
  return { match, attacks, session: context.gkSessionId?.value };
}

interface JudgedMatch extends CheckSummary {
  advice: Advice;
  /** The result of the comparison, if the answer on top is that of an attack check. */
  beside: string | undefined;
  /** Shown instead of a positive answer. */
  doubt: Advice | undefined;
}

/** The mark beside a match, as in the list of sessions. */
function markOn({ match, attacks }: CheckedMatch, doubt: Advice | undefined): string | undefined {
  if (!doubt || match.decision !== 'DECISION_AUTHENTIC') return undefined;
  return words.caveats[attacks ? 'ATTACK_CHECK_UNRESOLVED' : 'ATTACK_CHECK_MISSING'].word;
}

export function judgeMatch(question: Question, checked: CheckedMatch): JudgedMatch {
  const { match, attacks } = checked;
  const attack = attackFound(attacks);
  const doubt = doubtOn(match.decision, attacks);
  const own = doubt ?? adviceOnResult(question, match);
  // That nobody was found says nothing about a voice that may not be a person's.
  const isOpen = doubt !== undefined && match.decision === 'DECISION_NO_RISK_DETECTED';
  const decision = isOpen ? 'DECISION_UNCERTAIN' : match.decision;
  if (!attack) {
    const mark = markOn(checked, doubt);
    return { decision, mark, reason: own.title, advice: own, beside: undefined, doubt };
  }
  const found = adviceOn({ question: 'attack', decision: attack.decision, reason: attack.reason });
  const beside = besideAttack(question, match.decision);
  // Beside an attack, a matching voice is secondary; among several recordings it still tells them apart.
  const reason = (
    <>
      {found.title}
      <div className="small soft">{beside}</div>
    </>
  );
  return { decision: 'DECISION_FRAUD', reason, advice: found, beside, doubt };
}

function besideAttack(question: Question, decision: DecisionJson | undefined): string {
  const { matches, differs, unsure, listed, notListed } = t.result.besideAttack;
  if (decision === undefined || decision === 'DECISION_UNCERTAIN') return unsure;
  // On a watchlist, the match is the fraud.
  if (question === 'watchlist') return decision === 'DECISION_FRAUD' ? listed : notListed;
  return decision === 'DECISION_AUTHENTIC' ? matches : differs;
}

/** The answer, the numbers of the comparison, and each attack check. */
export function CheckedOutcome({
  name,
  judged: { decision, mark, advice, beside },
  attacks,
  children: numbers,
}: {
  /** Name of the recording. */
  name: string;
  judged: JudgedMatch;
  attacks: AttackAnswer | undefined;
  /** Details of the comparison. */
  children: ReactNode;
}): ReactNode {
  return (
    <>
      <Outcome name={name} decision={decision} mark={mark} advice={advice}>
        {beside === undefined ? numbers : <p>{beside}</p>}
      </Outcome>
      {beside === undefined ? null : <Card title={t.result.match}>{numbers}</Card>}
      {attacks ? (
        <Card title={t.attacks.section}>
          <div className="stack">
            <AttackResults answer={attacks} />
          </div>
        </Card>
      ) : (
        <Notice tone="warn" title={t.attacks.notCheckedTitle}>
          <span>{t.attacks.notChecked}</span>
        </Notice>
      )}
    </>
  );
}
