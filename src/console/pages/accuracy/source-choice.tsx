// The choice of a source: the tenant's own voices, or a list of trials from a file.
import { useRef, type ReactNode } from 'react';
import { asApiError } from '../../api/errors.js';
import { Button } from '../../kit/button.js';
import { useFileDrop } from '../../kit/file-drop.js';
import { fill } from '../../kit/fill.js';
import { ErrorNotice } from '../../kit/notice.js';
import { t } from '../../text/accuracy.js';
import type { Source } from './rates.js';
import { parseTrialList } from './trials.js';

const text = t.source;

export function SourceChoice({
  source,
  onSource,
}: {
  source: Source;
  onSource: (source: Source) => void;
}): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    try {
      const list = parseTrialList(await file.text());
      onSource({ kind: 'trials', name: file.name, text: list.text, count: list.targets + list.nontargets });
    } catch (thrown) {
      onSource({ kind: 'unreadable', name: file.name, error: asApiError(thrown) });
    }
  };
  const drop = useFileDrop(([file]) => void take(file));
  return (
    <div className="stack" {...drop}>
      <div className="row">
        <Button
          kind={source.kind === 'own' ? 'primary' : 'plain'}
          aria-pressed={source.kind === 'own'}
          onClick={() => onSource({ kind: 'own' })}
        >
          {text.own}
        </Button>
        <Button
          kind={source.kind === 'own' ? 'plain' : 'primary'}
          aria-pressed={source.kind !== 'own'}
          onClick={() => input.current?.click()}
        >
          {source.kind === 'own' ? text.trials : text.chosen(source.name)}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".csv,.txt,text/csv,text/plain"
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
      <p className="small soft">
        {fill(text.hint, { target: <code>3.2,target</code>, nontarget: <code>-1.7,nontarget</code> })}
      </p>
      {source.kind === 'unreadable' ? (
        <ErrorNotice error={source.error} title={text.unreadable(source.name)} />
      ) : null}
    </div>
  );
}
