// Manifests: CSV with a header, JSON lines, and the documents with which two services that ended were fed. Pure: text in, lines out,
// and everything that is wrong with it, by line.
import { idFault, isObject, type FieldFault } from '../errors.js';
import { csvRows, lineBreaksIn, unmarked } from './csv.js';
import { linesByOwner } from './join-lines.js';
import { RECORDINGS_MAX, type BatchLine, type BatchOperation, type Recording } from './lines.js';
import { type Said, say } from '../words/server/say.js';

interface ReadManifest {
  lines: BatchLine[];
  faults: FieldFault[];
}

const LINES_MAX = 100_000;
/** In all lines about one owner: more are a mistake, not a person. */
const RECORDINGS_OF_ONE_MAX = 1000;
const PATH_LENGTH_MAX = 1024;
const CHANNEL_MAX = 8;
/** Faults that are told at once; the rest would be more of the same. */
const FAULTS_MAX = 20;

type Entry = Readonly<Record<string, unknown>>;

interface Placed {
  entry: Entry;
  /** Where it begins, as an editor counts; of a list in one JSON document, its place in the list. */
  line: number;
}

/** Asked every few hundred lines: a large manifest takes a second, in which others may be waiting. */
type Pause = () => Promise<void> | void;

const LINES_PER_SLICE = 256;
/** A line, its list of recordings, and a recording. */
const ENTRY_DEPTH = 3;

export async function readManifest(
  text: string,
  operation: BatchOperation,
  pause: Pause = () => {},
): Promise<ReadManifest> {
  const found = await entriesOf(text, operation, pause);
  if (!Array.isArray(found)) return { lines: [], faults: [wrong(undefined, found)] };
  if (found.length === 0) return { lines: [], faults: [wrong(undefined, say('NO_LINES'))] };
  if (found.length > LINES_MAX)
    return { lines: [], faults: [wrong(undefined, say('TOO_MANY_LINES', { max: LINES_MAX }))] };
  const lines: BatchLine[] = [];
  const faults: FieldFault[] = [];
  for await (const { entry, line: at } of inSlices(found, pause)) {
    const line = lineOf(entry, at, operation);
    lines.push(line);
    if (faults.length < FAULTS_MAX) faults.push(...faultsOf(line, operation));
  }
  const customer = operation === 'REGISTER' && lines.find(({ consent }) => consent !== undefined);
  if (customer) faults.unshift(wrong(customer.line, say('LIST_OF_CUSTOMERS')));
  faults.push(...tooMany(lines, operation));
  return { lines, faults: faults.slice(0, FAULTS_MAX) };
}

async function* inSlices<T>(items: Iterable<T>, pause: Pause): AsyncGenerator<T> {
  let count = 0;
  for (const item of items) {
    yield item;
    if (++count % LINES_PER_SLICE === 0) await pause();
  }
}

/** The first line that says nothing about consent. */
export const silentLine = (lines: readonly BatchLine[]): BatchLine | undefined =>
  lines.find(({ consent }) => consent === undefined);

