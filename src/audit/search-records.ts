// A search in one chain of the trail, newest first, in pages: for the trail of a tenant and for that of the installation.
import { invalidFields } from '../errors.js';
import { recordAsJson } from './export-records.js';
import type { AuditRecord } from './model.js';
import type { AuditReader, AuditSearch } from './ports.js';
import { say } from '../words/server/say.js';

interface SearchInput extends Omit<AuditSearch, 'chain' | 'beforeSeq' | 'limit'> {
  /** 0 takes the default. */
  pageSize: number;
  /** From the page before; empty for the first. */
  pageToken: string;
}

export interface AuditEntryView {
  record: AuditRecord;
  /** Personal parts masked. */
  json: string;
  hash: string;
  prevHash: string;
}

interface AuditPage {
  entries: AuditEntryView[];
  next?: string;
}

const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 1000;
const TEXT_LENGTH_MAX = 256;

export async function searchRecords(
  reader: AuditReader,
  chain: string,
  { pageSize, pageToken, text, ...filters }: SearchInput,
): Promise<AuditPage> {
  if (pageSize < 0)
    throw invalidFields([{ field: 'page_size', violation: 'OUT_OF_RANGE', ...say('NEGATIVE') }]);
  if (text !== undefined && text.length > TEXT_LENGTH_MAX) {
    throw invalidFields([
      { field: 'query', violation: 'TOO_LONG', ...say('TOO_MANY_CHARACTERS', { max: TEXT_LENGTH_MAX }) },
    ]);
  }
  const limit = Math.min(pageSize || PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX);
  const beforeSeq = placeOf(pageToken);
  const words = text?.trim();
  const found = await reader.search({
    ...filters,
    chain,
    limit: limit + 1,
    ...(beforeSeq === undefined ? {} : { beforeSeq }),
    ...(words ? { text: words } : {}),
  });
  const entries: AuditEntryView[] = [];
  for (const { record, hash, prevHash } of found.slice(0, limit))
    entries.push({ record, json: await recordAsJson(reader, record, 'mask'), hash, prevHash });
  const last = entries.at(-1);
  return { entries, ...(found.length > limit && last ? { next: String(last.record.seq) } : {}) };
}

/** The chain has no gaps: the place of the last record is the position. */
function placeOf(token: string): number | undefined {
  if (token === '') return undefined;
  if (/^[1-9]\d{0,14}$/.test(token)) return Number(token);
  throw invalidFields([{ field: 'page_token', violation: 'INVALID_FORMAT', ...say('NOT_OF_THIS_LIST') }]);
}
