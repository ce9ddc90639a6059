// The caller becomes a fraudster on a watchlist, or is one who is already known: made from the recordings of
// the session that the analyst chooses, all or nothing.
import type { ReactNode } from 'react';
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { call } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { clockTime } from '../../format/text.js';
import { FormDialog } from '../../kit/dialog.js';
import { CheckGroup, TextField, type Option } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { toast } from '../../kit/toast.js';
import { useInSession, useReadContext, type Context } from '../../tenant/context.js';
import { t as people } from '../../text/people.js';
import { t } from '../../text/sessions.js';
import { adviceOnAudio, adviceOnEnroll, adviceOnTrain, decisionWord } from '../biosec/advice.js';
import { operationWords } from '../biosec/operations.js';
import { numberOf, useConfigset } from '../biosec/parameters.js';
import { PartyPicker } from '../biosec/party-picker.js';
import { partyKinds } from '../people/kinds.js';
import { ListedVoiceNotice, useListedVoice } from '../people/listed-voice.js';
import { WatchlistField } from '../people/watchlist-field.js';
import { LAB_TAG } from '../voice/lab-api.js';
import { byRecording, hasDecided, speechMsOf } from './recordings.js';

const text = t.next;
const RECORDINGS_FIELD = 'gkProcessedAudioIds';

/**
 * The recordings under 'What was heard', with the same numbers; those that are no longer stored are not
 * offered.
 */
export function recordingsOf(events: readonly TimelineEventJson[]): (Option & { name: string })[] {
  return byRecording(events).flatMap(([media, made], index) => {
    const longest = made.toSorted((a, b) => speechMsOf(b) - speechMsOf(a))[0];
    const value = longest?.gkProcessedAudioId?.value;
    if (!media || !longest || !value) return [];
    const outcomes = made.map((event) =>
      hasDecided(event) ? decisionWord(event.decision).word : operationWords(event.operation),
    );
    const decisions = [...new Set(outcomes)].join(', ');
    const seconds = speechMsOf(longest) / 1000;
    const name = t.heard.recording(index + 1);
    return { value, name, label: text.choice(index + 1, clockTime(made[0]?.time), seconds, decisions) };
  });
}

interface Draft {
  id: string;
  watchlist: string;
  recordings: readonly string[];
}

/** Which voice on which list; the name does not matter for whether it is already there. */
const askedIn = ({ watchlist, recordings }: Draft): string => [watchlist, ...recordings].join(' ');

interface Added {
  draft: Draft;
  /** The fraudster exists, and stays on their current lists. */
  isKnown: boolean;
  refuseListedVoice: boolean;
}

async function addCaller(
  context: Context,
  { draft: { id, watchlist, recordings }, isKnown, refuseListedVoice }: Added,
  nameOf: (recording: string) => string,
): Promise<AnswerOf<'AddVoiceToWatchlist'>> {
  const gkFraudsterId = isKnown ? await partyKinds.fraudster.find(context, id.trim()) : undefined;
  return call('AddVoiceToWatchlist', {
    context,
    ...(isKnown
      ? { gkFraudsterId: { value: gkFraudsterId } }
      : { gkWatchlistId: { value: watchlist }, fraudsterId: id.trim(), tag: LAB_TAG, refuseListedVoice }),
    gkProcessedAudioIds: recordings.map((value) => ({ value })),
    // A check stops listening once it has decided; a voiceprint is made from the whole recording.
    wholeRecordings: true,
  }).catch((thrown: unknown) => {
    throw thrown instanceof ApiError && thrown.problem(RECORDINGS_FIELD)
      ? refusal(whyNot(thrown, nameOf))
      : thrown;
  });
}

const refusal = (message: string): ApiError =>
  new ApiError(message, { code: 'INVALID_REQUEST', fields: [{ field: RECORDINGS_FIELD, message }] });

