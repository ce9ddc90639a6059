// The console: static files built beforehand, at / and below /console/, with a policy that lets the page talk
// to this origin only. Nothing else of the server's paths is touched.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../../errors.js';
import { encodingFor, type Encoding } from '../encodings.js';
import { flatError } from '../refusal.js';

const BASE = '/console';
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
};

/** Recordings are played from blobs; everything else comes from this origin. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface ConsoleDeps {
  /** Folder with index.html and its assets. */
  folder: string;
}

export function registerConsoleRoutes(http: FastifyInstance, deps: ConsoleDeps): void {
  const sendPage = async (reply: FastifyReply): Promise<FastifyReply> => {
    const page = await readFile(join(deps.folder, 'index.html')).catch(() => undefined);
    if (!page) throw new AppError('NOT_FOUND', 'the console is not built; run: npm run build');
    return guard(reply).type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  };

  const sendAsset = async (reply: FastifyReply, name: string): Promise<FastifyReply> => {
    const file = normalize(join(deps.folder, 'assets', name));
    const type = types[extname(file)];
    const inside = file.startsWith(join(deps.folder, 'assets') + sep);
    const found = inside && type !== undefined ? await stat(file).catch(() => undefined) : undefined;
    // Never the page in place of a file: a missing script must fail as one.
    if (!found?.isFile() || type === undefined) return reply.code(404).send(flatError(404, 'no such file'));
    // The policy belongs to the page; a script or a style has none of its own.
    void reply.type(type).header('cache-control', 'public, max-age=31536000, immutable');
    return sendFile(reply, file, found.size);
  };

  /** Also for pages of other origins: that is what it is for. */
  http.get('/widget/voxgate-call.js', async (_request, reply) => {
    const file = join(deps.folder, 'widget', 'voxgate-call.js');
    const found = await stat(file).catch(() => undefined);
    if (!found) return reply.code(404).send(flatError(404, 'the widget is not built; run: npm run build'));
    void reply
      .type(types['.js'] ?? '')
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'public, max-age=300');
    return sendFile(reply, file, found.size);
  });
  /** Beside the files that it shares with the console; the API page itself is at /docs. */
  http.get(`${BASE}/docs/docs.js`, async (_request, reply) => {
    const file = join(deps.folder, 'docs', 'docs.js');
    const found = await stat(file).catch(() => undefined);
    if (!found) return reply.code(404).send(flatError(404, 'no such file'));
    guard(reply)
      .type(types['.js'] ?? '')
      .header('cache-control', 'no-cache');
    return sendFile(reply, file, found.size);
  });
  http.get('/', (_request, reply) => sendPage(reply));
  http.get(BASE, (_request, reply) => sendPage(reply));
  http.get(`${BASE}/*`, (_request, reply) => sendPage(reply));
  http.get<{ Params: { '*': string } }>(`${BASE}/assets/*`, (request, reply) =>
    sendAsset(reply, request.params['*']),
  );
}

const endings: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** As it was compressed when the console was built, for callers who take that. */
async function sendFile(reply: FastifyReply, file: string, size: number): Promise<FastifyReply> {
  void reply.header('vary', 'accept-encoding');
  const encoding = encodingFor(reply.request.headers['accept-encoding']);
  const packed = encoding && file + endings[encoding];
  const found = packed && (await stat(packed).catch(() => undefined));
  if (!packed || !found) return reply.header('content-length', size).send(createReadStream(file));
  return reply
    .header('content-encoding', encoding)
    .header('content-length', found.size)
    .send(createReadStream(packed));
}

function guard(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('x-frame-options', 'DENY')
    .header('referrer-policy', 'same-origin')
    .header('permissions-policy', 'microphone=(self), camera=(), geolocation=()');
}
