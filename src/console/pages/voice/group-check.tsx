// One voice against many: which member of a group it is, or whether it is on a watchlist. A synthetic voice
// answers neither question, so the attack checks are made too.
import type { ReactNode } from 'react';
import type { UniqueIdJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { useQuery } from '../../api/hooks.js';
import { num } from '../../text/tools.js';
import { SelectField } from '../../kit/field.js';
import { Card } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Link, setQuery, useLocation } from '../../router.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t as shell } from '../../text/shell.js';
import { t } from '../../text/voice.js';
import { evidenceWords } from '../biosec/advice.js';
import { MembersNotCompared } from '../biosec/not-compared.js';
import { OwnerLink } from '../biosec/owner-link.js';
import { useConfigset } from '../biosec/parameters.js';
import { attackSpans } from './attack-results.js';
import { CaptureBox } from './capture-box.js';
import { CheckResults } from './check-results.js';
import { AttackCard, withAttackChecks } from './checked-match.js';
import {
  checkWatchlist,
  identify,
  listGroups,
  listWatchlists,
  type Choice,
  type MatchResult,
} from './lab-api.js';
import { authenticationZones, MatchCard, openWords, scoreOf, watchlistZones } from './match-result.js';
import { useChecks } from './use-checks.js';

const kinds = {
  group: { text: t.group, list: listGroups, run: identify, tab: 'groups', question: 'identify' },
  watchlist: {
    text: t.watchlist,
    list: listWatchlists,
    run: checkWatchlist,
    tab: 'watchlists',
    question: 'watchlist',
  },
} as const;

type Kind = keyof typeof kinds;

export function GroupCheck({ kind }: { kind: Kind }): ReactNode {
  const read = useReadContext();
  const { text, list: load, tab } = kinds[kind];
  const list = useQuery(read && `${kind} choices ${read.gkScopeId.value}`, (signal) =>
    load(read as Context, signal),
  );
  if (!read) return <EmptyState title={shell.chooseTenant} />;
  return (
    <Loaded query={list} what={text.looking}>
      {(choices) =>
        choices.length === 0 ? (
          <EmptyState
            icon="people"
            title={text.none}
            action={<Link to={`/people?tab=${tab}`}>{text.make}</Link>}
          >
            {text.noneText}
          </EmptyState>
        ) : (
          <Check kind={kind} choices={choices} read={read} />
        )
      }
    </Loaded>
  );
}

function Check({
  kind,
  choices,
  read,
}: {
  kind: Kind;
  choices: readonly Choice[];
  read: Context;
}): ReactNode {
  const { text, run, question } = kinds[kind];
  const configset = useConfigset(read);
  const inAddress = useLocation().query.get(kind);
  const chosen = (choices.find(({ id }) => id === inAddress) ?? choices[0])?.id ?? '';
  const checks = useChecks((context, sent) => withAttackChecks(context, sent, run(context, chosen, sent)));
  const found = (result: MatchResult): boolean =>
    result.decision === 'DECISION_AUTHENTIC' || result.decision === 'DECISION_FRAUD';
  const zones = kind === 'group' ? authenticationZones(configset) : watchlistZones(configset);
  return (
    <div className="lab">
      <Card title={text.title}>
        <div className="stack">
          <SelectField
            label={text.label}
            value={chosen}
            onValue={(value) => {
              checks.begin();
              setQuery({ [kind]: value });
            }}
            options={choices.map(({ id, name, count }) => ({ value: id, label: text.choice(name, count) }))}
          />
          <CaptureBox
            action={text.record}
            targetSeconds={4}
            prompt={t.prompts.verify}
            busy={checks.busy}
            busyLabel={t.verify.comparing}
            onBegin={checks.begin}
            onTake={checks.run}
          />
        </div>
      </Card>
      <div className="stack" aria-live="polite">
        <CheckResults
          checks={checks}
          detailsOf={({ match }) => match.audioDetails}
          spansOf={({ attacks }) => attackSpans(attacks)}
        >
          {({ match, attacks }) => (
            <>
              <MatchCard
                question={question}
                result={match}
                zones={zones}
                who={found(match) ? ownerOf(match.voiceprintDetails) : undefined}
              >
                <MembersNotCompared left={match.notCompared} />
              </MatchCard>
              <AttackCard answer={attacks} said={openWords(question, match)?.title} />
              <Scores result={match} />
            </>
          )}
        </CheckResults>
      </div>
    </div>
  );
}

/** The owner of a print, by name. */
function ownerOf(print: { gkVoiceprintProfileId?: UniqueIdJson } | undefined): ReactNode {
  const profile = print?.gkVoiceprintProfileId?.value;
  return profile ? <OwnerLink profile={profile} /> : undefined;
}

function Scores({ result }: { result: MatchResult }): ReactNode {
  const rows = result.voiceprintResults?.slice(0, 20) ?? [];
  if (rows.length === 0) return null;
  const text = t.result;
  return (
    <Table
      caption={text.scores}
      rows={rows}
      rowKey={(row) => row.gkVoiceprintProfileId?.value ?? ''}
      columns={[
        { label: text.voice, whole: true, cell: ownerOf },
        {
          label: text.score,
          number: true,
          cell: (row) => {
            const score = scoreOf(row);
            return score === undefined ? shell.none : num(score, 2);
          },
        },
        { label: text.inWords, cell: (row) => evidenceWords(scoreOf(row)) },
      ]}
    />
  );
}
