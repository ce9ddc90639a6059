// config.json and the parameter blocks of an environment, to look at, copy and download.
import { useState, type ReactNode } from 'react';
import { get } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Copy, downloadFile } from '../../kit/copy.js';
import { SelectField } from '../../kit/field.js';
import { Icon } from '../../kit/icons.js';
import { Loaded } from '../../kit/notice.js';
import { environmentPath, type Environment } from './model.js';

interface Blocks {
  configJson?: string;
  asrParams?: string;
  nluParams?: string;
  dlgParams?: string;
}

const files = [
  ['config.json', 'configJson', 'One entry for each client. Fill in the secret.'],
  ['asr_params.json', 'asrParams', 'Recognition resources.'],
  ['nlu_params.json', 'nluParams', 'Interpretation resources.'],
  ['dlg_params.json', 'dlgParams', 'Dialog resource.'],
] as const;

export const languages = [
  'eng-USA',
  'eng-GBR',
  'deu-DEU',
  'fra-FRA',
  'spa-ESP',
  'spa-USA',
  'ita-ITA',
  'por-BRA',
  'nld-NLD',
  'jpn-JPN',
];

export function Downloads({ environment }: { environment: Environment }): ReactNode {
  const geographies = environment.geographies ?? [];
  const [geography, setGeography] = useState(geographies[0] ?? '');
  const [language, setLanguage] = useState('eng-USA');
  const blocks = useQuery(`config ${environment.appId} ${geography} ${language}`, (signal) =>
    get<Blocks>(`${environmentPath(environment.appId)}/config`, { geography, language }, signal),
  );
  return (
    <div className="stack">
      <div className="grid">
        <SelectField
          label="Geography"
          value={geography}
          onValue={setGeography}
          options={geographies.map((value) => ({ value, label: value }))}
        />
        <SelectField
          label="Language of the models"
          value={language}
          onValue={setLanguage}
          options={languages.map((value) => ({ value, label: value }))}
        />
      </div>
      <Loaded query={blocks}>
        {(loaded) => (
          <div className="stack" data-loose>
            {files.map(([file, member, hint]) => (
              <section key={file} className="stack" data-tight aria-label={file}>
                <div className="row">
                  <h3>{file}</h3>
                  <span className="soft small">{hint}</span>
                  <Button size="small" onClick={() => downloadFile(file, loaded[member] ?? '')}>
                    <Icon name="download" size={14} /> Download {file}
                  </Button>
                </div>
                <Copy text={loaded[member] ?? ''} label={file} block />
              </section>
            ))}
          </div>
        )}
      </Loaded>
    </div>
  );
}
