// The outcome of a comparison: the word, the gauge against the thresholds, the score, and what to do next.
import { useEffect, useRef, type ReactNode } from 'react';
import { Facts } from '../../kit/layout.js';
import { RiskGauge, type Zone } from '../../plots/gauge.js';
import { adviceOnDecision, decisionWord, evidenceWords, type Advice } from '../biosec/advice.js';
import { numberOf, type ActiveConfigset } from '../biosec/parameters.js';
import type { MatchResult } from '../biosec/types.js';

export function Outcome({
  decision,
  reason,
  advise = adviceOnDecision,
  children,
}: {
  decision: string | undefined;
  reason: string | undefined;
  advise?: (reason: string | undefined) => Advice;
  children?: ReactNode;
}): ReactNode {
  const { word, tone } = decisionWord(decision);
  const advice = advise(reason);
  const place = useRef<HTMLDivElement>(null);
  // On a phone the answer comes below the microphone: bring it into view.
  useEffect(() => {
    // Newer browsers answer with a promise, which React would take for a clean-up.
    void place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div className="outcome" data-tone={tone} role="status" ref={place}>
      <p className="outcome-word">{word}</p>
      <p>
        <strong>{advice.title}.</strong> {advice.next}
      </p>
      {children}
    </div>
  );
}

export function authenticationZones(configset: ActiveConfigset | undefined): Zone[] {
  const low = numberOf(configset, 'authentication', 'riskLow', 300);
  const high = numberOf(configset, 'authentication', 'riskHigh', 700);
  return [
    { from: 0, to: low, label: 'verified', tone: 'good' },
    { from: low, to: high, label: 'no match', tone: 'warn' },
    { from: high, to: 1000, label: 'fraud risk', tone: 'bad' },
  ];
}

export function alarmZones(
  configset: ActiveConfigset | undefined,
  section: 'fraudDetection' | 'attackChecks',
): Zone[] {
  const high = numberOf(configset, section, 'riskHigh', 700);
  return [
    { from: 0, to: high, label: 'no risk found', tone: 'good' },
    { from: high, to: 1000, label: 'fraud risk', tone: 'bad' },
  ];
}

export function MatchOutcome({
  result,
  zones,
  who,
}: {
  result: MatchResult;
  zones: readonly Zone[];
  /** Whom the best print belongs to. */ who?: string | undefined;
}): ReactNode {
  const llr = result.authenticationScore?.biometricScore ?? result.fraudDetectionScore?.biometricScore;
  const { risk, reliability } = result.riskEngineResult ?? {};
  const facts: [string, ReactNode][] = [];
  if (who) facts.push(['Closest voice', <strong key="who">{who}</strong>]);
  if (llr !== undefined)
    facts.push(['Score', `${llr.toFixed(2)} (log-likelihood ratio): ${evidenceWords(llr)}`]);
  if (reliability !== undefined) facts.push(['Trust in it', `${String(reliability)} of 100`]);
  return (
    <Outcome decision={result.decision} reason={result.reason}>
      {risk === undefined ? null : (
        <RiskGauge
          risk={risk}
          zones={zones}
          summary={`Risk ${String(risk)} of 1000. ${zones.map((zone) => `${zone.label}: ${String(zone.from)} to ${String(zone.to)}`).join('; ')}.`}
        />
      )}
      <Facts items={facts} />
    </Outcome>
  );
}
