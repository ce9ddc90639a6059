// One person or fraudster: consent, voiceprints with their takes, locks, deletion and erasure.
import { useState, type ReactNode } from 'react';
import { get, put } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { dateTime, shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Card, Facts, PageHead } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { navigate } from '../../router.js';
import { deleteInContext, useBiosecContext } from '../../tenant/tenant.js';
import type { PageProps } from '../registry.js';
import { useInSession } from '../biosec/in-session.js';
import type { FraudsterDetails, Id, PersonDetails } from '../biosec/types.js';
import { partyKinds, type PartyKind } from './kinds.js';
import { Consent } from './people.js';
import { NewProfile, ProfileCard } from './profile-card.js';

export function PersonPage({ params }: PageProps): ReactNode {
  return <PartyPage kind="person" gkId={params['gkPersonId'] ?? ''} />;
}
export function FraudsterPage({ params }: PageProps): ReactNode {
  return <PartyPage kind="fraudster" gkId={params['gkFraudsterId'] ?? ''} />;
}

type Question = 'delete' | 'erase' | 'opt-out';

function PartyPage({ kind, gkId }: { kind: PartyKind; gkId: string }): ReactNode {
  const facts = partyKinds[kind];
  const { read } = useBiosecContext();
  const inSession = useInSession();
  const [question, setQuestion] = useState<Question | undefined>();
  const details = useQuery(read && `${kind} ${gkId}`, (signal) =>
    get<{ details?: PersonDetails & FraudsterDetails }>(
      `/v1/${facts.path}/${gkId}`,
      { context: read },
      signal,
    ),
  );
  const profiles = useQuery(read && `profiles ${gkId}`, (signal) =>
    get<{ gkVoiceprintProfileIds?: Id[] }>(`/v1/${facts.path}/${gkId}/profiles`, { context: read }, signal),
  );
  const party = details.data?.details;
  const id = (kind === 'person' ? party?.personId : party?.fraudsterId) || shortId(gkId);
  const name = [party?.firstName, party?.lastName].filter(Boolean).join(' ');
  const close = (): void => setQuestion(undefined);
  const deletion = useAction(async () => {
    await inSession((context) => deleteInContext(`/v1/${facts.path}/${gkId}`, context));
    toast(`${id} is deleted`);
    navigate(`/people?tab=${facts.path}`);
  });
  const erasure = useAction(async () => {
    await inSession((context) => deleteInContext(`/v1/persons/${gkId}/personal-data`, context));
    toast(`The personal data of ${id} is being erased`);
    navigate('/people');
  });
  const optIn = useAction(async () => {
    await inSession((context) => put(`/v1/persons/${gkId}/optin`, { context }));
    toast(`${id} has opted in`);
    details.reload();
  });
  const consent = party?.consentInfo;
  return (
    <>
      <PageHead
        title={id}
        crumbs={[{ label: facts.title, to: `/people${kind === 'person' ? '' : `?tab=${facts.path}`}` }]}
        actions={
          <>
            {kind === 'person' ? (
              <Button kind="danger" onClick={() => setQuestion('erase')}>
                Erase personal data
              </Button>
            ) : null}
            <Button kind="danger" onClick={() => setQuestion('delete')}>
              Delete {facts.one}
            </Button>
          </>
        }
      >
        {name ? `${name}. ` : ''}
        {kind === 'person'
          ? 'A person whose voice can be verified.'
          : 'A known fraudster whose voice calls can be checked against.'}
      </PageHead>
      <div className="stack">
        <Loaded query={details} what="Loading">
          {() => (
            <Card title="About">
              <Facts
                items={[
                  ['Identifier', <code key="id">{id}</code>],
                  ['System identifier', <code key="gk">{gkId}</code>],
                  ['Name', name || '-'],
                  ['Added', dateTime(party?.creationTimestamp)],
                ]}
              />
            </Card>
          )}
        </Loaded>
        {kind === 'person' && party ? (
          <Card
            title="Consent"
            actions={
              consent?.status === 'CONSENT_STATUS_OPTED_OUT' ? (
                <Button busy={optIn.busy} onClick={() => void optIn.run()}>
                  Opt in
                </Button>
              ) : (
                <>
                  {consent?.status === 'CONSENT_STATUS_OPTED_IN' ? null : (
                    <Button busy={optIn.busy} onClick={() => void optIn.run()}>
                      Opt in
                    </Button>
                  )}
                  <Button onClick={() => setQuestion('opt-out')}>Opt out</Button>
                </>
              )
            }
          >
            <div className="row">
              <Consent status={consent?.status} />
              {consent?.timestamp ? (
                <span className="small soft">since {dateTime(consent.timestamp)}</span>
              ) : null}
              {consent?.reason ? <span className="small soft">Reason: {consent.reason}</span> : null}
              {consent?.optInTime ? (
                <span className="small soft">May be asked again from {dateTime(consent.optInTime)}</span>
              ) : null}
            </div>
            {optIn.error ? <ErrorNotice error={optIn.error} /> : null}
          </Card>
        ) : null}
        <h2>Voiceprints</h2>
        <Loaded query={profiles} what="Loading voiceprints">
          {(answer) =>
            answer.gkVoiceprintProfileIds?.length ? (
              <>
                {answer.gkVoiceprintProfileIds.map(({ value }) => (
                  <ProfileCard key={value} profile={value} owner={id} onGone={profiles.reload} />
                ))}
              </>
            ) : (
              <EmptyState
                title="No voiceprint yet"
                action={<NewProfile kind={kind} gkId={gkId} onMade={profiles.reload} />}
              >
                A voiceprint is made from a few takes of speech.
              </EmptyState>
            )
          }
        </Loaded>
      </div>
      {question === 'opt-out' ? (
        <OptOut
          gkId={gkId}
          id={id}
          onClose={close}
          onDone={() => {
            close();
            details.reload();
            profiles.reload();
          }}
        />
      ) : null}
      {question === 'delete' ? (
        <ConfirmDialog
          title={`Delete ${id}`}
          word={id}
          consequence={`The ${facts.one} and all voiceprints will be deleted. Sessions and audit records stay.`}
          action={`Delete ${facts.one}`}
          onClose={close}
          onConfirm={() => void deletion.run()}
          busy={deletion.busy}
          error={deletion.error}
        />
      ) : null}
      {question === 'erase' ? (
        <ConfirmDialog
          title={`Erase the personal data of ${id}`}
          word={id}
          consequence="Recordings, voiceprints, names and everything else that points to this person will be destroyed everywhere, in old records too. This cannot be undone."
          action="Erase personal data"
          onClose={close}
          onConfirm={() => void erasure.run()}
          busy={erasure.busy}
          error={erasure.error}
        />
      ) : null}
    </>
  );
}

function OptOut({
  gkId,
  id,
  onClose,
  onDone,
}: {
  gkId: string;
  id: string;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const inSession = useInSession();
  const form = useForm({ reason: '', daysForOptIn: '' }, async ({ reason, daysForOptIn }) => {
    await inSession((context) =>
      put(`/v1/persons/${gkId}/optout`, {
        context,
        ...(reason.trim() && { reason: reason.trim() }),
        ...(Number(daysForOptIn) > 0 && { daysForOptIn: Number(daysForOptIn) }),
      }),
    );
    toast(`${id} has opted out`);
    onDone();
  });
  return (
    <FormDialog title={`Opt out ${id}`} submitLabel="Opt out" danger onClose={onClose} {...form.submit}>
      <p>
        Voice biometrics will not be used for this person any more. Enrollment and verification are refused
        until they opt in again.
      </p>
      <TextField label="Reason" optional {...form.text('reason')} />
      <TextField
        label="Days until they may be asked again"
        optional
        inputMode="numeric"
        {...form.text('daysForOptIn')}
      />
    </FormDialog>
  );
}
