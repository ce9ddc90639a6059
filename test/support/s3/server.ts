// An S3 store for tests, in memory: the operations that blobs need with the rules that matter (signatures, conditional
// writes, parts of at least 5 MiB, pages), and faults on demand. docs/adr/0051-media-on-s3.md says why it is ours.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signatureFault } from './signature.js';

export interface StoredObject {
  body: Buffer;
  etag: string;
  modifiedAtMs: number;
  metadata: Record<string, string>;
}

/** `drop`: cut before anything is done; `lose`: do it, but cut instead of answering; `half`: cut in the middle of a body. */
export type Fault = 'drop' | 'lose' | 'half' | 'slow down';

export interface S3Server {
  endpoint: string;
  bucket: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  objects: Map<string, StoredObject>;
  uploads: Map<string, Upload>;
  /** Told of every request as `PUT name`, `POST name?uploads`; answers what goes wrong with it. */
  onRequest: (request: string) => Fault | undefined;
  requests: string[];
  /** As stores do that do not know conditional writes. */
  ignoresConditions: boolean;
  stop(): Promise<void>;
}

interface Upload {
  name: string;
  startedAtMs: number;
  metadata: Record<string, string>;
  parts: Map<number, Buffer>;
}

interface Call {
  method: string;
  name: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

interface Answer {
  status: number;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

const PAGE_NAMES = 7;
const PART_BYTES_MIN = 5 * 1024 * 1024;

export async function startS3(bucket = 'recordings'): Promise<S3Server> {
  const http = createServer((request, response) => void serve(state, request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const state: S3Server = {
    endpoint: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    bucket,
    credentials: { accessKeyId: 'TESTKEY', secretAccessKey: 'test secret' },
    objects: new Map(),
    uploads: new Map(),
    onRequest: () => undefined,
    requests: [],
    ignoresConditions: false,
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return state;
}

async function serve(state: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces);
  const url = new URL(request.url ?? '/', state.endpoint);
  const [, bucket = '', ...rest] = url.pathname.split('/');
  const name = decodeURIComponent(rest.join('/'));
  const what = ['uploads', 'uploadId', 'list-type'].find((each) => url.searchParams.has(each));
  const label = `${request.method} ${name}${what === undefined ? '' : `?${what}`}`;
  state.requests.push(label);
  const fault = state.onRequest(label);
  if (fault === 'drop') return void request.socket.destroy();
  const wrong = signatureFault(request, url, body, state.credentials);
  const call: Call = {
    method: request.method ?? '',
    name,
    query: url.searchParams,
    headers: request.headers,
    body,
  };
  const answer =
    fault === 'slow down'
      ? refusal(503, 'SlowDown')
      : wrong !== undefined
        ? refusal(403, wrong)
        : bucket !== state.bucket
          ? refusal(404, 'NoSuchBucket')
          : answerTo(state, call);
  if (fault === 'lose') return void request.socket.destroy();
  const content = Buffer.from(answer.body ?? '');
  response.writeHead(answer.status, { 'content-length': content.byteLength, ...answer.headers });
  if (request.method === 'HEAD') return void response.end();
  if (fault !== 'half') return void response.end(content);
  response.write(content.subarray(0, content.byteLength >> 1), () => request.socket.destroy());
}

function answerTo(state: S3Server, call: Call): Answer {
  const { method, name, query } = call;
  const uploadId = query.get('uploadId');
  if (name === '') return query.has('uploads') ? listUploads(state, query) : listObjects(state, query);
  if (method === 'POST' && query.has('uploads')) return beginUpload(state, call);
  if (uploadId !== null) return withUpload(state, call, uploadId);
  if (method === 'PUT') return putObject(state, call, call.body, metadataOf(call));
  if (method === 'DELETE') {
    state.objects.delete(name);
    return { status: 204 };
  }
  return method === 'GET' || method === 'HEAD' ? getObject(state, call) : refusal(405, 'MethodNotAllowed');
}

function putObject(
  state: S3Server,
  { name, headers }: Call,
  body: Buffer,
  metadata: Record<string, string>,
): Answer {
  if (headers['if-none-match'] === '*' && state.objects.has(name) && !state.ignoresConditions)
    return refusal(412, 'PreconditionFailed');
  const etag = etagOf(body);
  state.objects.set(name, { body, etag, modifiedAtMs: Date.now(), metadata });
  return { status: 200, headers: { etag } };
}

function getObject(state: S3Server, { name, headers }: Call): Answer {
  const found = state.objects.get(name);
  if (!found) return refusal(404, 'NoSuchKey');
  if (headers['if-match'] !== undefined && headers['if-match'] !== found.etag)
    return refusal(412, 'PreconditionFailed');
  const meta = Object.entries(found.metadata).map(([key, value]) => [`x-amz-meta-${key}`, value]);
  const common = { etag: found.etag, ...(Object.fromEntries(meta) as Record<string, string>) };
  const [, from, to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (from === undefined)
    return {
      status: 200,
      body: found.body,
      headers: { ...common, 'content-length': String(found.body.byteLength) },
    };
  const part = found.body.subarray(Number(from), to === '' ? undefined : Number(to) + 1);
  if (part.byteLength === 0) return refusal(416, 'InvalidRange');
  const last = Number(from) + part.byteLength - 1;
  const range = { 'content-range': `bytes ${from}-${last}/${found.body.byteLength}` };
  return { status: 206, body: part, headers: { ...common, ...range } };
}

function listObjects(state: S3Server, query: URLSearchParams): Answer {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const most = Math.min(PAGE_NAMES, Number(query.get('max-keys') ?? PAGE_NAMES));
  const delimiter = query.get('delimiter');
  const groups = new Map<string, StoredObject | undefined>();
  for (const name of [...state.objects.keys()].filter((each) => each.startsWith(prefix)).sort()) {
    const end = delimiter === null ? -1 : name.indexOf(delimiter, prefix.length);
    if (end < 0) groups.set(name, state.objects.get(name));
    else groups.set(name.slice(0, end + 1), undefined);
  }
  const left = [...groups].filter(([name]) => name > after);
  const page = left.slice(0, most);
  const entries = page.map(([name, object]) =>
    object
      ? `<Contents><Key>${name}</Key><LastModified>${timeOf(object.modifiedAtMs)}</LastModified><Size>${object.body.byteLength}</Size></Contents>`
      : `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`,
  );
  const next =
    left.length > page.length ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : '';
  const isTruncated = `<IsTruncated>${next !== ''}</IsTruncated>`;
  return xml(200, `<ListBucketResult>${isTruncated}${entries.join('')}${next}</ListBucketResult>`);
}

function listUploads(state: S3Server, query: URLSearchParams): Answer {
  const prefix = query.get('prefix') ?? '';
  const entries = [...state.uploads]
    .filter(([, { name }]) => name.startsWith(prefix))
    .map(
      ([id, { name, startedAtMs }]) =>
        `<Upload><Key>${name}</Key><UploadId>${id}</UploadId><Initiated>${timeOf(startedAtMs)}</Initiated></Upload>`,
    );
  const content = `<IsTruncated>false</IsTruncated>${entries.join('')}`;
  return xml(200, `<ListMultipartUploadsResult>${content}</ListMultipartUploadsResult>`);
}

function beginUpload(state: S3Server, call: Call): Answer {
  const id = randomUUID();
  state.uploads.set(id, {
    name: call.name,
    startedAtMs: Date.now(),
    metadata: metadataOf(call),
    parts: new Map(),
  });
  const result = 'InitiateMultipartUploadResult';
  return xml(200, `<${result}><Key>${call.name}</Key><UploadId>${id}</UploadId></${result}>`);
}

function withUpload(state: S3Server, call: Call, uploadId: string): Answer {
  const upload = state.uploads.get(uploadId);
  if (!upload) return refusal(404, 'NoSuchUpload');
  if (call.method === 'PUT') {
    upload.parts.set(Number(call.query.get('partNumber')), call.body);
    return { status: 200, headers: { etag: etagOf(call.body) } };
  }
  if (call.method === 'DELETE') {
    state.uploads.delete(uploadId);
    return { status: 204 };
  }
  const wanted = [...call.body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, n]) =>
    Number(n),
  );
  const parts = wanted.map((number) => upload.parts.get(number));
  if (parts.some((part) => part === undefined)) return refusal(400, 'InvalidPart');
  if (parts.slice(0, -1).some((part) => (part?.byteLength ?? 0) < PART_BYTES_MIN))
    return refusal(400, 'EntityTooSmall');
  const stored = putObject(state, call, Buffer.concat(parts as Buffer[]), upload.metadata);
  if (stored.status !== 200) return stored;
  state.uploads.delete(uploadId);
  const result = 'CompleteMultipartUploadResult';
  return xml(200, `<${result}><Key>${call.name}</Key></${result}>`);
}

function metadataOf({ headers }: Call): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'));
  return Object.fromEntries(own.map(([name, value]) => [name.slice('x-amz-meta-'.length), String(value)]));
}

const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;
const timeOf = (ms: number): string => new Date(ms).toISOString();

function refusal(status: number, code: string): Answer {
  return xml(status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

function xml(status: number, content: string): Answer {
  return {
    status,
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${content}`,
    headers: { 'content-type': 'application/xml' },
  };
}
