// The server's warnings against relying on a result.
import type { ReactNode } from 'react';
import type { LocalizedMessageJson } from '../../../gen/vendor/rpc/status_pb.js';
import { Notice } from '../../kit/notice.js';
import { warningWords } from './warning-words.js';

interface WarningsProps {
  of: readonly LocalizedMessageJson[] | undefined;
  /** Writes the name of a group as the table does. */
  groupWords?: (group: string) => string;
}

export function Warnings({ of: warnings = [], groupWords }: WarningsProps): ReactNode {
  return warnings.map((warning) => (
    <Notice key={warning.message} tone="warn">
      {warningWords(warning, groupWords)}
    </Notice>
  ));
}
