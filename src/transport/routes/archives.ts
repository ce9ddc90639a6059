// Archives of what is held about a person, made while they are read. Each tenant has its own places, and one whose reader takes nothing any
// more loses its place.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { signedPath } from '../../biometrics/media/signed-urls.js';
import { AppError } from '../../errors.js';
import { Slots } from '../limits/slots.js';

export interface ById {
  Params: { id: string };
}

interface Archive {
  gkScopeId: string;
  bytes(): AsyncIterable<Uint8Array>;
}

const archiveLimits = { perTenant: 4, stuckMs: 120_000 };

export function registerArchives(
  http: FastifyInstance,
  open: (request: FastifyRequest<ById>) => Archive,
  { perTenant, stuckMs }: typeof archiveLimits = archiveLimits,
): void {
  const slots = new Slots(perTenant);
  http.get<ById>(`${signedPath('personal-data')}/:id`, async (request, reply) => {
    const { gkScopeId, bytes } = open(request);
    if (!slots.enter(gkScopeId))
      throw new AppError('BUSY', 'too many archives are being read: try again later');
    reply.raw.on('close', () => slots.leave(gkScopeId));
    // Of the socket: it ends if nothing has gone out for so long.
    reply.raw.setTimeout(stuckMs);
    return reply
      .type('application/zip')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="personal-data-${request.params.id}.zip"`)
      .send(Readable.from(bytes()));
  });
}
