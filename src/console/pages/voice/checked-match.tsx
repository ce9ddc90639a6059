// A comparison together with the attack checks on the same recording: whether the voice matches and whether a live
// person speaks are two questions, and both are always asked.
import type { ReactNode } from 'react';
import { Card } from '../../kit/layout.js';
import type { Context } from '../../tenant/context.js';
import { t } from '../../text/voice.js';
import { AttackResults } from './attack-results.js';
import { checkAttacks, type AttackAnswer, type MatchResult, type Sent } from './lab-api.js';

interface CheckedMatch {
  match: MatchResult;
  /** Undefined if the checks could not be made. */
  attacks: AttackAnswer | undefined;
}

export async function withAttackChecks(
  context: Context,
  sent: Sent,
  compared: Promise<MatchResult>,
): Promise<CheckedMatch> {
  const [match, attacks] = await Promise.all([compared, checkAttacks(context, sent).catch(() => undefined)]);
  return { match, attacks };
}

export function AttackCard({
  answer,
  said,
}: {
  answer: AttackAnswer | undefined;
  /** Said before, of the recording itself. */
  said?: string | undefined;
}): ReactNode {
  if (!answer) return null;
  return (
    <Card title={t.attacks.section}>
      <div className="stack">
        <AttackResults answer={answer} said={said} />
      </div>
    </Card>
  );
}
