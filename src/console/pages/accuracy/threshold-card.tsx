// From a wanted false-accept rate to a threshold, and from there to a new revision of the config set.
import { useState, type ReactNode } from 'react';
import { post } from '../../api/client.js';
import { sentence } from '../../api/errors.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { TextField } from '../../kit/field.js';
import { Card, Facts } from '../../kit/layout.js';
import { ErrorNotice, Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import type { Context } from '../../tenant/tenant.js';
import { numberOf, readConfigset } from '../biosec/parameters.js';
import { rateWords, type Source, type Suggestion } from './types.js';

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
  const [found, setFound] = useState<Suggestion | undefined>();
  const rate = Number(wanted.replace(',', '.')) / 100;
  const valid = rate > 0 && rate < 1;
  const search = useAction(async () => {
    const answer = await post<Suggestion>('/v1/x/accuracy/threshold', {
      context: read,
      targetFalseAcceptRate: rate,
      ...(source.kind === 'own' ? { ownPrints: {} } : { trials: { text: source.text } }),
    });
    setFound(answer);
    onSuggested(answer.threshold?.value ?? 0);
  });
  const current = useQuery(
    found && read.configsetId ? `risk limit ${read.gkScopeId.value} ${read.configsetId}` : undefined,
    async (signal) => numberOf(await readConfigset(read, signal), 'authentication', 'riskLow', 300),
  );
  const saving = useAction(async (risk: number) => {
    const { document } = await readConfigset(read);
    const next = { ...document, authentication: { ...document['authentication'], riskLow: risk } };
    const bytes = new TextEncoder().encode(JSON.stringify(next, null, 2));
    await post('/v1/configsets', {
      context: read,
      configsetId: read.configsetId,
      type: 'CONFIGSET_TYPE_OPERATIONAL',
      details: { description: `Verified up to risk ${String(risk)}: false accepts ${wanted} %` },
      performValidation: true,
      rawContent: btoa(String.fromCharCode(...bytes)),
    });
    toast('Saved as a new revision. It changes nothing until it is activated');
    onSaved();
  });
  return (
    <Card title="Find a threshold" hint="Say how many strangers in a hundred may be taken for the person.">
      <div className="stack">
        <form
          className="row accuracy-bar"
          onSubmit={(event) => {
            event.preventDefault();
            if (valid) void search.run();
          }}
        >
          <TextField
            label="Wanted false-accept rate, %"
            inputMode="decimal"
            value={wanted}
            onValue={setWanted}
            error={valid ? search.error?.problem('targetFalseAcceptRate') : 'A number above 0 and below 100.'}
          />
          <Button type="submit" kind="primary" busy={search.busy} disabled={!valid}>
            Find the threshold
          </Button>
        </form>
        {search.error ? <ErrorNotice error={search.error} title="No threshold was found" /> : null}
        <div className="stack" role="status">
          {found ? (
            <>
              <Facts
                items={[
                  [
                    'Threshold (score)',
                    `${(found.threshold?.value ?? 0).toFixed(2)} (${(found.threshold?.lower ?? 0).toFixed(2)} to ${(found.threshold?.upper ?? 0).toFixed(2)})`,
                  ],
                  ['False accepts there', rateWords(found.falseAcceptRate)],
                  ['False rejects there', rateWords(found.falseRejectRate)],
                ]}
              />
              {(found.warnings ?? []).map((warning) => (
                <Notice key={warning} tone="warn">
                  <span>{sentence(warning)}</span>
                </Notice>
              ))}
              {found.lowRiskThreshold === undefined || !read.configsetId ? (
                <Notice>No config set is chosen, so there is nowhere to save this.</Notice>
              ) : (
                <div className="stack" data-tight>
                  <h3>What saving does</h3>
                  <p>
                    It adds a revision of the config set <strong>{read.configsetId}</strong> in which one
                    number is different: the highest risk that still counts as verified (
                    <code>authentication.riskLow</code>) becomes <strong>{found.lowRiskThreshold}</strong>
                    {current.data === undefined ? '' : ` instead of ${String(current.data)}`}. A voice is then
                    verified from score {(found.threshold?.value ?? 0).toFixed(2)} on. Calls go on as before
                    until you activate the revision below; run it in the shadow first to see what it would
                    change.
                  </p>
                  <div>
                    <Button busy={saving.busy} onClick={() => void saving.run(found.lowRiskThreshold ?? 0)}>
                      Save as a new revision of {read.configsetId}
                    </Button>
                  </div>
                </div>
              )}
              {saving.error ? <ErrorNotice error={saving.error} title="The revision was not saved" /> : null}
            </>
          ) : null}
        </div>
      </div>
    </Card>
  );
}
