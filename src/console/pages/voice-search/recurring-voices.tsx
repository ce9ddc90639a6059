// Voices that called under several names, each with its calls, and a button to put it on a watchlist.
import { useState, type ReactNode } from 'react';
import type { RecurringVoiceJson, StoredCallJson } from '../../../gen/voxgate/biosec/v1/voice_search_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { dateTime } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Card } from '../../kit/layout.js';
import { EmptyState } from '../../kit/notice.js';
import type { Context } from '../../tenant/context.js';
import { t } from '../../text/voice-search.js';
import { useSessionsById } from '../biosec/sessions-by-id.js';
import { AddVoice } from './add-voice.js';
import { CallTable, fraudstersIn, idOf, LookedAt } from './call-table.js';
import { SearchProblem } from './problem.js';
import { daysOf, SearchForm } from './search-form.js';

const text = t.voices;

export function RecurringVoices({ read }: { read: Context }): ReactNode {
  const [days, setDays] = useState('');
  const [answer, setAnswer] = useState<AnswerOf<'FindRecurringVoices'>>();
  const search = useAction(async () => {
    setAnswer(undefined);
    setAnswer(await call('FindRecurringVoices', { context: read, days: daysOf(days) }));
  });
  const { voices = [], lookedAt } = answer ?? {};
  return (
    <div className="stack">
      <Card title={text.title} hint={text.hint}>
        <SearchForm days={days} onDays={setDays} onSearch={() => void search.run()} busy={search.busy} />
      </Card>
      {search.error ? <SearchProblem error={search.error} /> : null}
      {answer && voices.length === 0 ? (
        <EmptyState icon="search" title={text.none}>
          <LookedAt lookedAt={lookedAt} />
        </EmptyState>
      ) : null}
      {voices.length > 0 ? (
        <p>
          <strong>{text.found(voices.length)}</strong> <LookedAt lookedAt={lookedAt} />
        </p>
      ) : null}
      {voices.map((voice, index) => (
        <Voice key={voice.calls?.[0]?.gkProcessedAudioId?.value ?? index} voice={voice} number={index + 1} />
      ))}
    </div>
  );
}

function Voice({ voice, number }: { voice: RecurringVoiceJson; number: number }): ReactNode {
  const { identities = 0, calls = [] } = voice;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(calls.map(idOf)));
  const [adding, setAdding] = useState(false);
  const chosen = recordingsOf(calls.filter((one) => selected.has(idOf(one))));
  const entries = useSessionsById(calls.map(idOf)).data ?? [];
  const known = fraudstersIn(entries);
  const name = [text.voice(number), ...known].join(', ');
  return (
    <Card title={name} hint={text.about(identities, calls.length)}>
      <div className="stack">
        <CallTable
          caption={text.caption(number)}
          calls={calls}
          selection={{
            selected,
            onSelected: setSelected,
            nameOf: ({ personId, time }: StoredCallJson) => personId || dateTime(time),
          }}
        />
        <div className="row">
          <Button onClick={() => setAdding(true)} disabled={chosen.length === 0}>
            {text.add}
          </Button>
        </div>
      </div>
      {adding ? <AddVoice recordings={chosen} onClose={() => setAdding(false)} /> : null}
    </Card>
  );
}

/** Each recording once, however many sessions have heard it. */
function recordingsOf(calls: readonly StoredCallJson[]): string[] {
  const byMedia = new Map(
    calls.map(({ gkMediaSegmentId, gkProcessedAudioId }) => {
      const audio = gkProcessedAudioId?.value ?? '';
      return [gkMediaSegmentId?.value || audio, audio];
    }),
  );
  return [...byMedia.values()].filter(Boolean);
}
