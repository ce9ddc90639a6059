// Is this sound a live person: machine-made speech and playback through a loudspeaker.
import { useState, type ReactNode } from 'react';
import { useAction } from '../../api/hooks.js';
import type { Take } from '../../audio/take.js';
import { Card } from '../../kit/layout.js';
import { EmptyState, ErrorNotice } from '../../kit/notice.js';
import { RiskGauge } from '../../plots/gauge.js';
import { useBiosecContext } from '../../tenant/tenant.js';
import { adviceOnAttack, adviceOnAudio } from '../biosec/advice.js';
import { useInSession } from '../biosec/in-session.js';
import { useConfigset } from '../biosec/parameters.js';
import type { SpoofAnswer, SpoofResult } from '../biosec/types.js';
import { CaptureBox } from './capture-box.js';
import { checkAttacks, upload } from './lab-api.js';
import { alarmZones, Outcome } from './match-result.js';
import { VERIFY_PROMPT } from './prompts.js';
import { RecordingView } from './recording-view.js';

export function AttackCheck(): ReactNode {
  const { read } = useBiosecContext();
  const inSession = useInSession();
  const configset = useConfigset(read);
  const [heard, setHeard] = useState<{ take: Take; media: string | undefined } | undefined>();
  const [answer, setAnswer] = useState<SpoofAnswer | undefined>();
  const check = useAction(async (take: Take) => {
    setAnswer(undefined);
    setHeard({ take, media: undefined });
    const outcome = await inSession(async (context) => {
      const sent = await upload(context, take);
      setHeard({ take, media: sent.media.value });
      return checkAttacks(context, sent);
    });
    setAnswer(outcome);
  });
  if (!read) return <EmptyState title="Choose a tenant first" />;
  const zones = alarmZones(configset, 'attackChecks');
  const part = (title: string, result: SpoofResult | undefined): ReactNode => {
    const risk = result?.result?.risk;
    return (
      <section aria-label={title} className="stack" data-tight>
        <h3>{title}</h3>
        <Outcome decision={result?.decision} reason={result?.reason} advise={adviceOnAttack}>
          {risk === undefined ? null : (
            <RiskGauge risk={risk} zones={zones} summary={`${title}: risk ${String(risk)} of 1000`} />
          )}
        </Outcome>
      </section>
    );
  };
  const audio =
    answer?.validity && answer.validity !== 'REASON_AUDIO_OK' ? adviceOnAudio(answer.validity) : undefined;
  return (
    <div className="lab">
      <Card
        title="Is it a live person?"
        hint="Try a generated voice, or play a recording from a loudspeaker."
      >
        <CaptureBox
          action="Record and analyze"
          targetSeconds={4}
          prompt={VERIFY_PROMPT}
          busy={check.busy}
          busyLabel="Looking for traces"
          onTake={(take) => void check.run(take)}
        />
      </Card>
      <div className="stack" aria-live="polite">
        {check.error ? <ErrorNotice error={check.error} title="That did not work" /> : null}
        {audio ? (
          <p>
            <strong>{audio.title}.</strong> {audio.next}
          </p>
        ) : null}
        {answer?.syntheticSpeechDetectionResult
          ? part('Synthetic speech', answer.syntheticSpeechDetectionResult)
          : null}
        {answer?.channelPlaybackDetectionResult
          ? part('Playback', answer.channelPlaybackDetectionResult)
          : null}
        {heard ? (
          <Card title="What was heard">
            <RecordingView take={heard.take} media={heard.media} details={answer?.audioDetails} />
          </Card>
        ) : null}
      </div>
    </div>
  );
}
