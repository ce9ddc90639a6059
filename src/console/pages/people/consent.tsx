// Consent of a person: its status, what opting in means, and what opting out destroys.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { ConsentInfoJson } from '../../../gen/vendor/biosec/v1/entities/entities_pb.js';
import { call } from '../../api/client.js';
import { ApiError, CHANGED_MEANWHILE } from '../../api/errors.js';
import { useQuery } from '../../api/hooks.js';
import { useMe } from '../../api/session.js';
import { dateTime } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { FormDialog } from '../../kit/dialog.js';
import { Checkbox, TextField } from '../../kit/field.js';
import { fill } from '../../kit/fill.js';
import { useForm } from '../../kit/form.js';
import { Card } from '../../kit/layout.js';
import { Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { Allowed } from '../../tenant/allowed.js';
import { Time } from '../../kit/time.js';
import { useInSession, useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import { LANGUAGE } from '../../text/language.js';
import { t as shell } from '../../text/shell.js';
import { Consent } from './badges.js';
import { RecordingsStay } from './recordings-stay.js';

/** The server has the same limit. */
const DAYS_MAX = 3650;

interface ConsentProps {
  id: string;
  gkId: string;
  consent: ConsentInfoJson | undefined;
  /** Voiceprints that an opt-out deletes. */
  profiles: readonly string[];
  /** Offers to erase everything instead. */
  onErase: () => void;
  onChanged: () => void;
}

export function ConsentCard(props: ConsentProps): ReactNode {
  const { consent, onChanged } = props;
  const [open, setOpen] = useState<'in' | 'out' | undefined>();
  const status = consent?.status ?? 'CONSENT_STATUS_UNSPECIFIED';
  const row = useRef<HTMLDivElement>(null);
  const hasChanged = useRef(false);
  // The pressed button disappears when the status changes.
  useEffect(() => {
    if (hasChanged.current) row.current?.focus();
    hasChanged.current = false;
  }, [status]);
  const { mediaDays } = useMe();
  const done = (): void => {
    hasChanged.current = true;
    setOpen(undefined);
    onChanged();
  };
  return (
    <Card
      title={t.party.consentTitle}
      actions={
        <Allowed to="RecordConsent">
          {status === 'CONSENT_STATUS_OPTED_IN' ? null : (
            <Button onClick={() => setOpen('in')}>{t.party.optIn}</Button>
          )}
          {status === 'CONSENT_STATUS_OPTED_OUT' ? null : (
            <Button kind="danger" onClick={() => setOpen('out')}>
              {t.party.optOut}
            </Button>
          )}
        </Allowed>
      }
    >
      <div className="row" ref={row} tabIndex={-1}>
        <Consent status={status} />
        {consent?.timestamp ? (
          <span className="small soft">
            <Time at={consent.timestamp} within={t.party.since} />
          </span>
        ) : null}
        {consent?.reason ? <span className="small soft">{t.party.reason(consent.reason)}</span> : null}
        {consent?.optInTime ? (
          <span className="small soft">
            <Time at={consent.optInTime} within={t.party.askAgain} />
          </span>
        ) : null}
      </div>
      {status === 'CONSENT_STATUS_OPTED_OUT' ? (
        <p className="small soft">{`${t.stay.text(mediaDays)} ${t.stay.erase}`}</p>
      ) : null}
      {open === 'in' ? <OptIn {...props} onClose={() => setOpen(undefined)} onChanged={done} /> : null}
      {open === 'out' ? <OptOut {...props} onClose={() => setOpen(undefined)} onChanged={done} /> : null}
    </Card>
  );
}

/** A time of consent that means never. */
const NEVER = '1970-01-01T00:00:00Z';

type DialogProps = ConsentProps & { onClose: () => void };

function OptIn({ id, gkId, consent, onClose, onChanged }: DialogProps): ReactNode {
  const inSession = useInSession();
  const seenAt = useRef(consent?.timestamp);
  const form = useForm({ agreed: false }, async () => {
    // Stored as it was read, in the reader's language.
    const text = [t.optIn.intro, ...t.optIn.items, t.optIn.confirm].join('\n');
    const gkPersonId = { value: gkId };
    // An opt-out after the dialog was opened is the person's later decision.
    const expectedTime = seenAt.current ?? NEVER;
    await inSession((context) =>
      call('RecordConsent', { context, gkPersonId, text, language: LANGUAGE, expectedTime }),
    );
    toast(t.optIn.done(id));
    onChanged();
  });
  return (
    <FormDialog
      title={t.optIn.title(id)}
      submitLabel={t.party.optIn}
      onClose={onClose}
      disabled={!form.draft.agreed}
      {...form.submit}
    >
      <Objection consent={consent} />
      <p>{t.optIn.intro}</p>
      <ul className="stack" data-tight>
        {t.optIn.items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      <Checkbox label={t.optIn.confirm} {...form.flag('agreed')} />
    </FormDialog>
  );
}

/** The person's earlier decision, for users who are about to record the opposite. */
function Objection({ consent }: { consent: ConsentInfoJson | undefined }): ReactNode {
  const [nowMs] = useState(() => Date.now());
  if (consent?.status !== 'CONSENT_STATUS_OPTED_OUT') return null;
  const { timestamp, reason = '', optInTime } = consent;
  const mustWait = optInTime !== undefined && Date.parse(optInTime) > nowMs;
  return (
    <Notice tone={mustWait ? 'warn' : 'info'}>
      <span>
        {t.optIn.objected(dateTime(timestamp), reason)}
        {mustWait ? ` ${t.optIn.notBefore(dateTime(optInTime))}` : ''}
      </span>
    </Notice>
  );
}

async function countRecordings(
  context: Context,
  profiles: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const lists = await Promise.all(
    profiles.map((value) =>
      call('ListEnrollmentSegments', { context, gkVoiceprintProfileId: { value } }, signal),
    ),
  );
  return lists.reduce((sum, list) => sum + (list.enrollmentSegmentsDetails?.length ?? 0), 0);
}

/** Since when and why the person opted out after the dialog was opened: the first record stands. */
async function optedOutBefore(context: Context | undefined, gkId: string): Promise<string | undefined> {
  const { details } = await call('GetPersonDetails', { context, gkPersonId: { value: gkId } });
  const { status, timestamp, reason } = details?.consentInfo ?? {};
  if (status !== 'CONSENT_STATUS_OPTED_OUT') return undefined;
  return t.optOut.already(dateTime(timestamp), reason ?? '');
}

function OptOut({ id, gkId, profiles, onErase, onClose, onChanged }: DialogProps): ReactNode {
  const read = useReadContext();
  const inSession = useInSession();
  const losesData = profiles.length > 0;
  const recordings = useQuery(read && losesData ? `recordings of ${gkId}` : undefined, (signal) =>
    countRecordings(read as Context, profiles, signal),
  );
  const form = useForm({ reason: '', daysForOptIn: '', typed: '' }, async ({ reason, daysForOptIn }) => {
    const already = await optedOutBefore(read, gkId);
    if (already) throw new ApiError(already, { code: 'ALREADY_EXISTS', details: [CHANGED_MEANWHILE] });
    await inSession((context) =>
      call('OptPersonOut', {
        context,
        gkPersonId: { value: gkId },
        reason: reason.trim() || undefined,
        daysForOptIn: daysForOptIn.trim() === '' ? undefined : Number(daysForOptIn),
      }),
    );
    toast(t.optOut.done(id));
    onChanged();
  });
  const days = form.draft.daysForOptIn.trim();
  const isFit = days === '' || (/^\d{1,4}$/.test(days) && Number(days) >= 1 && Number(days) <= DAYS_MAX);
  return (
    <FormDialog
      title={t.optOut.title(id)}
      submitLabel={t.party.optOut}
      danger
      onClose={onClose}
      disabled={!isFit || (losesData && form.draft.typed.trim() !== id)}
      {...form.submit}
    >
      <Notice tone={losesData ? 'warn' : 'info'}>
        <span>
          {losesData ? t.optOut.losesAll(profiles.length, recordings.data ?? 0) : t.optOut.losesNothing}
        </span>
      </Notice>
      <p>{t.optOut.text}</p>
      <RecordingsStay onErase={() => (onClose(), onErase())} />
      <TextField label={t.optOut.reason} optional {...form.text('reason')} />
      <TextField
        label={t.optOut.days}
        optional
        inputMode="numeric"
        {...form.text('daysForOptIn')}
        {...(isFit ? {} : { error: t.optOut.daysRange(DAYS_MAX) })}
      />
      {losesData ? (
        <TextField
          label={fill(shell.typeToConfirm, { word: <code>{id}</code> })}
          spellCheck={false}
          data-throwaway
          {...form.text('typed')}
        />
      ) : null}
    </FormDialog>
  );
}
