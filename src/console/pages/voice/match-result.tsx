// The outcome of a comparison: the decision, the gauge with the thresholds, the score, and what to do next.
import { useEffect, useRef, type ReactNode } from 'react';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { num, type Advice } from '../../text/tools.js';
import { finite } from '../../format/text.js';
import { Badge, Facts } from '../../kit/layout.js';
import { RiskGauge, type Zone } from '../../plots/gauge.js';
import { t } from '../../text/voice.js';
import { adviceOn, decisionWord, evidenceWords, speechIn, type Question } from '../biosec/advice.js';
import { numberOf, type ActiveConfigset } from '../biosec/parameters.js';
import type { MatchResult } from './lab-api.js';

const text = t.result;

export function Outcome({
  name,
  decision,
  mark,
  advice,
  children,
}: {
  /** Name of the recording. */
  name?: string | undefined;
  decision: DecisionJson | undefined;
  /** A reason not to rely on it. */
  mark?: string | undefined;
  advice: Advice;
  children?: ReactNode;
}): ReactNode {
  const { word, tone } = decisionWord(decision);
  const place = useRef<HTMLDivElement>(null);
  // On a phone the answer is below the microphone: scroll it into view.
  useEffect(() => {
    // Newer browsers return a promise, which React would take for a clean-up function.
    void place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div className="outcome" data-tone={mark ? 'warn' : tone} role="status" ref={place}>
      {name ? <p className="small soft">{text.of(name)}</p> : null}
      <p className="outcome-word">{word}</p>
      {mark ? (
        <p>
          <Badge tone="warn">{mark}</Badge>
        </p>
      ) : null}
      <p>
        <strong>{advice.title}.</strong> {advice.next}
      </p>
      {children}
    </div>
  );
}

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

export const scoreOf = (result: {
  authenticationScore?: { biometricScore?: number | string };
  fraudDetectionScore?: { biometricScore?: number | string };
}): number | undefined => finite((result.authenticationScore ?? result.fraudDetectionScore)?.biometricScore);

/** The numbers behind a match, without the decision. */
export function MatchNumbers({
  result,
  zones,
  who,
}: {
  result: MatchResult;
  zones: readonly Zone[];
  /** Whom the best print belongs to. */ who?: ReactNode;
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
