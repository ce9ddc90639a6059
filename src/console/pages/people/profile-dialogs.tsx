// Dialogs about one voiceprint: lock it, delete it, remove a recording from it.
import { useRef, type ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { shortId } from '../../format/text.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { fill } from '../../kit/fill.js';
import { useForm } from '../../kit/form.js';
import { toast } from '../../kit/toast.js';
import { useInSession } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import { replaceLock, type Lock } from '../biosec/lock.js';
import { OwnerLink, usePrint } from '../biosec/owner-link.js';
import { RecordingsStay } from './recordings-stay.js';

const text = t.profile;

interface DialogProps {
  profile: string;
  onClose: () => void;
  onDone: () => void;
}

/** `lock`: its state when the dialog was opened. */
export function LockProfile({
  profile,
  lock,
  onClose,
  onDone,
}: DialogProps & { lock: Lock | null | undefined }): ReactNode {
  const inSession = useInSession();
  const tag = usePrint(profile).data?.details?.tag;
  const seen = useRef(lock);
  const form = useForm({ reason: '' }, async ({ reason }) => {
    await inSession((context) =>
      replaceLock(context, profile, seen.current, { isLocked: true, reason: reason.trim() }),
    );
    toast(text.locked);
    onDone();
  });
  return (
    <FormDialog title={text.lockTitle} submitLabel={text.lock} danger onClose={onClose} {...form.submit}>
      <p>
        {fill(text.lockText, {
          tag: <span translate="no">{tag || shortId(profile)}</span>,
          owner: <OwnerLink profile={profile} />,
        })}
      </p>
      <p>{text.lockOthers}</p>
      <TextField label={text.lockReason} autoFocus {...form.text('reason')} />
    </FormDialog>
  );
}

export function DeleteProfile({
  profile,
  owner,
  tag,
  recordings,
  others,
  onErase,
  ofFraudster,
  onClose,
  onDone,
}: DialogProps & {
  owner: string;
  tag: string;
  recordings: number;
  /** How many other voiceprints the owner has. */
  others: number;
  onErase: (() => void) | undefined;
  ofFraudster: boolean;
}): ReactNode {
  const inSession = useInSession();
  const deletion = useAction(async () => {
    const gkVoiceprintProfileId = { value: profile };
    await inSession((context) => call('DeleteVoiceprintProfile', { context, gkVoiceprintProfileId }));
    toast(ofFraudster ? text.deletedOfFraudster : text.deleted);
    onDone();
  });
  return (
    <ConfirmDialog
      title={text.delete}
      word={owner}
      consequence={
        <>
          <p>{text.deleteText(owner, tag || shortId(profile), recordings)}</p>
          <p>{others > 0 ? text.deleteOthers(owner, others) : text.deleteLast(owner)}</p>
          {ofFraudster ? <p>{text.deleteFindings}</p> : null}
          <RecordingsStay onErase={onErase} ofFraudster={ofFraudster} />
        </>
      }
      action={text.delete}
      onClose={onClose}
      onConfirm={() => void deletion.run()}
      busy={deletion.busy}
      error={deletion.error}
    />
  );
}

export function RemoveSegment({
  profile,
  processed,
  label,
  ofFraudster,
  onClose,
  onDone,
}: DialogProps & { processed: string; label: string; ofFraudster: boolean }): ReactNode {
  const inSession = useInSession();
  const removal = useAction(async () => {
    await inSession((context) =>
      call('RemoveEnrollmentSegment', {
        context,
        gkVoiceprintProfileId: { value: profile },
        gkProcessedAudioId: { value: processed },
      }),
    );
    toast(t.segments.removed);
    onDone();
  });
  return (
    <ConfirmDialog
      title={t.segments.removeTitle(label)}
      word={t.segments.word}
      consequence={
        <>
          <p>{t.segments.removeText}</p>
          <RecordingsStay ofFraudster={ofFraudster} />
        </>
      }
      action={t.segments.removeAction}
      onClose={onClose}
      onConfirm={() => void removal.run()}
      busy={removal.busy}
      error={removal.error}
    />
  );
}
