// The signed addresses: media bytes in and out, and job reports. No bearer token here, the signature is the
// permission (docs/reference/voiceprint-management.md#media).
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { configsetSchema } from '../../biometrics/configsets/schema.js';
import { readPersonalData, type ExportDeps } from '../../biometrics/jobs/export-person.js';
import { readReport } from '../../biometrics/jobs/profiles-status.js';
import { receiveCalibration } from '../../biometrics/calibration/tuning.js';
import { playMedia } from '../../biometrics/media/play-media.js';
import { receiveUpload } from '../../biometrics/media/receive-upload.js';
import type { EngineDeps } from '../../biometrics/ports/deps.js';
import { signedPath } from '../../biometrics/media/signed-urls.js';
import { notFound } from '../../errors.js';
import { registerArchives, type ById } from './archives.js';

/** How much of a body that was refused is read on, so that its caller sees the answer and keeps the connection. */
const UNWANTED_BYTES_MAX = 16 * 1024 * 1024;

export function registerMediaRoutes(http: FastifyInstance, deps: EngineDeps & ExportDeps): void {
  registerArchives(http, (request) => {
    const { id } = request.params;
    const parameters = deps.urls.check('personal-data', id, queryOf(request));
    return {
      gkScopeId: parameters.get('scope') ?? '',
      bytes: () => readPersonalData(deps, id, parameters),
    };
  });
  http.register(async (scope) => {
    // Whatever the type says, the body is bytes to be streamed; its size is bounded by the blob store.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    scope.put<ById>(`${signedPath('upload')}/:id`, async (request, reply) => {
      deps.urls.check('upload', request.params.id, queryOf(request));
      const closed = new AbortController();
      request.raw.on('aborted', () => closed.abort());
      const facts = await receiveBody(request, reply, (body) =>
        receiveUpload(deps, request.params.id, body, closed.signal),
      );
      return reply.code(201).send({ size_bytes: facts.sizeBytes, sha256: facts.sha256 });
    });

    scope.put<ById>(`${signedPath('calibration-upload')}/:id`, async (request, reply) => {
      deps.urls.check('calibration-upload', request.params.id, queryOf(request));
      await receiveBody(request, reply, (body) => receiveCalibration(deps, request.params.id, body));
      return reply.code(201).send({});
    });
  });

  http.get('/schema/configset-1.json', (_request, reply) =>
    reply.type('application/schema+json').send(configsetSchema()),
  );

  http.get<ById>(`${signedPath('download')}/:id`, async (request, reply) => {
    const parameters = deps.urls.check('download', request.params.id, queryOf(request));
    const closed = new AbortController();
    reply.raw.on('close', () => closed.abort());
    const { sizeBytes, bytes } = await playMedia(deps, request.params.id, parameters, closed.signal);
    return reply
      .type('audio/wav')
      .header('cache-control', 'no-store')
      .header('content-length', sizeBytes)
      .send(Readable.from(bytes, { objectMode: false }));
  });

  http.get<ById>(`${signedPath('calibration-download')}/:id`, async (request, reply) => {
    deps.urls.check('calibration-download', request.params.id, queryOf(request));
    const revision = await deps.store.read.calibrations.findAnywhere(request.params.id);
    if (!revision) throw notFound('calibration model revision');
    return reply.type('application/json').header('cache-control', 'no-store').send(revision.content);
  });

  http.get<ById>(`${signedPath('report')}/:id`, async (request, reply) => {
    const parameters = deps.urls.check('report', request.params.id, queryOf(request));
    return reply
      .type('application/zip')
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="voiceprint-profiles.zip"')
      .send(Readable.from(readReport(deps, request.params.id, parameters)));
  });
}

/**
 * Hands over the body. Whoever refuses it in the middle leaves the rest of it on the connection, where the next request
 * would wait behind it: that rest is thrown away, and where it is long, the connection ends with the answer.
 */
async function receiveBody<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  receive: (body: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const body = (request.body as Readable | undefined) ?? Readable.from([]);
  try {
    // Left open by whoever stops reading: a body that was closed cannot be read to its end any more.
    return await receive(body.iterator({ destroyOnReturn: false }));
  } catch (error) {
    if (!(await isReadToEnd(body))) void reply.header('connection', 'close');
    throw error;
  }
}

async function isReadToEnd(body: Readable): Promise<boolean> {
  let bytes = 0;
  try {
    for await (const piece of body.iterator({ destroyOnReturn: false })) {
      bytes += (piece as Uint8Array).length;
      if (bytes > UNWANTED_BYTES_MAX) return false;
    }
    return true;
  } catch {
    // The caller has gone.
    return false;
  }
}

function queryOf(request: FastifyRequest): URLSearchParams {
  const mark = request.url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : request.url.slice(mark + 1));
}
