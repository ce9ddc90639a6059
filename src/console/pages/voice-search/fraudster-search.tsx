// Finds the stored calls of a known fraudster.
import { useState, type ReactNode } from 'react';
import type { FoundCallJson, LookedAtJson } from '../../../gen/voxgate/biosec/v1/voice_search_pb.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { finite } from '../../format/text.js';
import { Card } from '../../kit/layout.js';
import { useLocation } from '../../router.js';
import { ifFound, type Context } from '../../tenant/context.js';
import { t } from '../../text/voice-search.js';
import { PartyPicker } from '../biosec/party-picker.js';
import { partyKinds } from '../people/kinds.js';
import { FoundCalls } from './call-table.js';
import { SearchProblem } from './problem.js';
import { daysOf, SearchForm } from './search-form.js';

const text = t.fraudster;

export interface Answer {
  calls: FoundCallJson[];
  lookedAt: LookedAtJson | undefined;
}

export function FraudsterSearch({ read }: { read: Context }): ReactNode {
  // The page of a call in which a fraudster was found passes the ID in the address.
  const [fraudsterId, setFraudsterId] = useState(useLocation().query.get('fraudster') ?? '');
  const [days, setDays] = useState('');
  const [problem, setProblem] = useState<string>();
  const [answer, setAnswer] = useState<Answer>();
  const search = useAction(async () => {
    setAnswer(undefined);
    const prints = await printsOf(read, fraudsterId.trim());
    setProblem(prints ? (prints.length === 0 ? text.noPrint : undefined) : text.unknown);
    if (prints && prints.length > 0) setAnswer(await findCalls(read, prints, daysOf(days)));
  });
  return (
    <div className="stack">
      <Card title={text.title} hint={text.hint}>
        <SearchForm
          days={days}
          onDays={setDays}
          onSearch={() => void search.run()}
          busy={search.busy}
          disabled={fraudsterId.trim() === ''}
        >
          <PartyPicker
            kind="fraudster"
            label={text.label}
            value={fraudsterId}
            onValue={(value) => {
              setFraudsterId(value);
              setProblem(undefined);
            }}
            error={problem}
            onlyKnown
          />
        </SearchForm>
      </Card>
      {search.error ? <SearchProblem error={search.error} /> : null}
      {answer ? (
        <Card title={t.result}>
          <FoundCalls {...answer} />
        </Card>
      ) : null}
    </div>
  );
}

/** Trained ones; undefined if there is no such fraudster. */
async function printsOf(context: Context, fraudsterId: string): Promise<string[] | undefined> {
  const gkId = await ifFound(partyKinds.fraudster.find(context, fraudsterId));
  return gkId ? trainedPrints(context, gkId) : undefined;
}

export async function trainedPrints(context: Context, gkId: string): Promise<string[]> {
  const request = { context, gkOwnerId: { value: gkId } };
  const { profiles = [] } = await call('ListVoiceprintProfiles', request);
  return profiles.flatMap(({ details }) =>
    details?.templateInfo ? (details.gkVoiceprintProfileId?.value ?? []) : [],
  );
}

/** With several prints, the best score of each session counts. */
export async function findCalls(context: Context, prints: readonly string[], days: number): Promise<Answer> {
  const best = new Map<string, FoundCallJson>();
  let lookedAt: LookedAtJson | undefined;
  for (const value of prints) {
    const found = await call('FindCalls', { context, gkVoiceprintProfileId: { value }, days });
    lookedAt ??= found.lookedAt;
    for (const one of found.calls ?? []) {
      const session = one.call?.gkSessionId?.value ?? '';
      if (scoreOf(one) > scoreOf(best.get(session))) best.set(session, one);
    }
  }
  return { lookedAt, calls: [...best.values()].sort((a, b) => scoreOf(b) - scoreOf(a)) };
}

const scoreOf = (found: FoundCallJson | undefined): number => finite(found?.biometricScore) ?? -Infinity;
