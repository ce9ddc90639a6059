// Resource names: builds one for this environment, or explains an existing one.
import { useState, type ReactNode } from 'react';
import type {
  EnvironmentJson,
  UrnKindJson,
  UrnPartsJson,
} from '../../../gen/voxgate/management/v1/applications_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { SelectField, TextField } from '../../kit/field.js';
import { Card, Facts } from '../../kit/layout.js';
import { ErrorNotice, Loaded, Notice } from '../../kit/notice.js';
import { t } from '../../text/applications.js';
import { t as shell } from '../../text/shell.js';
import { languages } from './languages.js';

const text = t.urns;

const kinds = ['URN_KIND_ASR_MODEL', 'URN_KIND_NLU_MODEL', 'URN_KIND_DIALOG', 'URN_KIND_WORDSET'] as const;
const services = [
  { value: 'asr', label: text.recognition },
  { value: 'nlu', label: text.interpretation },
];

export function Urns({ environment }: { environment: EnvironmentJson }): ReactNode {
  return (
    <div className="lab-pair">
      <Build contextTag={environment.contextTag ?? ''} />
      <Parse />
    </div>
  );
}

function Build({ contextTag }: { contextTag: string }): ReactNode {
  const [kind, setKind] = useState<UrnKindJson>('URN_KIND_ASR_MODEL');
  const [language, setLanguage] = useState('eng-USA');
  const [wordset, setWordset] = useState('names');
  const [service, setService] = useState('asr');
  const isWordset = kind === 'URN_KIND_WORDSET';
  const isDialog = kind === 'URN_KIND_DIALOG';
  const parts: UrnPartsJson = {
    kind,
    contextTag,
    ...(isDialog ? {} : { language }),
    ...(isWordset ? { wordsetName: wordset.trim(), service } : {}),
  };
  const isReady = !isWordset || wordset.trim() !== '';
  const built = useQuery(isReady ? `urn ${JSON.stringify(parts)}` : undefined, (signal) =>
    call('BuildUrn', { parts }, signal),
  );
  return (
    <Card title={text.build} hint={text.buildHint}>
      <div className="stack">
        <SelectField
          label={text.what}
          value={kind}
          onValue={(value) => setKind(kinds.find((one) => one === value) ?? 'URN_KIND_ASR_MODEL')}
          options={kinds.map((value) => ({ value, label: t.urnKinds[value] }))}
        />
        {isDialog ? null : (
          <SelectField
            label={text.language}
            value={language}
            onValue={setLanguage}
            options={languages.map((value) => ({ value, label: value }))}
          />
        )}
        {isWordset ? (
          <>
            <TextField label={text.wordset} value={wordset} onValue={setWordset} spellCheck={false} />
            <SelectField label={text.usedBy} value={service} onValue={setService} options={services} />
          </>
        ) : null}
        {isReady ? (
          <Loaded query={built} what={text.building}>
            {({ urn = '' }) => <Copy text={urn} label="URN" wrap />}
          </Loaded>
        ) : (
          <p className="soft small">{text.needsName}</p>
        )}
      </div>
    </Card>
  );
}

function Parse(): ReactNode {
  const [urn, setUrn] = useState('');
  const [answer, setAnswer] = useState<AnswerOf<'ParseUrn'>>();
  const parse = useAction(async () => setAnswer(await call('ParseUrn', { urn: urn.trim() })));
  const { kind, contextTag, language, wordsetName, service } = answer?.parts ?? {};
  return (
    <Card title={text.parse} hint={text.parseHint}>
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
            {text.parseAction}
          </Button>
        </div>
        {parse.error ? <ErrorNotice error={parse.error} /> : null}
        <div role="status">
          {answer?.valid ? (
            <Facts
              items={[
                [text.what, t.urnKinds[kind ?? 'URN_KIND_UNSPECIFIED']],
                [text.contextTag, <code key="tag">{contextTag || shell.none}</code>],
                ...(language ? [[text.language, language] as const] : []),
                ...(wordsetName ? [[text.wordset, wordsetName] as const] : []),
                ...(service ? [[text.usedBy, service] as const] : []),
              ]}
            />
          ) : answer ? (
            <Notice tone="warn" title={text.invalid}>
              <span>{answer.error}</span>
            </Notice>
          ) : null}
        </div>
      </form>
    </Card>
  );
}