async function entriesOf(text: string, operation: BatchOperation, pause: Pause): Promise<Placed[] | Said> {
  const plain = text.replace(/^\uFEFF/, '');
  const trimmed = plain.trim();
  const skipped = lineBreaksIn(plain.slice(0, plain.length - plain.trimStart().length));
  if (!/^[{[]/.test(trimmed)) return csvEntries(trimmed, skipped, pause);
  const document = parsed(trimmed);
  const found =
    document === undefined
      ? await jsonLines(trimmed, skipped, pause)
      : documentEntries(document, skipped, operation);
  const entries = !Array.isArray(found) ? found : await withPlainKeys(found, pause);
  return Array.isArray(entries) && saysConsentTwice(trimmed, entries) ? say('CONSENT_TWICE') : entries;
}

/** `Consent` is `consent`, as in CSV: a `no` counts however its key is written. */
async function withPlainKeys(entries: readonly Placed[], pause: Pause): Promise<Placed[] | Said> {
  const plain: Placed[] = [];
  for await (const { entry, line } of inSlices(entries, pause)) {
    const twice = new Set<string>();
    plain.push({ entry: plainKeys(entry, twice) as Entry, line });
    const [key] = twice;
    if (key !== undefined) return say('KEY_TWICE_ON_LINE', { line, key });
  }
  return plain;
}

/** Of an object, and of those in its lists: nothing deeper is read. */
function plainKeys(value: unknown, twice: Set<string>, depth = ENTRY_DEPTH): unknown {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((each) => plainKeys(each, twice, depth - 1));
  if (!isObject(value)) return value;
  const plain = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const key = plainName(name);
    if (plain.has(key)) twice.add(key);
    plain.set(key, plainKeys(member, twice, depth - 1));
  }
  return Object.fromEntries(plain);
}

const plainName = (name: string): string => name.trim().toLowerCase();

/** Parsing keeps the last of two members of one name: a `yes` must not hide a `no`. */
function saysConsentTwice(text: string, entries: readonly Placed[]): boolean {
  const said = text.match(/(?<!\\)"\s*consent\s*"\s*:/gi)?.length ?? 0;
  return said > entries.filter(({ entry }) => entry['consent'] !== undefined).length;
}

async function jsonLines(text: string, skipped: number, pause: Pause): Promise<Placed[] | Said> {
  const entries: Placed[] = [];
  let line = skipped;
  for await (const each of inSlices(text.split(/\r?\n/), pause)) {
    line++;
    if (each.trim() === '') continue;
    const entry = parsed(each);
    if (!isObject(entry)) return say('LINE_NOT_AN_OBJECT', { line });
    entries.push({ entry, line });
  }
  return entries;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What Amazon Connect Voice ID and Azure Speaker Recognition called their lists, and what is done with them. */
const lists: readonly { name: string; only?: BatchOperation }[] = [
  { name: 'SpeakerEnrollmentRequests', only: 'ENROLL' },
  { name: 'FraudsterRegistrationRequests', only: 'REGISTER' },
  { name: 'profiles' },
];

/** A list, one object, or one of the lists with a name. */
function documentEntries(document: unknown, skipped: number, operation: BatchOperation): Placed[] | Said {
  const listed = (entries: readonly Entry[]): Placed[] =>
    entries.map((entry, at) => ({ entry, line: at + 1 }));
  if (Array.isArray(document)) return document.every(isObject) ? listed(document) : say('NOT_A_LIST');
  if (!isObject(document)) return say('NO_OBJECTS');
  for (const { name, only } of lists) {
    const [list, another] = Object.keys(document).filter((key) => plainName(key) === name.toLowerCase());
    if (list === undefined) continue;
    if (another !== undefined) return say('KEY_TWICE', { key: name });
    // Customers must not become fraudsters by a slip, nor fraudsters customers.
    if (only !== undefined && only !== operation)
      return say(only === 'ENROLL' ? 'FOR_ENROLLING' : 'FOR_REGISTERING', { member: name });
    const entries = document[list];
    return Array.isArray(entries) && entries.every(isObject)
      ? listed(entries)
      : say('MEMBER_NOT_A_LIST', { member: name });
  }
  return [{ entry: document, line: skipped + 1 }];
}

/** The first row names the columns. */
async function csvEntries(text: string, skipped: number, pause: Pause): Promise<Placed[] | Said> {
  let names: string[] | undefined;
  const entries: Placed[] = [];
  for await (const row of inSlices(csvRows(text), pause)) {
    if (row === undefined) return say('OPEN_QUOTE');
    const { cells } = row;
    if (names === undefined) {
      names = cells.map(plainName);
      const fault = headerFault(names);
      if (fault !== undefined) return fault;
    } else if (cells.some((cell) => cell.trim() !== '')) {
      const entry = Object.fromEntries(
        names.map((name, column) => [name, unmarked(cells[column]?.trim() ?? '')]),
      );
      entries.push({ entry, line: skipped + row.line });
    }
  }
  return entries;
}

function headerFault(names: readonly string[]): Said | undefined {
  if (!names.some((name) => knownColumns.has(name)))
    return names.join().includes(';') ? say('COLUMNS_NOT_BY_COMMAS') : say('NO_COLUMNS');
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) < at);
  return twice === undefined ? undefined : say('COLUMN_TWICE', { column: twice });
}

const knownColumns = new Set([
  'speaker_id',
  'person_id',
  'fraudster_id',
  'file',
  'files',
  'folder',
  'media',
  's3_uri',
]);

/** All names in lower case, as both kinds of manifests have them by now. */
const ownerNames = [
  'speaker_id',
  'person_id',
  'fraudster_id',
  'speakerid',
  'customerspeakerid',
  'profileid',
] as const;

function lineOf(entry: Entry, line: number, operation: BatchOperation): BatchLine {
  const owner = textOf(entry, ...ownerNames);
  const requestId = textOf(entry, 'request_id', 'requestid');
  const consent = consentOf(entry['consent']);
  return {
    line,
    requestId,
    // A fraudster of Voice ID has no ID of the caller's; the request's is the only one that they know.
    ownerId: owner || (operation === 'REGISTER' && entry['audiospecifications'] ? requestId : ''),
    ...(consent !== undefined && { consent }),
    recordings: recordingsOf(entry),
  };
}

