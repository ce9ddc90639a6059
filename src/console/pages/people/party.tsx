// One person or fraudster: consent, voiceprints with their recordings, locks, deletion and erasure.
import { useState, type ReactNode } from 'react';
import type { PersonDetailsForReadJson } from '../../../gen/vendor/biosec/v1/entities/entities_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery, type Query } from '../../api/hooks.js';
import { shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, Dialog } from '../../kit/dialog.js';
import { Card, Facts, PageHead } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { Link, navigate } from '../../router.js';
import { Allowed } from '../../tenant/allowed.js';
import { useInSession, useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import { t as shell } from '../../text/shell.js';
import { History } from '../biosec/history.js';
import type { PageProps } from '../page.js';
import { AddToCollection } from './bulk-actions.js';
import { Certificate } from './certificate.js';
import { ConsentCard } from './consent.js';
import { DataProtection } from './data-protection.js';
import { ErasureText, keptAfter, keptBefore, KeptTexts, type KeptText } from './erasure.js';
import { FraudsterVoice } from './fraudster-voice.js';
import type { PartyKind } from '../biosec/party-picker.js';
import { partyKinds } from './kinds.js';
import { MembershipLinks, useMemberships, type Memberships } from './memberships.js';
import { MissingParty } from './missing-party.js';
import { NewProfile } from './new-profile.js';
import { ProfileCard } from './profile-card.js';
import { RecordingsStay } from './recordings-stay.js';
import { useTrained } from './use-trained.js';

export function PersonPage({ params }: PageProps): ReactNode {
  return <PartyPage kind="person" gkId={params['gkPersonId'] ?? ''} />;
}
/** `children`: further cards. */
export function FraudsterPage({ params, children }: PageProps & { children: ReactNode }): ReactNode {
  return (
    <PartyPage kind="fraudster" gkId={params['gkFraudsterId'] ?? ''}>
      {children}
    </PartyPage>
  );
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

const listOf = (kind: PartyKind): string =>
  kind === 'person' ? '/people' : `/people?tab=${partyKinds[kind].path}`;

/** For an entry that does not exist (yet), no actions are offered. */
function PartyPage({
  kind,
  gkId,
  children,
}: {
  kind: PartyKind;
  gkId: string;
  children?: ReactNode;
}): ReactNode {
  const { text } = partyKinds[kind];
  const read = useReadContext();
  const details = useQuery(read && `${kind} ${gkId}`, (signal) =>
    readParty(kind, read as Context, gkId, signal),
  );
  const { data, error, reload } = details;
  if (data)
    return (
      <>
        {error ? <ErrorNotice error={error} title={shell.outOfDate} /> : null}
        <Party kind={kind} gkId={gkId} party={data} reload={reload}>
          {children}
        </Party>
      </>
    );
  return (
    <>
      <PageHead title={shortId(gkId)} crumbs={[{ label: text.title, to: listOf(kind) }]} />
      {error?.httpStatus === 404 ? (
        <MissingParty kind={kind} gkId={gkId} />
      ) : (
        <Loaded query={details}>{() => null}</Loaded>
      )}
    </>
  );
}

interface PartyProps {
  kind: PartyKind;
  gkId: string;
  party: PartyDetails;
  reload: () => void;
  children: ReactNode;
}

function Party({ kind, gkId, party, reload, children }: PartyProps): ReactNode {
  const { text, profiles: listProfiles } = partyKinds[kind];
  const read = useReadContext();
  const [question, setQuestion] = useState<Question | undefined>();
  const memberships = useMemberships(kind, gkId);
  const profiles = useQuery(read && `profiles ${gkId}`, async (signal) => {
    const answer = await listProfiles(read as Context, gkId, signal);
    return (answer.gkVoiceprintProfileIds ?? []).flatMap(({ value }) => value ?? []);
  });
  const id = party.id || shortId(gkId);
  const isOptedOut = party.consentInfo?.status === 'CONSENT_STATUS_OPTED_OUT';
  const isTrained = useTrained(profiles.data);
  const erase = kind === 'person' ? () => setQuestion('erase') : undefined;
  return (
    <>
      <PageHead
        title={id}
        crumbs={[{ label: text.title, to: listOf(kind) }]}
        actions={
          <Actions kind={kind} id={id} isVerifiable={!isOptedOut && isTrained !== false} ask={setQuestion} />
        }
      >
        {kind === 'person' ? (
          isOptedOut ? (
            t.party.optedOutAbout
          ) : isTrained === false ? (
            t.party.untrainedAbout
          ) : (
            text.about
          )
        ) : (
          <FraudsterVoice
            isTrained={isTrained}
            isListed={memberships.data?.lists && memberships.data.lists.length > 0}
          />
        )}
      </PageHead>
      <div className="stack">
        <About kind={kind} party={party} gkId={gkId} lists={memberships.data?.lists} />
        {kind === 'person' ? (
          <ConsentCard
            id={id}
            gkId={gkId}
            consent={party.consentInfo}
            profiles={profiles.data ?? []}
            onErase={() => setQuestion('erase')}
            onChanged={() => {
              reload();
              profiles.reload();
            }}
          />
        ) : null}
        <h2>{t.party.voiceprints}</h2>
        <Voiceprints
          kind={kind}
          gkId={gkId}
          id={id}
          profiles={profiles}
          isOptedOut={isOptedOut}
          onErase={erase}
        />
        {kind === 'person' ? <DataProtection gkId={gkId} id={id} /> : null}
        {kind === 'person' && party.id ? (
          <History title={t.party.sessions} query={party.id} gkPersonId={gkId} />
        ) : null}
        {kind === 'fraudster' ? (
          <Allowed to="ListSessions">
            <History title={t.fraudsterCalls.title} none={t.fraudsterCalls.none} gkFraudsterId={gkId} />
          </Allowed>
        ) : null}
        {children}
      </div>
      {question ? (
        <Questions
          kind={kind}
          what={question}
          gkId={gkId}
          id={id}
          prints={profiles.data?.length ?? 0}
          onErase={erase}
          onClose={() => {
            setQuestion(undefined);
            memberships.reload();
          }}
        />
      ) : null}
    </>
  );
}

function Actions({
  kind,
  id,
  isVerifiable,
  ask,
}: {
  kind: PartyKind;
  id: string;
  isVerifiable: boolean;
  ask: (question: Question) => void;
}): ReactNode {
  const { text, needs } = partyKinds[kind];
  return (
    <>
      {kind === 'person' && isVerifiable ? (
        <Allowed to="Verify">
          <Link className="button" to={`/voice?person=${encodeURIComponent(id)}`}>
            {t.party.verify}
          </Link>
        </Allowed>
      ) : null}
      <Allowed to={needs.collect}>
        <Button onClick={() => ask('collection')}>{text.addTo}</Button>
      </Allowed>
      {kind === 'person' ? (
        <Allowed to="DeletePersonalData">
          <Button kind="danger" onClick={() => ask('erase')}>
            {t.party.erase}
          </Button>
        </Allowed>
      ) : null}
      <Allowed to={needs.remove}>
        <Button kind="danger" onClick={() => ask('delete')}>
          {text.delete}
        </Button>
      </Allowed>
    </>
  );
}

function Voiceprints({
  kind,
  gkId,
  id,
  profiles,
  isOptedOut,
  onErase,
}: {
  kind: PartyKind;
  gkId: string;
  id: string;
  profiles: Query<string[]>;
  isOptedOut: boolean;
  onErase: (() => void) | undefined;
}): ReactNode {
  return (
    <Loaded query={profiles} what={t.party.loadingVoiceprints}>
      {(ids) =>
        ids.length > 0 ? (
          ids.map((value) => (
            <ProfileCard
              key={value}
              profile={value}
              owner={id}
              others={ids.length - 1}
              onRemoved={profiles.reload}
              onErase={onErase}
            />
          ))
        ) : (
          <EmptyState
            title={t.party.noVoiceprint}
            action={
              isOptedOut ? undefined : (
                <Allowed to="CreateVoiceprintProfile">
                  <NewProfile kind={kind} gkId={gkId} onMade={profiles.reload} />
                </Allowed>
              )
            }
          >
            {isOptedOut ? t.party.optedOutText : t.party.noVoiceprintText}
          </EmptyState>
        )
      }
    </Loaded>
  );
}

interface QuestionsProps {
  kind: PartyKind;
  what: Question;
  gkId: string;
  id: string;
  prints: number;
  onErase: (() => void) | undefined;
  onClose: () => void;
}

function Questions(props: QuestionsProps): ReactNode {
  const inSession = useInSession();
  const { kind, what, gkId, onClose } = props;
  if (what !== 'collection') return <DestroyDialog {...props} />;
  return (
    <AddToCollection
      kind={kind}
      forEach={async (work) => {
        await inSession((context) => work(context, gkId));
        return 1;
      }}
      onClose={onClose}
    />
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

/** Shown until it is closed: nothing leads back here. */
type Erased = KeptText & { kept: readonly string[] };

function DestroyDialog({ kind, what, gkId, id, prints, onErase, onClose }: QuestionsProps): ReactNode {
  const { text, remove } = partyKinds[kind];
  const read = useReadContext();
  const inSession = useInSession();
  const [erased, setErased] = useState<Erased>();
  const destruction = useAction(async () => {
    if (what === 'delete') {
      await inSession((context) => remove(context, gkId));
      toast(t.deleted(id));
    } else {
      const before = await keptBefore(read, gkId);
      await inSession((context) => call('DeletePersonalData', { context, gkPersonId: { value: gkId } }));
      const kept = await keptAfter(read, gkId, before);
      if (kept) return setErased({ ...before, kept });
      toast(t.erase.begun(id));
    }
    navigate(listOf(kind));
  });
  if (erased)
    return (
      <Dialog title={t.erase.done(id)} onClose={() => navigate(listOf(kind))}>
        <Certificate gkId={gkId} />
        {erased.kept.map((line) => (
          <p key={line}>{line}</p>
        ))}
        <KeptTexts erasure={erased} as="p" />
      </Dialog>
    );
  return (
    <ConfirmDialog
      key={what}
      title={what === 'delete' ? text.delete : t.erase.title(id)}
      word={id}
      consequence={
        what === 'delete' ? (
          <>
            <p>{text.deleteText(prints)}</p>
            <RecordingsStay onErase={onErase} ofFraudster={kind === 'fraudster'} />
          </>
        ) : (
          <ErasureText gkId={gkId} />
        )
      }
      action={what === 'delete' ? text.delete : t.party.erase}
      onClose={onClose}
      onConfirm={() => void destruction.run()}
      busy={destruction.busy}
      error={destruction.error}
    />
  );
}
