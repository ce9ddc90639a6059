// Names of resources: put one together for this environment, or take one apart that came from elsewhere.
import { useState, type ReactNode } from 'react';
import { post } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { SelectField, TextField } from '../../kit/field.js';
import { Card, Facts } from '../../kit/layout.js';
import { ErrorNotice, Loaded, Notice } from '../../kit/notice.js';
import { languages } from './downloads.js';
import type { Environment } from './model.js';

interface UrnParts {
  kind?: string;
  contextTag?: string;
  language?: string;
  wordsetName?: string;
  service?: string;
}

const kinds = [
  { value: 'URN_KIND_ASR_MODEL', label: 'Recognition model' },
  { value: 'URN_KIND_NLU_MODEL', label: 'Interpretation model' },
  { value: 'URN_KIND_DIALOG', label: 'Dialog' },
  { value: 'URN_KIND_WORDSET', label: 'Wordset' },
];
const WORDSET = 'URN_KIND_WORDSET';
const DIALOG = 'URN_KIND_DIALOG';
const services = [
  { value: 'asr', label: 'Recognition (asr)' },
  { value: 'nlu', label: 'Interpretation (nlu)' },
];

export function Urns({ environment }: { environment: Environment }): ReactNode {
  return (
    <div className="lab-pair">
      <Build contextTag={environment.contextTag ?? ''} />
      <Parse />
    </div>
  );
}

function Build({ contextTag }: { contextTag: string }): ReactNode {
  const [kind, setKind] = useState('URN_KIND_ASR_MODEL');
  const [language, setLanguage] = useState('eng-USA');
  const [wordset, setWordset] = useState('names');
  const [service, setService] = useState('asr');
  const parts: UrnParts = {
    kind,
    contextTag,
    ...(kind === DIALOG ? {} : { language }),
    ...(kind === WORDSET ? { wordsetName: wordset.trim(), service } : {}),
  };
  const isReady = kind !== WORDSET || wordset.trim() !== '';
  const built = useQuery(isReady ? `urn ${JSON.stringify(parts)}` : undefined, (signal) =>
    post<{ urn?: string }>('/v1/management/urns/build', { parts }, signal),
  );
  return (
    <Card title="Put a name together" hint="For the resources of this environment.">
      <div className="stack">
        <SelectField label="What it names" value={kind} onValue={setKind} options={kinds} />
        {kind === DIALOG ? null : (
          <SelectField
            label="Language"
            value={language}
            onValue={setLanguage}
            options={languages.map((value) => ({ value, label: value }))}
          />
        )}
        {kind === WORDSET ? (
          <>
            <TextField label="Wordset" value={wordset} onValue={setWordset} spellCheck={false} />
            <SelectField label="Used by" value={service} onValue={setService} options={services} />
          </>
        ) : null}
        {isReady ? (
          <Loaded query={built} what="Putting it together">
            {({ urn = '' }) => <Copy text={urn} label="URN" wrap />}
          </Loaded>
        ) : (
          <p className="soft small">The wordset needs a name.</p>
        )}
      </div>
    </Card>
  );
}

function Parse(): ReactNode {
  const [urn, setUrn] = useState('');
  const [answer, setAnswer] = useState<{ valid?: boolean; parts?: UrnParts; error?: string }>();
  const parse = useAction(async () => {
    setAnswer(await post('/v1/management/urns/parse', { urn: urn.trim() }));
  });
  const { kind, contextTag, language, wordsetName, service } = answer?.parts ?? {};
  return (
    <Card title="Take a name apart" hint="See what a URN from elsewhere points to.">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (urn.trim() !== '') void parse.run();
        }}
      >
        <TextField label="URN" value={urn} onValue={setUrn} spellCheck={false} className="input mono" />
        <div>
          <Button type="submit" busy={parse.busy} disabled={urn.trim() === ''}>
            Take it apart
          </Button>
        </div>
        {parse.error ? <ErrorNotice error={parse.error} /> : null}
        <div role="status">
          {answer?.valid ? (
            <Facts
              items={[
                ['What it names', kinds.find(({ value }) => value === kind)?.label ?? '-'],
                ['Context tag', <code key="tag">{contextTag || '-'}</code>],
                ...(language ? [['Language', language] as const] : []),
                ...(wordsetName ? [['Wordset', wordsetName] as const] : []),
                ...(service ? [['Used by', service] as const] : []),
              ]}
            />
          ) : answer ? (
            <Notice tone="warn" title="This is not one of our names">
              <span>{answer.error}</span>
            </Notice>
          ) : null}
        </div>
      </form>
    </Card>
  );
}
