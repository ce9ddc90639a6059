// Files given for a voiceprint, each with its outcome: a refused one is named, with the reason.
import type { ReactNode } from 'react';
import { Badge } from '../../kit/layout.js';
import { Table } from '../../kit/table.js';
import { t as shell } from '../../text/shell.js';
import { t } from '../../text/voice.js';
import { distinctNames } from './distinct-names.js';

const text = t.enroll;

export interface AddedFile {
  name: string;
  /** ID of the processed audio; undefined if it was refused. */
  processed?: string | undefined;
  reason: string;
  /** From an earlier round: shown only with its recording. */
  isPast?: boolean;
  /** For support, if the server refused it. */
  requestId?: string | undefined;
}

export function AddedFiles({ files: all }: { files: readonly AddedFile[] }): ReactNode {
  const files = all.filter(({ isPast }) => !isPast);
  if (files.length === 0) return null;
  const names = distinctNames(files.map(({ name }) => name));
  return (
    <Table
      caption={text.files}
      rows={files}
      rowKey={(row) => `${row.name} ${String(files.indexOf(row))}`}
      columns={[
        { label: t.result.file, cell: (row) => <span translate="no">{names[files.indexOf(row)]}</span> },
        {
          label: text.fileResult,
          cell: ({ processed }) => (
            <Badge tone={processed ? 'good' : 'warn'}>{processed ? text.fileUsed : text.fileRefused}</Badge>
          ),
        },
        {
          label: t.result.reason,
          cell: ({ reason, requestId }) => (
            <>
              {reason}
              {requestId ? <div className="small soft">{shell.requestId(requestId)}</div> : null}
            </>
          ),
        },
      ]}
    />
  );
}
