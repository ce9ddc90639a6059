// A comparison: its decision, the gauge with the thresholds, and the score.
import type { ReactNode } from 'react';
import { num, type Advice } from '../../text/tools.js';
import { finite } from '../../format/text.js';
import { Card, Facts } from '../../kit/layout.js';
import { RiskGauge, type Zone } from '../../plots/gauge.js';
import { t } from '../../text/voice.js';
import { adviceOn, evidenceWords, speechIn, type Question } from '../biosec/advice.js';
import { CheckBadge } from '../biosec/decision-badge.js';
import { numberOf, type ActiveConfigset } from '../biosec/parameters.js';
import type { MatchResult } from './lab-api.js';

const text = t.result;

export function authenticationZones(configset: ActiveConfigset | undefined): Zone[] {
  const low = numberOf(configset, 'authentication', 'riskLow', 300);
  return [
    { from: 0, to: low, label: text.zones.verified, tone: 'good' },
    { from: low, to: 1000, label: text.zones.noMatch, tone: 'warn' },
  ];
}

export const watchlistZones = (configset: ActiveConfigset | undefined): Zone[] =>
  alarmZonesFrom(numberOf(configset, 'fraudDetection', 'riskHigh', 700));

export function alarmZonesFrom(high: number): Zone[] {
  return [
    { from: 0, to: high, label: text.zones.noRisk, tone: 'good' },
    { from: high, to: 1000, label: text.zones.fraud, tone: 'bad' },
  ];
}

export function adviceOnResult(question: Question, { decision, reason, audioDetails }: MatchResult): Advice {
  return adviceOn({ question, decision, reason, speechSeconds: speechIn(audioDetails) });
}

/** What is left open, in words; undefined if the check came to a decision. */
export function openWords(question: Question, result: MatchResult): Advice | undefined {
  const { decision = 'DECISION_UNCERTAIN' } = result;
  const isOpen = decision === 'DECISION_UNCERTAIN' || decision === 'DECISION_FAILED';
  return isOpen ? adviceOnResult(question, result) : undefined;
}

/** One comparison by itself, never green: what it means is said above it. */
export function MatchCard({
  question,
  result,
  zones,
  who,
  children,
}: {
  question: Question;
  result: MatchResult;
  zones: readonly Zone[];
  /** Whom the best print belongs to. */
  who?: ReactNode;
  children?: ReactNode;
}): ReactNode {
  const open = openWords(question, result);
  return (
    <Card title={text.match} actions={<CheckBadge check={result} isOpen />}>
      <div className="stack">
        {open ? (
          <p>
            <strong>{open.title}.</strong> {open.next}
          </p>
        ) : null}
        <MatchNumbers result={result} zones={zones} who={who} />
        {children}
      </div>
    </Card>
  );
}

export const scoreOf = (result: {
  authenticationScore?: { biometricScore?: number | string };
  fraudDetectionScore?: { biometricScore?: number | string };
}): number | undefined => finite((result.authenticationScore ?? result.fraudDetectionScore)?.biometricScore);

function MatchNumbers({
  result,
  zones,
  who,
}: {
  result: MatchResult;
  zones: readonly Zone[];
  who: ReactNode;
}): ReactNode {
  const llr = scoreOf(result);
  const { risk, reliability } = result.riskEngineResult ?? {};
  const facts: [string, ReactNode][] = [];
  if (who) facts.push([text.closest, <strong key="who">{who}</strong>]);
  if (llr !== undefined) facts.push([text.score, text.scoreText(num(llr, 2), evidenceWords(llr))]);
  if (reliability !== undefined) facts.push([text.reliability, text.reliabilityText(reliability)]);
  return (
    <>
      {/* A voice that merely does not match is no matter of fraud. */}
      {risk === undefined || result.decision === 'DECISION_NO_MATCH' ? null : (
        <RiskGauge
          risk={risk}
          zones={zones}
          summary={text.gauge(
            risk,
            zones.map(({ label, from, to }) => text.zone(label, from, to)).join('; '),
          )}
        />
      )}
      <Facts items={facts} />
    </>
  );
}
