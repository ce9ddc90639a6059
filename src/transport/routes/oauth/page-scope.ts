// A scope whose routes people visit with a browser: while the server cannot serve, they read a sentence, not JSON.
import type { FastifyInstance } from 'fastify';
import type { AuthDeps } from '../../../auth/deps.js';
import { registerOAuthScope, send } from './http.js';
import { sendMessagePage } from './pages.js';

const UNAVAILABLE = 503;
const away = {
  title: 'Not available at the moment',
  message: 'This server cannot answer at the moment. Please try again shortly.',
} as const;

export function registerPageScope(
  http: FastifyInstance,
  log: AuthDeps['log'],
  register: (scope: FastifyInstance) => void,
): void {
  registerOAuthScope(http, log, register, (reply, answer) =>
    answer.status === UNAVAILABLE
      ? sendMessagePage(reply.headers(answer.headers), away, { status: UNAVAILABLE })
      : send(reply, answer),
  );
}