/** The server says why there is no print, and then what was wrong with single recordings. */
function whyNot(
  { details: [reason = '', ...excluded], extras }: ApiError,
  nameOf: (recording: string) => string,
): string {
  const unusable = extras['gk_processed_audio_id'];
  if (unusable) return text.unusable(nameOf(unusable), adviceOnAudio(`REASON_${reason}`, undefined).title);
  const words = excluded.map((code) => adviceOnEnroll(`ENROLL_REASON_${code}`).title);
  // If single recordings explain it, that there is too little speech need not be repeated.
  const isSaid = reason === 'NOT_READY_TO_TRAIN' && words.length > 0;
  return text.noPrint(
    [...(isSaid ? [] : [adviceOnTrain(`TRAIN_REASON_${reason}`).title]), ...words].join('. '),
  );
}

export function ToWatchlist({
  events,
  known,
  chosen = [],
  onClose,
  onInstead,
  onDone,
}: {
  events: readonly TimelineEventJson[];
  /**
   * An existing fraudster: the one whom the voice resembles, or '' if not chosen yet. Undefined: a new
   * fraudster.
   */
  known?: string | undefined;
  /** Recordings that were chosen before. */
  chosen?: readonly string[];
  onClose: () => void;
  /** Adds the recordings to the fraudster who is already on the list with this voice. */
  onInstead: (fraudsterId: string, recordings: readonly string[]) => void;
  /** Receives the fraudster whose voice it is now. */
  onDone: (gkFraudsterId: string) => void;
}): ReactNode {
  const isKnown = known !== undefined;
  const inSession = useInSession('SESSION_TYPE_FRAUD_ANALYST');
  const configset = useConfigset(useReadContext());
  const speech = numberOf(configset, 'enrollment', 'netSpeechSecondsMin', 6);
  const speechEach = numberOf(configset, 'enrollment', 'netSpeechSecondsMinPerSegment', 2);
  const offered = recordingsOf(events);
  const nameOf = (recording: string): string =>
    offered.find(({ value }) => value === recording)?.label ?? recording;
  // A single recording is preselected; with several, the analyst has to say who speaks in which.
  const only = offered.length === 1 ? offered.map(({ value }) => value) : [];
  const voice = useListedVoice();
  const start = { id: known ?? '', watchlist: '', recordings: chosen.length > 0 ? chosen : only };
  const form = useForm<Draft>(start, async (draft) => {
    const asked = askedIn(draft);
    const refuseListedVoice = !voice.listed(asked);
    const made = await voice.noticing(
      asked,
      inSession((context) => addCaller(context, { draft, isKnown, refuseListedVoice }, nameOf)),
    );
    if (!made) return;
    const { segments = 0, excluded = [], gkFraudsterId } = made;
    toast((isKnown ? text.addedToKnown : text.added)(draft.id.trim(), segments, excluded.length));
    onDone(gkFraudsterId?.value ?? '');
  });
  const { id, watchlist, recordings } = form.draft;
  const listed = voice.listed(askedIn(form.draft));
  const choose = (part: Partial<Draft>): void => {
    voice.forget();
    form.set(part);
  };
  return (
    <FormDialog
      title={isKnown ? text.toKnown : text.watchlist}
      submitLabel={isKnown ? text.addToKnown : listed ? people.listedVoice.addAnyway : text.add}
      onClose={onClose}
      disabled={id.trim() === '' || (!isKnown && watchlist === '') || recordings.length === 0}
      plain={listed !== undefined}
      {...form.submit}
    >
      <p>{isKnown ? text.toKnownText : text.watchlistText}</p>
      <CheckGroup
        label={text.recordings}
        hint={isKnown ? text.recordingsHintKnown(speechEach) : text.recordingsHint(speech)}
        options={offered}
        {...form.list('recordings', RECORDINGS_FIELD)}
        onValue={(value) => choose({ recordings: value })}
      />
      {isKnown ? (
        <PartyPicker
          kind="fraudster"
          label={text.fraudster}
          onlyKnown
          autoFocus
          {...form.text('id', 'fraudsterId')}
        />
      ) : (
        <>
          <TextField
            label={text.fraudster}
            hint={text.fraudsterHint}
            autoFocus
            spellCheck={false}
            {...form.text('id', 'fraudsterId')}
          />
          <WatchlistField
            {...form.text('watchlist', 'gkWatchlistId')}
            onValue={(value) => choose({ watchlist: value })}
          />
          <ListedVoiceNotice listed={listed} onAddTo={({ name }) => onInstead(name, recordings)} />
        </>
      )}
    </FormDialog>
  );
}
