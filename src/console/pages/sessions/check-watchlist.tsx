// Is this a known fraudster? Checks a recording of the session against a watchlist, and shows the answer in
// place.
import { useState, type ReactNode } from 'react';
import type { SessionDetailsForReadJson } from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { call } from '../../api/client.js';
import { Button } from '../../kit/button.js';
import { FormDialog } from '../../kit/dialog.js';
import { SelectField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Facts } from '../../kit/layout.js';
import { Allowed } from '../../tenant/allowed.js';
import { useInSession, useReadContext, type Context } from '../../tenant/context.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { evidenceWords } from '../biosec/advice.js';
import { DecisionBadge } from '../biosec/decision-badge.js';
import { numberOf, useConfigset } from '../biosec/parameters.js';
import { OwnerLink, useFraudster, usePrint, WatchlistLink } from '../biosec/owner-link.js';
import { WatchlistField } from '../people/watchlist-field.js';
import { adviceOnResult, scoreOf } from '../voice/match-result.js';
import { recordingsOf } from './to-watchlist.js';

const text = t.check;

type Result = NonNullable<AnswerOf<'DetectKnownFraudsters'>['result']>;

export function CheckWatchlist({
  session,
  events,
  onClose,
  onChecked,
  onAddTo,
}: {
  session: SessionDetailsForReadJson | undefined;
  events: readonly TimelineEventJson[];
  onClose: () => void;
  /** The session's decision may have changed. */
  onChecked: () => void;
  /** Adds the recording to the fraudster who was found. */
  onAddTo: (fraudsterId: string, recording: string) => void;
}): ReactNode {
  const read = useReadContext();
  const asAnalyst = useInSession('SESSION_TYPE_FRAUD_ANALYST', session?.isTest);
  const offered = recordingsOf(events);
  const speech = numberOf(useConfigset(read), 'fraudDetection', 'netSpeechSecondsMin', 1.5);
  const [answer, setAnswer] = useState<{ result: Result; recording: string; watchlist: string }>();
  // An open call takes the finding into account; a call that is over keeps its decision.
  const isOpen = session?.isActive === true;
  const form = useForm(
    { recording: offered[0]?.value ?? '', watchlist: '' },
    async ({ recording, watchlist }) => {
      const check = (context: Context): Promise<AnswerOf<'DetectKnownFraudsters'>> =>
        call('DetectKnownFraudsters', {
          context,
          gkProcessedAudioId: { value: recording },
          watchlist: { uniqueId: { value: watchlist } },
        });
      setAnswer(undefined);
      const { gkEngagementId, gkSessionId } = session ?? {};
      const { result = {} } =
        isOpen && read && gkEngagementId && gkSessionId
          ? await check({ ...read, gkEngagementId, gkSessionId })
          : await asAnalyst(check);
      setAnswer({ result, recording, watchlist });
      onChecked();
    },
  );
  const { recording, watchlist } = form.draft;
  const ask = (part: Partial<typeof form.draft>): void => {
    setAnswer(undefined);
    form.set(part);
  };
  // A late answer for an earlier choice is not the answer to the current one.
  const isAnswered = answer?.recording === recording && answer.watchlist === watchlist;
  return (
    <FormDialog
      title={text.title}
      submitLabel={text.action}
      onClose={onClose}
      disabled={recording === '' || watchlist === ''}
      {...form.submit}
    >
      <p>{isOpen ? text.openText : text.overText}</p>
      <SelectField
        label={text.recording}
        hint={text.recordingHint(speech)}
        options={offered}
        {...form.text('recording', 'gkProcessedAudioId')}
        onValue={(value) => ask({ recording: value })}
      />
      <WatchlistField {...form.text('watchlist')} onValue={(value) => ask({ watchlist: value })} />
      <div aria-live="polite">
        {isAnswered ? (
          <Answer
            result={answer.result}
            recording={offered.find(({ value }) => value === recording)?.name}
            watchlist={watchlist}
            onAddTo={(fraudsterId) => onAddTo(fraudsterId, recording)}
          />
        ) : null}
      </div>
    </FormDialog>
  );
}

function Answer({
  result,
  recording,
  watchlist,
  onAddTo,
}: {
  result: Result;
  /** The name of the recording. */
  recording: string | undefined;
  watchlist: string;
  onAddTo: (fraudsterId: string) => void;
}): ReactNode {
  const { decision, voiceprintDetails, riskEngineResult } = result;
  const { risk, reliability = 0 } = riskEngineResult ?? {};
  const advice = adviceOnResult('watchlist', result);
  const score = scoreOf(result);
  const print = voiceprintDetails?.gkVoiceprintProfileId?.value;
  const isFound = decision === 'DECISION_FRAUD';
  const owner = usePrint(isFound ? print : undefined).data?.details?.gkOwnerId?.value;
  const fraudsterId = useFraudster(owner).data?.details?.fraudsterId;
  return (
    <section className="stack check-answer" data-tight aria-label={text.answer}>
      <div className="row">
        <DecisionBadge decision={decision} />
        <strong>{advice.title}</strong>
      </div>
      <p>{decision === 'DECISION_NO_RISK_DETECTED' ? text.onlyList : advice.next}</p>
      <Facts
        items={[
          ...(recording ? ([[text.recording, recording]] as const) : []),
          ...(print
            ? ([
                [isFound ? t.heard.matched : t.heard.nearest, <OwnerLink key="owner" profile={print} />],
              ] as const)
            : []),
          [t.heard.watchlist, <WatchlistLink key="list" gkId={watchlist} />],
          ...(score === undefined ? [] : ([[t.heard.evidence, evidenceWords(score)]] as const)),
          ...(risk === undefined
            ? []
            : ([[t.session.risk, `${checks.riskValue(risk)}, ${checks.reliability(reliability)}`]] as const)),
        ]}
      />
      {fraudsterId ? (
        <Allowed to="AddVoiceToWatchlist">
          <div>
            <Button onClick={() => onAddTo(fraudsterId)}>{text.addTo(fraudsterId)}</Button>
          </div>
        </Allowed>
      ) : null}
    </section>
  );
}
