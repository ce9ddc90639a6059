// Puts a voice on a watchlist as a fraudster; the consequences are explained first.
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { toast } from '../../kit/toast.js';
import { navigate } from '../../router.js';
import { useInSession } from '../../tenant/context.js';
import { t } from '../../text/voice-search.js';
import { t as people } from '../../text/people.js';
import { ListedVoiceNotice, useListedVoice } from '../people/listed-voice.js';
import { WatchlistField } from '../people/watchlist-field.js';

const text = t.voices;
const TAG = 'main';

export function AddVoice({
  recordings,
  onClose,
}: {
  /** Processed audio IDs. */
  recordings: readonly string[];
  onClose: () => void;
}): ReactNode {
  const inSession = useInSession('SESSION_TYPE_FRAUD_ANALYST');
  const voice = useListedVoice();
  const form = useForm({ id: '', watchlist: '' }, async ({ id, watchlist }) => {
    const made = await voice.noticing(
      watchlist,
      inSession((context) =>
        call('AddVoiceToWatchlist', {
          context,
          gkWatchlistId: { value: watchlist },
          fraudsterId: id.trim(),
          tag: TAG,
          gkProcessedAudioIds: recordings.map((value) => ({ value })),
          refuseListedVoice: !voice.listed(watchlist),
        }),
      ),
    );
    if (!made) return;
    toast(text.added(id.trim(), made.segments ?? 0));
    navigate(`/people/fraudsters/${made.gkFraudsterId?.value ?? ''}`);
  });
  const { id, watchlist } = form.draft;
  const listed = voice.listed(watchlist);
  return (
    <FormDialog
      title={text.add}
      submitLabel={listed ? people.listedVoice.addAnyway : text.addAction}
      onClose={onClose}
      disabled={id.trim() === '' || watchlist === ''}
      plain={listed !== undefined}
      {...form.submit}
    >
      <p>{text.consequence(recordings.length)}</p>
      <TextField
        label={text.name}
        hint={text.nameHint}
        autoFocus
        spellCheck={false}
        {...form.text('id', 'fraudsterId')}
      />
      <WatchlistField
        {...form.text('watchlist', 'gkWatchlistId')}
        onValue={(value) => {
          voice.forget();
          form.set({ watchlist: value });
        }}
      />
      <ListedVoiceNotice listed={listed} />
    </FormDialog>
  );
}
