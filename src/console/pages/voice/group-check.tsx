// One voice against many: who of a group is it, or is it anybody of a watchlist.
import { useState, type ReactNode } from 'react';
import { useAction, useQuery } from '../../api/hooks.js';
import type { Take } from '../../audio/take.js';
import { SelectField } from '../../kit/field.js';
import { Card } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { plural, shortId } from '../../format/text.js';
import { Link } from '../../router.js';
import { useBiosecContext, type Context } from '../../tenant/tenant.js';
import { evidenceWords } from '../biosec/advice.js';
import { useInSession } from '../biosec/in-session.js';
import { useConfigset } from '../biosec/parameters.js';
import type { AudioDetails, MatchResult } from '../biosec/types.js';
import { CaptureBox } from './capture-box.js';
import { checkWatchlist, identify, listGroups, listWatchlists, ownersOf, upload } from './lab-api.js';
import { alarmZones, authenticationZones, MatchOutcome } from './match-result.js';
import { VERIFY_PROMPT } from './prompts.js';
import { RecordingView } from './recording-view.js';

const kinds = {
  group: {
    one: 'group',
    members: 'person',
    list: listGroups,
    run: identify,
    title: 'Who is it?',
    action: 'Record and identify',
    empty:
      'A group holds the people a voice is compared with. Make one and add people who have a voiceprint.',
    tab: 'groups',
  },
  watchlist: {
    one: 'watchlist',
    members: 'fraudster',
    list: listWatchlists,
    run: checkWatchlist,
    title: 'Is it a known fraudster?',
    action: 'Record and check',
    empty:
      'A watchlist holds the voices of known fraudsters. Make one and add fraudsters who have a voiceprint.',
    tab: 'watchlists',
  },
} as const;

export function GroupCheck({ kind }: { kind: keyof typeof kinds }): ReactNode {
  const { read } = useBiosecContext();
  const facts = kinds[kind];
  const list = useQuery(read && `${kind} choices ${read.gkScopeId.value}`, (signal) =>
    facts.list(read as Context, signal),
  );
  if (!read) return <EmptyState title="Choose a tenant first" />;
  return (
    <Loaded query={list} what={`Looking for ${facts.one}s`}>
      {(choices) =>
        choices.length === 0 ? (
          <EmptyState
            icon="people"
            title={`No ${facts.one} yet`}
            action={<Link to={`/people?tab=${facts.tab}`}>Make a {facts.one}</Link>}
          >
            {facts.empty}
          </EmptyState>
        ) : (
          <Check kind={kind} choices={choices} />
        )
      }
    </Loaded>
  );
}

function Check({
  kind,
  choices,
}: {
  kind: keyof typeof kinds;
  choices: readonly { id: string; name: string; count: number }[];
}): ReactNode {
  const facts = kinds[kind];
  const { read } = useBiosecContext();
  const inSession = useInSession();
  const configset = useConfigset(read);
  const [chosen, setChosen] = useState(choices[0]?.id ?? '');
  const [heard, setHeard] = useState<
    { take: Take; media: string | undefined; details: AudioDetails | undefined } | undefined
  >();
  const [result, setResult] = useState<MatchResult | undefined>();
  const owners = useQuery(read && `owners ${read.gkScopeId.value}`, (signal) =>
    ownersOf(read as Context, signal),
  );
  const check = useAction(async (take: Take) => {
    setResult(undefined);
    setHeard({ take, media: undefined, details: undefined });
    const outcome = await inSession(async (context) =>
      facts.run(context, chosen, await upload(context, take)),
    );
    setHeard({ take, media: outcome.gkMediaSegmentId?.value, details: outcome.audioDetails });
    setResult(outcome);
  });
  const nameOf = (profile: string | undefined): string =>
    profile ? owners.data?.get(profile) || shortId(profile) : '';
  const best = result?.voiceprintDetails?.gkVoiceprintProfileId?.value;
  return (
    <div className="lab">
      <Card title={facts.title}>
        <div className="stack">
          <SelectField
            label={facts.one.charAt(0).toUpperCase() + facts.one.slice(1)}
            value={chosen}
            onValue={setChosen}
            options={choices.map(({ id, name, count }) => ({
              value: id,
              label: `${name} (${plural(count, facts.members)})`,
            }))}
          />
          <CaptureBox
            action={facts.action}
            targetSeconds={4}
            prompt={VERIFY_PROMPT}
            busy={check.busy}
            busyLabel="Comparing the voice"
            onTake={(take) => void check.run(take)}
          />
        </div>
      </Card>
      <div className="stack" aria-live="polite">
        {check.error ? <ErrorNotice error={check.error} title="That did not work" /> : null}
        {result ? (
          <MatchOutcome
            result={result}
            zones={
              kind === 'group' ? authenticationZones(configset) : alarmZones(configset, 'fraudDetection')
            }
            who={
              result.decision === 'DECISION_AUTHENTIC' || result.decision === 'DECISION_FRAUD'
                ? nameOf(best)
                : undefined
            }
          />
        ) : null}
        {result?.voiceprintResults?.length ? (
          <Table
            caption="Score of each voiceprint"
            rows={result.voiceprintResults.slice(0, 20)}
            rowKey={(row) => row.gkVoiceprintProfileId?.value ?? ''}
            columns={[
              { label: 'Voice', whole: true, cell: (row) => nameOf(row.gkVoiceprintProfileId?.value) },
              {
                label: 'Score',
                number: true,
                cell: (row) =>
                  (row.authenticationScore ?? row.fraudDetectionScore)?.biometricScore?.toFixed(2) ?? '-',
              },
              {
                label: 'In words',
                cell: (row) =>
                  evidenceWords((row.authenticationScore ?? row.fraudDetectionScore)?.biometricScore),
              },
            ]}
          />
        ) : null}
        {heard ? (
          <Card title="What was heard">
            <RecordingView {...heard} />
          </Card>
        ) : null}
      </div>
    </div>
  );
}
