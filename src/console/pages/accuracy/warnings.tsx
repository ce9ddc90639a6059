// What the server says against relying on a result.
import type { ReactNode } from 'react';
import { sentence } from '../../format/sentence.js';
import { FromServer } from '../../kit/from-server.js';
import { Notice } from '../../kit/notice.js';
import { warningWords } from './server-words.js';

export function Warnings({ of: warnings = [] }: { of: readonly string[] | undefined }): ReactNode {
  return warnings.map((warning) => (
    <Notice key={warning} tone="warn">
      <ServerWords said={warning} />
    </Notice>
  ));
}

export function ServerWords({ said }: { said: string }): ReactNode {
  return warningWords(said) ?? <FromServer>{sentence(said)}</FromServer>;
}
