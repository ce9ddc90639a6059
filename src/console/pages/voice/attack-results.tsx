// The results of the attack checks on a recording: synthetic speech and playback, each with its decision and gauge.
import type { ReactNode } from 'react';
import type { RiskEngineResultJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { Badge } from '../../kit/layout.js';
import { RiskGauge } from '../../plots/gauge.js';
import { t } from '../../text/voice.js';
import type { Advice } from '../../text/tools.js';
import { adviceOn, adviceOnAudio, decisionWord, speechIn } from '../biosec/advice.js';
import { EvidenceNotes, ExperimentalBadge, Unproven } from '../biosec/attack-evidence.js';
import { alarmRiskOf, evidenceInStatus, spansOf, type Span } from '../biosec/attack-spans.js';
import type { AttackAnswer } from './lab-api.js';
import { alarmZonesFrom } from './match-result.js';

const text = t.attacks;

type AttackResult = NonNullable<
  AttackAnswer['syntheticSpeechDetectionResult'] | AttackAnswer['channelPlaybackDetectionResult']
>;

/** Each check that was made, with its name. */
function attackParts(answer: AttackAnswer): (readonly [string, AttackResult])[] {
  const { syntheticSpeechDetectionResult: synthetic, channelPlaybackDetectionResult: playback } = answer;
  return [
    ...(synthetic ? [[text.synthetic, synthetic] as const] : []),
    ...(playback ? [[text.playback, playback] as const] : []),
  ];
}

function adviceOnAttack({ audioDetails }: AttackAnswer, { decision, reason }: AttackResult): Advice {
  return adviceOn({ question: 'attack', decision, reason, speechSeconds: speechIn(audioDetails) });
}

const checkNames = new Map([
  [text.synthetic, 'synthetic_speech'],
  [text.playback, 'channel_playback'],
]);

const evidenceOf = ({ status }: AttackAnswer, title: string) =>
  evidenceInStatus(status, checkNames.get(title) ?? '');

/** The stretches that sound like an attack, from any check that found one. */
export function attackSpans(answer: AttackAnswer | undefined): Span[] {
  if (!answer) return [];
  return attackParts(answer).flatMap(([title, { decision }]) =>
    spansOf(title, { decision, evidence: evidenceOf(answer, title) }),
  );
}

export function AttackResults({
  answer,
  said,
}: {
  answer: AttackAnswer;
  /** Said before, of the recording itself. */
  said?: string | undefined;
}): ReactNode {
  const parts = attackParts(answer);
  if (parts.length === 0) {
    const advice = adviceOnAudio(answer.validity, answer.audioDetails);
    return advice.title === said ? null : (
      <p>
        <strong>{advice.title}.</strong> {advice.next}
      </p>
    );
  }
  const before = new Set([said]);
  const results = parts.map(([title, result]) => {
    const { word, tone } = decisionWord(result.decision);
    const found = adviceOnAttack(answer, result).title;
    const isNew = result.decision !== 'DECISION_NO_RISK_DETECTED' && !before.has(found);
    before.add(found);
    const { risk }: RiskEngineResultJson = result.result ?? {};
    const evidence = evidenceOf(answer, title);
    return (
      <section key={title} aria-label={title} className="stack attack-part" data-tight>
        <div className="row">
          <h3>{title}</h3>
          <Badge tone={tone}>{word}</Badge>
          <ExperimentalBadge evidence={evidence} />
        </div>
        {isNew ? <p className="small">{found}.</p> : null}
        {risk === undefined ? null : (
          <RiskGauge
            risk={risk}
            zones={alarmZonesFrom(alarmRiskOf(evidence))}
            summary={t.result.gaugeOf(title, risk)}
          />
        )}
        <EvidenceNotes
          decision={result.decision}
          evidence={evidence}
          isSynthetic={title === text.synthetic}
        />
      </section>
    );
  });
  return (
    <>
      {results}
      <Unproven all={parts.map(([title]) => evidenceOf(answer, title))} />
    </>
  );
}
