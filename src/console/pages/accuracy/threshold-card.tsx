// From a wanted false-accept rate to a threshold, and from there to a new revision of the config set.
import { useState, type ReactNode } from 'react';
import { call, type AnswerOf } from '../../api/client.js';
import { sentence } from '../../api/errors.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { num } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { TextField } from '../../kit/field.js';
import { fill } from '../../kit/fill.js';
import { Card, Facts } from '../../kit/layout.js';
import { ErrorNotice, Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import type { Context } from '../../tenant/context.js';
import { t } from '../../text/accuracy.js';
import { numberOf, readConfigset } from '../biosec/parameters.js';
import { rateWords, valueOf, type Source } from './rates.js';

const text = t.threshold;

type Suggestion = AnswerOf<'SuggestThreshold'>;

export function ThresholdCard({
  read,
  source,
  onSuggested,
  onSaved,
}: {
  read: Context;
  source: Source;
  onSuggested: (threshold: number) => void;
  onSaved: () => void;
}): ReactNode {
  const [wanted, setWanted] = useState('1');
  const [found, setFound] = useState<{ suggestion: Suggestion; rate: string } | undefined>();
  const rate = Number(wanted.replace(',', '.')) / 100;
  const valid = rate > 0 && rate < 1;
  const search = useAction(async () => {
    const suggestion = await call('SuggestThreshold', {
      context: read,
      targetFalseAcceptRate: rate,
      ...(source.kind === 'own' ? { ownPrints: {} } : { trials: { text: source.text } }),
    });
    setFound({ suggestion, rate: wanted });
    onSuggested(valueOf(suggestion.threshold?.value));
  });
  return (
    <Card title={text.title} hint={text.hint}>
      <div className="stack">
        <form
          className="row accuracy-bar"
          onSubmit={(event) => {
            event.preventDefault();
            if (valid) void search.run();
          }}
        >
          <TextField
            label={text.wanted}
            inputMode="decimal"
            value={wanted}
            onValue={setWanted}
            error={valid ? search.error?.problem('targetFalseAcceptRate') : text.range}
          />
          <Button type="submit" kind="primary" busy={search.busy} disabled={!valid}>
            {text.find}
          </Button>
        </form>
        {search.error ? (
          <ErrorNotice error={search.error} title={text.failed} shown={['targetFalseAcceptRate']} />
        ) : null}
        <div className="stack" role="status">
          {found ? <Found {...found} read={read} onSaved={onSaved} /> : null}
        </div>
      </div>
    </Card>
  );
}

function Found({
  suggestion,
  rate,
  read,
  onSaved,
}: {
  suggestion: Suggestion;
  rate: string;
  read: Context;
  onSaved: () => void;
}): ReactNode {
  const { threshold, lowRiskThreshold } = suggestion;
  const score = (value: number | string | undefined): string => num(valueOf(value), 2);
  return (
    <>
      <Facts
        items={[
          [
            text.score,
            t.report.interval(score(threshold?.value), score(threshold?.lower), score(threshold?.upper)),
          ],
          [text.falseAccepts, rateWords(suggestion.falseAcceptRate)],
          [text.falseRejects, rateWords(suggestion.falseRejectRate)],
        ]}
      />
      {(suggestion.warnings ?? []).map((warning) => (
        <Notice key={warning} tone="warn">
          <span>{sentence(warning)}</span>
        </Notice>
      ))}
      {lowRiskThreshold === undefined || !read.configsetId ? (
        <Notice>{text.nowhere}</Notice>
      ) : (
        <Saving
          read={read}
          risk={lowRiskThreshold}
          score={score(threshold?.value)}
          rate={rate}
          onSaved={onSaved}
        />
      )}
    </>
  );
}

function Saving({
  read,
  risk,
  score,
  rate,
  onSaved,
}: {
  read: Context;
  risk: number;
  score: string;
  rate: string;
  onSaved: () => void;
}): ReactNode {
  const configset = read.configsetId ?? '';
  const before = useQuery(`risk limit ${read.gkScopeId.value} ${configset}`, async (signal) =>
    numberOf(await readConfigset(read, signal), 'authentication', 'riskLow', 300),
  );
  const saving = useAction(async () => {
    const { document } = await readConfigset(read);
    const next = { ...document, authentication: { ...document['authentication'], riskLow: risk } };
    const bytes = new TextEncoder().encode(JSON.stringify(next, null, 2));
    await call('CreateConfigset', {
      context: read,
      configsetId: configset,
      type: 'CONFIGSET_TYPE_OPERATIONAL',
      details: { description: text.description(risk, rate) },
      performValidation: true,
      rawContent: btoa(String.fromCharCode(...bytes)),
    });
    toast(text.saved);
    onSaved();
  });
  return (
    <div className="stack" data-tight>
      <h3>{text.saving}</h3>
      <p>
        {fill(text.savingText, {
          configset: <strong>{configset}</strong>,
          parameter: <code>authentication.riskLow</code>,
          risk: <strong>{num(risk)}</strong>,
          before: before.data === undefined ? '' : text.before(before.data),
          score,
        })}
      </p>
      <div>
        <Button busy={saving.busy} onClick={() => void saving.run()}>
          {text.save(configset)}
        </Button>
      </div>
      {saving.error ? <ErrorNotice error={saving.error} title={text.notSaved} /> : null}
    </div>
  );
}
