// Digits to say: drawn by the server, answered once, and compared with other speech of the same person.
import { useState, type ReactNode } from 'react';
import { useAction, useQuery } from '../../api/hooks.js';
import { useMe } from '../../api/session.js';
import type { Take } from '../../audio/take.js';
import { Button } from '../../kit/button.js';
import { usePaused } from '../../kit/filters.js';
import { Card, Facts } from '../../kit/layout.js';
import { EmptyState, ErrorNotice } from '../../kit/notice.js';
import { setQuery, useLocation } from '../../router.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t as shell } from '../../text/shell.js';
import { t } from '../../text/voice.js';
import { adviceOn } from '../biosec/advice.js';
import { CheckBadge } from '../biosec/decision-badge.js';
import { PartyPicker } from '../biosec/party-picker.js';
import { answerFacts } from '../biosec/prompt-answer.js';
import { CaptureBox } from './capture-box.js';
import { CheckResults } from './check-results.js';
import {
  checkAnswer,
  drawDigits,
  enrollmentStateOf,
  type PromptedAnswer,
  type Prompt,
  type Reference,
} from './lab-api.js';
import { PromptSettings } from './prompt-settings.js';
import { useChecks } from './use-checks.js';

const text = t.digits;
const REFERENCE_SECONDS = 4;
/** Said slowly, with the pauses between them. */
const SECONDS_PER_DIGIT = 0.75;

export function PromptCheck(): ReactNode {
  const read = useReadContext();
  if (!read) return <EmptyState title={shell.chooseTenant} />;
  return (
    <div className="stack" data-loose>
      <TryIt read={read} />
      {read.configsetId ? <PromptSettings key={read.configsetId} context={read} /> : null}
    </div>
  );
}

/** Other speech of whoever answers: of a person who has a voiceprint, or recorded for this. */
function useReference(read: Context) {
  const me = useMe();
  const [personId, setPersonId] = useState(useLocation().query.get('person') ?? me.username);
  const [take, setTake] = useState<Take>();
  const settled = usePaused(personId.trim());
  const person = useQuery(settled ? `enrollment ${read.gkScopeId.value} ${settled}` : undefined, (signal) =>
    enrollmentStateOf(read, settled, signal),
  );
  const known = settled === personId.trim() ? person.data : undefined;
  const processed = known?.segments.at(-1)?.gkProcessedAudioId;
  const reference: Reference | undefined = processed
    ? { processed, name: text.newest(settled) }
    : take && { take, name: take.name };
  return {
    personId,
    choose: (typed: string): void => {
      setPersonId(typed);
      setQuery({ person: typed.trim() });
    },
    isKnown: settled === '' || known !== undefined || person.error !== undefined,
    gkPersonId: processed && known?.gkPersonId,
    reference,
    setTake,
  };
}

function TryIt({ read }: { read: Context }): ReactNode {
  const { reference, setTake, ...who } = useReference(read);
  const [prompt, setPrompt] = useState<Prompt>();
  const checks = useChecks(async (context, sent) => {
    if (!prompt || !reference) throw new Error('there is a prompt to answer');
    const answer = await checkAnswer(context, sent, prompt, reference);
    setPrompt(undefined);
    return answer;
  }, who.gkPersonId);
  const drawing = useAction(async () => {
    checks.begin();
    setPrompt(await drawDigits(read));
  });
  return (
    <div className="lab">
      <Card title={text.title} hint={text.hint}>
        <div className="stack">
          <PartyPicker
            kind="person"
            label={t.enroll.who}
            hint={text.whoHint}
            value={who.personId}
            onValue={(typed) => {
              checks.begin();
              who.choose(typed);
            }}
          />
          {reference ? (
            <>
              <p>{text.comparedWith(reference.name)}</p>
              <div className="row">
                <Button
                  {...(prompt ? {} : { kind: 'primary' })}
                  busy={drawing.busy}
                  onClick={() => void drawing.run()}
                >
                  {checks.shown || prompt ? text.other : text.draw}
                </Button>
                {'take' in reference ? (
                  <Button kind="quiet" onClick={() => setTake(undefined)}>
                    {t.enroll.startOver}
                  </Button>
                ) : null}
              </div>
              {drawing.error ? <ErrorNotice error={drawing.error} /> : null}
              <Digits prompt={prompt} />
              {prompt ? (
                <CaptureBox
                  action={text.record}
                  targetSeconds={Math.ceil(prompt.figures.length * SECONDS_PER_DIGIT)}
                  busy={checks.busy}
                  busyLabel={text.checking}
                  onBegin={checks.begin}
                  onTake={checks.run}
                />
              ) : null}
            </>
          ) : who.isKnown ? (
            <CaptureBox
              action={text.reference}
              targetSeconds={REFERENCE_SECONDS}
              prompt={t.prompts.verify}
              busy={false}
              onTake={(take) => {
                setTake(take);
                return Promise.resolve();
              }}
            />
          ) : null}
        </div>
      </Card>
      <div className="stack" aria-live="polite">
        <CheckResults checks={checks} detailsOf={() => undefined} isOneCheck>
          {(answer, { take }) => <AnswerCard name={take.name} answer={answer} />}
        </CheckResults>
      </div>
    </div>
  );
}

/** Read out as soon as they are there. */
function Digits({ prompt }: { prompt: Prompt | undefined }): ReactNode {
  return (
    <div role="status">
      {prompt ? (
        <p className="prompt-digits">
          <span className="small soft">{text.say}</span>
          <strong translate="no">{[...prompt.figures].join(' ')}</strong>
          <span translate="no" lang="en">
            {prompt.words}
          </span>
        </p>
      ) : null}
    </div>
  );
}

function AnswerCard({ name, answer }: { name: string; answer: PromptedAnswer }): ReactNode {
  const { decision, reason } = answer;
  return (
    <Card title={t.result.of(name)} actions={<CheckBadge check={answer} />}>
      <div className="stack">
        <p>{adviceOn({ question: 'verify', decision, reason }).title}.</p>
        <Facts items={answerFacts(answer)} />
      </div>
    </Card>
  );
}
