// What it really was: the analyst's verdict on an engagement, never preselected.
import { useState, type ReactNode } from 'react';
import type { EngagementVerdictJson, UniqueIdJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { EngagementDetailsForReadJson } from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import type {
  EngagementFraudsterJson,
  EnrolledAsJson,
  TimelineEventJson,
} from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { call } from '../../api/client.js';
import type { ApiError } from '../../api/errors.js';
import { FormDialog } from '../../kit/dialog.js';
import { SelectField, TextArea, TextField } from '../../kit/field.js';
import { fill } from '../../kit/fill.js';
import { useForm } from '../../kit/form.js';
import { Verbatim } from '../../kit/from-server.js';
import { Loading, Notice } from '../../kit/notice.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { useMemberNames } from '../biosec/members.js';
import { outcomeWords } from '../biosec/operations.js';
import { SessionLinks } from '../biosec/session-link.js';
import { Recognized } from './recognized.js';
import { StillListed } from './still-listed.js';

const text = t.outcome;

const FRAUD = 'ENGAGEMENT_VERDICT_FRAUD';
const GENUINE = 'ENGAGEMENT_VERDICT_AUTHENTIC';
const verdicts = [
  GENUINE,
  FRAUD,
  'ENGAGEMENT_VERDICT_SOMEONE_ELSE',
  'ENGAGEMENT_VERDICT_UNCERTAIN',
] as const satisfies readonly EngagementVerdictJson[];

/** As typed. */
const nothingYet = { verdict: '', description: '', amount: '' };
export type Outcome = typeof nothingYet;

/** `seen`: when the outcome on the screen was recorded, if any; a different one is not replaced. */
export async function recordOutcome(
  read: Context | undefined,
  gkEngagementId: UniqueIdJson | undefined,
  { verdict, description, amount }: Outcome,
  seen: { time: string | undefined },
): Promise<void> {
  await call('RecordOutcome', {
    context: { ...read, gkEngagementId },
    gkEngagementId,
    verdict: verdicts.find((one) => one === verdict),
    description: description.trim(),
    amount: (verdict === FRAUD && amount.trim()) || undefined,
    expectedTime: seen.time,
  });
}

/** `save` also reports the result, for one engagement or several. */
export function OutcomeDialog({
  title = text.title,
  warning,
  scope,
  effects,
  unknown,
  isOfMany = false,
  save,
  onClose,
}: {
  title?: string;
  /** What is lost by it. */
  warning?: ReactNode;
  /** The sessions that it applies to. */
  scope?: ReactNode;
  /** What an outcome deletes and leaves; until that is known, none can be recorded. */
  effects: OutcomeEffects | undefined;
  /** Why it cannot be known. */
  unknown?: ApiError | undefined;
  isOfMany?: boolean;
  save: (outcome: Outcome) => Promise<void>;
  onClose: () => void;
}): ReactNode {
  const form = useForm<Outcome>(nothingYet, save);
  const { verdict, amount } = form.draft;
  const amountField = form.text('amount');
  const isFraud = verdict === FRAUD;
  const isWhole = !isFraud || /^\d{0,15}$/.test(amount.trim());
  const loss = effects && lossWith(verdict, effects, isOfMany ? text.erasesMany : text.erases);
  const [typed, setTyped] = useState('');
  const isConfirmed = !loss || typed.trim() === text.word;
  return (
    <FormDialog
      title={title}
      submitLabel={text.save}
      onClose={onClose}
      disabled={verdict === '' || !isWhole || !isConfirmed || !effects}
      danger={loss !== undefined}
      {...form.submit}
      error={form.submit.error ?? unknown}
    >
      {warning ? <Notice tone="warn">{warning}</Notice> : null}
      {scope ? <p>{scope}</p> : null}
      <SelectField
        label={text.what}
        autoFocus
        options={[
          { value: '', label: checks.verdicts.ENGAGEMENT_VERDICT_UNSPECIFIED.choice },
          ...verdicts.map((value) => ({ value, label: checks.verdicts[value].choice })),
        ]}
        {...form.text('verdict')}
      />
      {verdict !== '' && !effects && !unknown ? <Loading what={text.looking} /> : null}
      {verdict === GENUINE ? (
        <StillListed
          enrolledAs={effects?.enrolledAs ?? []}
          sentence={isOfMany ? text.listed.staysMany : text.listed.stays}
        />
      ) : null}
      {verdict === GENUINE ? (
        <Recognized
          fraudsters={effects?.engagementFraudsters ?? []}
          sentence={isOfMany ? text.recognized.inSeveral : text.recognized.inOne}
        />
      ) : null}
      {loss ? (
        <Notice tone="warn">
          <p>{loss}</p>
        </Notice>
      ) : null}
      <TextArea label={text.why} optional {...form.text('description')} />
      {isFraud ? (
        <TextField
          label={isOfMany ? text.lossOfEach : text.loss}
          hint={isOfMany ? `${text.lossOfEachHint} ${text.lossHint}` : text.lossHint}
          optional
          inputMode="numeric"
          {...amountField}
          error={isWhole ? amountField.error : text.lossNotWhole}
        />
      ) : null}
      {loss ? (
        <TextField
          label={fill(shell.typeToConfirm, { word: <code>{text.word}</code> })}
          value={typed}
          onValue={setTyped}
          spellCheck={false}
          data-throwaway
        />
      ) : null}
    </FormDialog>
  );
}

/** What is kept of erased persons and would be deleted with this outcome. */
function lossWith(
  verdict: string,
  { isKeptAsFraud = false, isKeptWithFraudster = false, keptIn }: OutcomeEffects,
  sentences: Record<'genuine' | 'otherwise', string>,
): ReactNode {
  if (verdict === FRAUD || verdict === '') return undefined;
  const { asFraud = [], withFraudster = [] } = keptIn ?? {};
  const isGenuine = verdict === GENUINE;
  if (!isKeptAsFraud && !(isGenuine && isKeptWithFraudster)) return undefined;
  return fill(isGenuine ? sentences.genuine : sentences.otherwise, {
    sessions: <SessionLinks of={isGenuine ? [...asFraud, ...withFraudster] : asFraud} />,
  });
}

/** As the server reports it, for one engagement or several together. */
export interface OutcomeEffects extends Pick<
  AnswerOf<'GetSessionTimeline'>,
  'isKeptAsFraud' | 'isKeptWithFraudster'
> {
  enrolledAs?: EnrolledAsJson[];
  engagementFraudsters?: EngagementFraudsterJson[];
  /** Of several engagements: those in which something is kept, each by one of its sessions. */
  keptIn?: Record<'asFraud' | 'withFraudster', UniqueIdJson[]>;
}

/** `engagement`: as it was on the screen. `of`: the session whose page this is. */
export function EngagementOutcome({
  engagement: { gkEngagementId, gkSessionIds = [], verdictInfo },
  of,
  effects,
  events,
  onClose,
  onDone,
}: {
  engagement: EngagementDetailsForReadJson;
  of: string | undefined;
  effects: OutcomeEffects;
  events: readonly TimelineEventJson[];
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const read = useReadContext();
  const others = gkSessionIds.filter(({ value }) => value !== of);
  return (
    <OutcomeDialog
      warning={verdictInfo ? <Before verdictInfo={verdictInfo} events={events} /> : undefined}
      scope={
        others.length > 0
          ? fill(text.holdsFor(gkSessionIds.length), { sessions: <SessionLinks of={others} /> })
          : undefined
      }
      effects={effects}
      onClose={onClose}
      save={async (outcome) => {
        await recordOutcome(read, gkEngagementId, outcome, { time: verdictInfo?.verdictTimestamp });
        toast(text.saved);
        onDone();
      }}
    />
  );
}

/** The previous outcome, by whom and why: changing it overrules that decision. */
function Before({
  verdictInfo: { verdict, amount, description, verdictTimestamp, analystId = '' },
  events,
}: {
  verdictInfo: NonNullable<EngagementDetailsForReadJson['verdictInfo']>;
  events: readonly TimelineEventJson[];
}): ReactNode {
  const nameOf = useMemberNames();
  // The timeline knows the names of everybody who acted.
  const recorder = events.findLast(
    ({ operation, member }) => operation === 'SetEngagementVerdict' && member?.externalId === analystId,
  )?.member;
  const by = nameOf(recorder ?? { externalId: analystId });
  return (
    <>
      <p>
        <strong>{text.soFar(outcomeWords(verdict, amount))}</strong>{' '}
        <Time at={verdictTimestamp} within={(time) => text.recordedBy(by, time)} />
      </p>
      {description ? (
        <p>
          {text.reasonSoFar} <Verbatim>{description}</Verbatim>
        </p>
      ) : null}
      <p>{text.isReplaced}</p>
    </>
  );
}