function textOf(entry: Entry, ...names: readonly string[]): string {
  for (const name of names) {
    const value = entry[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return '';
}

/** Undefined where nothing was said; false for anything that is not clearly a yes. */
function consentOf(value: unknown): boolean | undefined {
  if (value === undefined) return undefined;
  return value === true || (typeof value === 'string' && /^(true|yes|y|1)$/i.test(value.trim()));
}

function recordingsOf(entry: Entry): Recording[] {
  const amazon = entry['audiospecifications'];
  if (Array.isArray(amazon)) return amazon.map(amazonRecording);
  const listed = entry['recordings'];
  if (Array.isArray(listed)) return listed.map((each) => (isObject(each) ? recordingOf(each) : {}));
  const inList = entry['files'];
  if (Array.isArray(inList)) return inList.map((file: unknown) => recordingOf({ ...entry, file }));
  const files = textOf(entry, 'files');
  if (files !== '') return files.split('|').map((file) => recordingOf({ ...entry, file: file.trim() }));
  const own = recordingOf(entry);
  const isNamed = Object.keys(own).some((name) => name !== 'channel');
  // A profile of Azure names no recordings: they lie in a folder of its name.
  if (!isNamed && typeof entry['profileid'] === 'string') return [{ folder: entry['profileid'] }];
  return isNamed ? [own] : [];
}

function recordingOf(entry: Entry): Recording {
  const places: Recording = {
    gkMediaSegmentId: textOf(entry, 'media'),
    file: textOf(entry, 'file'),
    s3Uri: textOf(entry, 's3_uri'),
    folder: textOf(entry, 'folder'),
    upload: textOf(entry, 'upload'),
  };
  const named = Object.entries(places).find(([, where]) => where !== '');
  const channel = textOf(entry, 'channel');
  const fileName = places.gkMediaSegmentId ? textOf(entry, 'file_name') : '';
  return {
    ...(named && { [named[0]]: named[1] as string }),
    ...(fileName !== '' && { fileName }),
    ...(channel !== '' && { channel: Number(channel) }),
  };
}

/** Voice ID counts channels from 0. */
function amazonRecording(each: unknown): Recording {
  if (!isObject(each)) return {};
  const s3Uri = textOf(each, 's3uri');
  const channel = textOf(each, 'channelid');
  return { ...(s3Uri !== '' && { s3Uri }), ...(channel !== '' && { channel: Number(channel) + 1 }) };
}

function faultsOf({ line, ownerId, recordings }: BatchLine, operation: BatchOperation): FieldFault[] {
  const faults: FieldFault[] = [];
  const owner = operation === 'CHECK' && ownerId === '' ? undefined : idFault('manifest', ownerId);
  if (owner)
    faults.push(wrong(line, say(operation === 'REGISTER' ? 'FRAUDSTER_ID' : 'SPEAKER_ID', { fault: owner })));
  const most = operation === 'CHECK' ? 1 : RECORDINGS_MAX;
  if (recordings.length === 0) faults.push(wrong(line, say('NO_RECORDING')));
  if (recordings.length > most) faults.push(wrong(line, say('TOO_MANY_RECORDINGS', { max: most })));
  for (const { channel, fileName = '', ...place } of recordings) {
    const [where = ''] = Object.values(place);
    if (where === '') faults.push(wrong(line, say('RECORDING_WITHOUT_PLACE')));
    if (where.length > PATH_LENGTH_MAX)
      faults.push(wrong(line, say('RECORDING_NAME_TOO_LONG', { max: PATH_LENGTH_MAX })));
    if (fileName.length > PATH_LENGTH_MAX)
      faults.push(wrong(line, say('FILE_NAME_TOO_LONG', { max: PATH_LENGTH_MAX })));
    if (channel !== undefined && !(Number.isInteger(channel) && channel >= 1 && channel <= CHANNEL_MAX))
      faults.push(wrong(line, say('CHANNEL_OF_LINE', { max: CHANNEL_MAX })));
  }
  return faults;
}

function tooMany(lines: readonly BatchLine[], operation: BatchOperation): FieldFault[] {
  if (operation === 'CHECK') return [];
  return [...linesByOwner(lines).values()].flatMap(([first, ...others]) => {
    const recordings = others.reduce((sum, line) => sum + line.recordings.length, 0);
    if (!first || first.ownerId === '' || recordings < RECORDINGS_OF_ONE_MAX) return [];
    const what = say('TOO_MANY_ABOUT_ONE', { lines: others.length, max: RECORDINGS_OF_ONE_MAX });
    return [wrong(first.line, what)];
  });
}

/** `line`: undefined of the whole manifest. */
const wrong = (line: number | undefined, fault: Said): FieldFault => ({
  field: 'manifest',
  violation: 'INVALID_FORMAT',
  ...(line === undefined ? fault : say('ON_LINE', { line, fault })),
});
