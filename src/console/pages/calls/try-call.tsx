// A live call from the microphone of the browser, as a telephone system would send it: a trial, checked for attacks.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { lineAddress, LiveLine } from '../../../client/live.js';
import { Microphone, MicrophoneError } from '../../../client/browser/microphone.js';
import workletUrl from '../../../client/browser/recorder-worklet.ts?worker&url';
import type { LiveEventJson } from '../../../gen/voxgate/live/v1/live_pb.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { microphoneProblems } from '../../audio/recorder.js';
import { durationSeconds } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { fill } from '../../kit/fill.js';
import { Card } from '../../kit/layout.js';
import { ErrorNotice } from '../../kit/notice.js';
import { useTrialSession } from '../../tenant/context.js';
import { t } from '../../text/calls.js';
import { Assessed } from '../biosec/decision-badge.js';
import { SessionLink } from '../biosec/session-link.js';

const text = t.trial;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

export function TryCall(): ReactNode {
  const inTrial = useTrialSession();
  const line = useRef<LiveLine>(undefined);
  const [last, setLast] = useState<LiveEventJson>();
  const [gkSessionId, setSession] = useState('');
  const hangUp = (): void => line.current?.stop();
  useEffect(() => hangUp, []);
  const trial = useAction(async () => {
    setLast(undefined);
    setSession('');
    const microphone = await Microphone.open({ workletUrl }).catch((thrown: unknown) => {
      throw thrown instanceof MicrophoneError ? new Error(microphoneProblems[thrown.fault]) : thrown;
    });
    try {
      await inTrial(async (context) => {
        const { streamToken = '' } = await call('PrepareCall', {
          context,
          target: { syntheticSpeech: true, playback: true },
        });
        const start = { streamToken, format: microphone.format };
        line.current = new LiveLine(
          { connect: () => new WebSocket(lineAddress(location.origin)), pause },
          start,
        );
        setSession(context.gkSessionId?.value ?? '');
        for await (const event of line.current.run(microphone)) setLast(event);
      });
    } finally {
      void microphone.stop();
    }
  });
  return (
    <Card
      title={text.title}
      hint={text.hint}
      actions={
        trial.busy ? (
          <Button onClick={hangUp}>{text.hangUp}</Button>
        ) : (
          <Button kind="primary" onClick={() => void trial.run()}>
            {text.begin}
          </Button>
        )
      }
    >
      <div role="status" className="row">
        {trial.busy || last ? (
          <>
            <Assessed of={last?.assessment ?? { headline: 'SESSION_HEADLINE_LISTENING' }} />
            <span className="soft">
              {text.heard(t.seconds(Math.floor(durationSeconds(last?.netSpeech))))}
            </span>
          </>
        ) : null}
        {last?.final ? <span>{fill(text.over, { session: <SessionLink gkId={gkSessionId} /> })}</span> : null}
      </div>
      {trial.error ? <ErrorNotice error={trial.error} /> : null}
    </Card>
  );
}
