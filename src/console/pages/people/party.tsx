// One person or fraudster: consent, voiceprints with their recordings, locks, deletion and erasure.
import { useState, type ReactNode } from 'react';
import type { PersonDetailsForReadJson } from '../../../gen/vendor/biosec/v1/entities/entities_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { Card, Facts, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { Link, navigate } from '../../router.js';
import { useInSession, useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import { t as shell } from '../../text/shell.js';
import { History } from '../biosec/history.js';
import type { PageProps } from '../page.js';
import { AddToCollection } from './bulk-actions.js';
import { ConsentCard } from './consent.js';
import { partyKinds, type PartyKind } from './kinds.js';
import { MembershipLinks, useMemberships, type Memberships } from './memberships.js';
import { NewProfile } from './new-profile.js';
import { ProfileCard } from './profile-card.js';

export function PersonPage({ params }: PageProps): ReactNode {
  return <PartyPage kind="person" gkId={params['gkPersonId'] ?? ''} />;
}
export function FraudsterPage({ params }: PageProps): ReactNode {
  return <PartyPage kind="fraudster" gkId={params['gkFraudsterId'] ?? ''} />;
}

interface PartyDetails extends PersonDetailsForReadJson {
  id: string;
}

async function readParty(
  kind: PartyKind,
  context: Context,
  gkId: string,
  signal: AbortSignal,
): Promise<PartyDetails> {
  if (kind === 'person') {
    const { details } = await call('GetPersonDetails', { context, gkPersonId: { value: gkId } }, signal);
    return { ...details, id: details?.personId ?? '' };
  }
  const { details } = await call('GetFraudsterDetails', { context, gkFraudsterId: { value: gkId } }, signal);
  return { ...details, id: details?.fraudsterId ?? '' };
}

type Question = 'delete' | 'erase' | 'collection';

function PartyPage({ kind, gkId }: { kind: PartyKind; gkId: string }): ReactNode {
  const { text, path, profiles: listProfiles } = partyKinds[kind];
  const read = useReadContext();
  const inSession = useInSession();
  const [question, setQuestion] = useState<Question | undefined>();
  const details = useQuery(read && `${kind} ${gkId}`, (signal) =>
    readParty(kind, read as Context, gkId, signal),
  );
  const profiles = useQuery(read && `profiles ${gkId}`, async (signal) => {
    const answer = await listProfiles(read as Context, gkId, signal);
    return (answer.gkVoiceprintProfileIds ?? []).flatMap(({ value }) => value ?? []);
  });
  const memberships = useMemberships(kind, gkId);
  const party = details.data;
  const id = party?.id || shortId(gkId);
  return (
    <>
      <PageHead
        title={id}
        crumbs={[{ label: text.title, to: `/people${kind === 'person' ? '' : `?tab=${path}`}` }]}
        actions={
          <>
            {kind === 'person' ? (
              <Link className="button" to={`/voice?person=${encodeURIComponent(id)}`}>
                {t.party.verify}
              </Link>
            ) : null}
            <Button onClick={() => setQuestion('collection')}>{text.addTo}</Button>
            {kind === 'person' ? (
              <Button kind="danger" onClick={() => setQuestion('erase')}>
                {t.party.erase}
              </Button>
            ) : null}
            <Button kind="danger" onClick={() => setQuestion('delete')}>
              {text.delete}
            </Button>
          </>
        }
      >
        {text.about}
      </PageHead>
      <div className="stack">
        <Loaded query={details}>
          {(data) => <About kind={kind} party={data} gkId={gkId} lists={memberships.data?.lists} />}
        </Loaded>
        {kind === 'person' && party ? (
          <ConsentCard
            id={id}
            gkId={gkId}
            consent={party.consentInfo}
            profiles={profiles.data ?? []}
            onChanged={() => {
              details.reload();
              profiles.reload();
            }}
          />
        ) : null}
        <h2>{t.party.voiceprints}</h2>
        <Loaded query={profiles} what={t.party.loadingVoiceprints}>
          {(ids) =>
            ids.length > 0 ? (
              ids.map((value) => (
                <ProfileCard key={value} profile={value} owner={id} onGone={profiles.reload} />
              ))
            ) : (
              <EmptyState
                title={t.party.noVoiceprint}
                action={<NewProfile kind={kind} gkId={gkId} onMade={profiles.reload} />}
              >
                {t.party.noVoiceprintText}
              </EmptyState>
            )
          }
        </Loaded>
        {kind === 'person' && party?.id ? (
          <History
            title={t.party.sessions}
            query={party.id}
            match={({ claimedPersonId }) => claimedPersonId === party.id}
          />
        ) : null}
      </div>
      {question === 'delete' || question === 'erase' ? (
        <DestroyDialog
          kind={kind}
          what={question}
          gkId={gkId}
          id={id}
          prints={profiles.data?.length ?? 0}
          onClose={() => setQuestion(undefined)}
        />
      ) : null}
      {question === 'collection' ? (
        <AddToCollection
          kind={kind}
          forEach={async (work) => {
            await inSession((context) => work(context, gkId));
            return 1;
          }}
          onClose={() => {
            setQuestion(undefined);
            memberships.reload();
          }}
        />
      ) : null}
    </>
  );
}

function About({
  kind,
  party,
  gkId,
  lists,
}: {
  kind: PartyKind;
  party: PartyDetails;
  gkId: string;
  lists: Memberships['lists'];
}): ReactNode {
  const name = [party.firstName, party.lastName].filter(Boolean).join(' ');
  return (
    <Card title={t.party.aboutTitle}>
      <Facts
        items={[
          [t.party.identifier, <code key="id">{party.id || t.erased}</code>],
          [t.party.name, name || shell.none],
          ...(party.phoneNumbers?.length ? [[t.party.phone, party.phoneNumbers.join(', ')] as const] : []),
          ...(lists
            ? ([
                [
                  t[partyKinds[kind].collection].title,
                  <MembershipLinks key="lists" kind={kind} lists={lists} />,
                ],
              ] as const)
            : []),
          [t.party.added, <Time key="added" at={party.creationTimestamp} />],
          [t.party.systemIdentifier, <code key="gk">{gkId}</code>],
        ]}
      />
    </Card>
  );
}

function DestroyDialog({
  kind,
  what,
  gkId,
  id,
  prints,
  onClose,
}: {
  kind: PartyKind;
  what: 'delete' | 'erase';
  gkId: string;
  id: string;
  prints: number;
  onClose: () => void;
}): ReactNode {
  const { text, path, remove } = partyKinds[kind];
  const inSession = useInSession();
  const destruction = useAction(async () => {
    if (what === 'delete') {
      await inSession((context) => remove(context, gkId));
      toast(t.deleted(id));
    } else {
      await inSession((context) => call('DeletePersonalData', { context, gkPersonId: { value: gkId } }));
      toast(t.erase.done(id));
    }
    navigate(`/people${kind === 'person' ? '' : `?tab=${path}`}`);
  });
  return (
    <ConfirmDialog
      title={what === 'delete' ? text.delete : t.erase.title(id)}
      word={id}
      consequence={what === 'delete' ? text.deleteText(prints) : t.erase.text}
      action={what === 'delete' ? text.delete : t.party.erase}
      onClose={onClose}
      onConfirm={() => void destruction.run()}
      busy={destruction.busy}
      error={destruction.error}
    />
  );
}
