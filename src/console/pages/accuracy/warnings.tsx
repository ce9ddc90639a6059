// The server's warnings against relying on a result.
import type { ReactNode } from 'react';
import { sentence } from '../../format/sentence.js';
import { FromServer } from '../../kit/from-server.js';
import { Notice } from '../../kit/notice.js';
import { warningWords } from './server-words.js';

interface WarningsProps {
  of: readonly string[] | undefined;
  /** Formats a warning that is not shown in the server's words. */
  written?: (warning: string) => ReactNode | undefined;
}

export function Warnings({ of: warnings = [], written }: WarningsProps): ReactNode {
  return warnings.map((warning) => (
    <Notice key={warning} tone="warn">
      {written?.(warning) ?? <ServerWords said={warning} />}
    </Notice>
  ));
}

export function ServerWords({ said }: { said: string }): ReactNode {
  return warningWords(said) ?? <FromServer>{sentence(said)}</FromServer>;
}
