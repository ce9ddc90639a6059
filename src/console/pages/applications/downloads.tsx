// config.json and the parameter blocks of an environment, to view, copy and download.
import { useState, type ReactNode } from 'react';
import type { EnvironmentJson } from '../../../gen/voxgate/management/v1/applications_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Copy, downloadFile } from '../../kit/copy.js';
import { SelectField } from '../../kit/field.js';
import { Icon } from '../../kit/icons.js';
import { Loaded } from '../../kit/notice.js';
import { t } from '../../text/applications.js';
import { languages } from './languages.js';

const text = t.downloads;

/** The last: the scope that it is for. */
const files = [
  ['config.json', 'configJson', ''],
  ['asr_params.json', 'asrParams', 'asr'],
  ['nlu_params.json', 'nluParams', 'nlu'],
  ['dlg_params.json', 'dlgParams', 'dlg'],
] as const;

const services = ['asr', 'nlu', 'tts', 'dlg'] as const;

/** The settings of the services without an address; they are the same for every client. */
function unsetEndpoints(configJson = '[]'): string[] {
  const [entry] = JSON.parse(configJson) as Record<string, unknown>[];
  return services.filter((each) => entry?.[`${each}_endpoint`] === '').map((each) => `endpoints.${each}`);
}

export function Downloads({
  environment,
  scopes,
}: {
  environment: EnvironmentJson;
  /** Of its clients. */
  scopes: readonly string[];
}): ReactNode {
  const { geographies = [], appId } = environment;
  const [geography, setGeography] = useState(geographies[0] ?? '');
  const [language, setLanguage] = useState('eng-USA');
  const blocks = useQuery(`config ${appId ?? ''} ${geography} ${language}`, (signal) =>
    call('GetClientConfig', { appId, geography, language }, signal),
  );
  const offered = files.filter(([, , scope]) => scope === '' || scopes.includes(scope));
  return (
    <div className="stack">
      <div className="grid">
        <SelectField
          label={text.geography}
          value={geography}
          onValue={setGeography}
          options={geographies.map((value) => ({ value, label: value }))}
        />
        {offered.length > 1 ? (
          <SelectField
            label={text.language}
            value={language}
            onValue={setLanguage}
            options={languages.map((value) => ({ value, label: value }))}
          />
        ) : null}
      </div>
      <Loaded query={blocks}>
        {(loaded) => (
          <div className="stack" data-loose>
            {offered.map(([file, member]) => (
              <section key={file} className="stack" data-tight aria-label={file}>
                <div className="row">
                  <h2>{file}</h2>
                  <span className="soft small">{text.hints[file]}</span>
                  <Button size="small" onClick={() => downloadFile(file, loaded[member] ?? '')}>
                    <Icon name="download" size={14} /> {text.download(file)}
                  </Button>
                </div>
                <Copy text={loaded[member] ?? ''} label={file} block />
                {member === 'configJson' ? <Unset settings={unsetEndpoints(loaded.configJson)} /> : null}
              </section>
            ))}
          </div>
        )}
      </Loaded>
    </div>
  );
}

function Unset({ settings }: { settings: readonly string[] }): ReactNode {
  return settings.length === 0 ? null : <p className="soft small">{text.unset(settings.join(', '))}</p>;
}
