// REST from the contract: routes every google.api.http binding of the registered services to the same
// handlers that gRPC uses. Only translation happens here; the rest is the dispatcher's.
import { create, type Message } from '@bufbuild/protobuf';
import { status as GrpcStatus } from '@grpc/grpc-js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CallAbort } from '../call-abort.js';
import type { Answer, Dispatcher, Incoming, Operation, ReadResult } from '../dispatch.js';
import { ERROR_MAP } from '../error-map.js';
import type { RouteFacts } from '../http-server.js';
import { Refusal, unreadable } from '../refusal.js';
import type { ServiceBinding } from '../service.js';
import { parseBody } from './body.js';
import { httpBindings, type HttpBinding } from './http-rules.js';
import { readObject, readerOf, type ReadContext } from './json-read.js';
import { writeJson } from './json-write.js';
import { parseQuery, setParam } from './params.js';
import { Router, type Captured } from './router.js';

export interface TranscoderOptions {
  jsonDepthMax: number;
}

interface Target {
  operation: Operation;
  binding: HttpBinding;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Lets a REST caller bound its call as a gRPC deadline would. */
const TIMEOUT_HEADER = 'x-request-timeout-ms';

export function registerTranscoder(
  http: FastifyInstance,
  bindings: readonly ServiceBinding[],
  dispatcher: Dispatcher,
  options: TranscoderOptions,
): void {
  const router = new Router<Target>();
  for (const service of bindings) {
    for (const operation of dispatcher.operations(service, 'rest')) {
      if (operation.method.methodKind !== 'unary') continue;
      for (const binding of httpBindings(operation.method))
        router.add(binding.httpMethod, binding.template, { operation, binding });
    }
  }
  // Inside its own scope, so that other routes keep their own body parsers.
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The common type by name, which the server finds faster; then any other type, and none at all.
    for (const type of ['application/json', '*']) {
      scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    }
    const serve = (request: FastifyRequest, reply: FastifyReply): void =>
      serveRest(router, dispatcher, options, request, reply);
    for (const prefix of router.prefixes) {
      for (const url of [`/${prefix}`, `/${prefix}/*`]) {
        scope.route({
          method: [...METHODS],
          url,
          exposeHeadRoute: false,
          config: { countedElsewhere: true } satisfies RouteFacts,
          handler: serve,
        });
      }
    }
  });
}

function serveRest(
  router: Router<Target>,
  dispatcher: Dispatcher,
  options: TranscoderOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const url = request.raw.url as string;
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const match = router.match(request.method, path);
  if (!match.found) throw noRoute(match, request.method, path);
  const { operation, binding } = match.target;
  const query = mark < 0 ? '' : url.slice(mark + 1);
  // Answered through callbacks: one more async function per call would be one more trip through the queue.
  dispatcher
    .unary(operation, new RestIncoming(request, reply, path), () =>
      readRequest(operation, binding, match.captured, query, request.body, options),
    )
    .then((answer) => sendAnswer(operation, answer, reply))
    .catch((thrown: unknown) => reply.send(thrown));
}

/** The call as REST brings it; what only some calls need is computed when asked for. */
class RestIncoming implements Incoming {
  readonly authorization: string | undefined;
  readonly dpop: string | undefined;
  readonly requestId: string;
  readonly method: string;
  readonly deadline: number | undefined;
  readonly abort: CallAbort;

  constructor(
    private readonly request: FastifyRequest,
    reply: FastifyReply,
    private readonly path: string,
  ) {
    const { headers } = request;
    this.authorization = headers.authorization;
    this.dpop = headerText(headers['dpop']);
    this.requestId = request.id;
    this.method = request.method;
    this.deadline = deadlineFrom(headerText(headers[TIMEOUT_HEADER]));
    this.abort = new CallAbort((onGone) => {
      const { raw } = reply;
      if (raw.destroyed) onGone();
      // `close` without a finished answer means that the caller hung up.
      else raw.on('close', () => !raw.writableFinished && onGone());
    });
  }

  get url(): string {
    return `${this.request.protocol}://${this.request.host}${this.path}`;
  }
}

function sendAnswer(operation: Operation, answer: Answer, reply: FastifyReply): void {
  if (answer.error) {
    void reply.code(ERROR_MAP[answer.error.code].http);
    if (answer.error.retryAfterMs !== undefined) {
      void reply.header('retry-after', String(Math.ceil(answer.error.retryAfterMs / 1000)));
    }
  }
  void reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(writeJson(operation.method.output, answer.message));
}

function readRequest(
  operation: Operation,
  binding: HttpBinding,
  captured: readonly Captured[],
  query: string,
  body: unknown,
  options: TranscoderOptions,
): ReadResult {
  const desc = operation.method.input;
  const context: ReadContext = { ignored: [] };
  const bytes = Buffer.isBuffer(body) ? body : undefined;
  let message: Message;
  if (binding.body === '*') {
    message = readObject(desc, parseBody(bytes, options.jsonDepthMax), '', context);
  } else {
    message = create(desc);
    if (binding.body !== undefined) {
      const reader = readerOf(desc).fields.get(binding.body);
      if (!reader) throw new Error(`${desc.typeName} has no field ${binding.body}`);
      reader.set(
        message as never,
        reader.read(parseBody(bytes, options.jsonDepthMax), binding.body, context),
      );
    }
    const parameters = parseQuery(query);
    if (!parameters) throw unreadable('the query is not valid percent-encoded UTF-8');
    for (const [name, values] of parameters) {
      if (!setParam(desc, message, name.split('.'), values, context)) context.ignored.push(name.slice(0, 64));
    }
  }
  // Last, so that the path wins over the body.
  for (const { fieldPath, value } of captured) setParam(desc, message, fieldPath, [value], context);
  return { message, ignored: context.ignored.slice(0, 20) };
}

function noRoute(
  match: Exclude<ReturnType<Router<Target>['match']>, { found: true }>,
  method: string,
  path: string,
): Refusal {
  switch (match.reason) {
    case 'wrong-method': {
      const allowed = match.allowed.join(', ');
      return new Refusal(405, GrpcStatus.UNIMPLEMENTED, `${method} is not allowed here; use ${allowed}`, {
        allow: allowed,
      });
    }
    case 'bad-encoding':
      return unreadable('the path is not valid percent-encoded UTF-8');
    case 'no-path':
      return new Refusal(404, GrpcStatus.UNIMPLEMENTED, `no such path: ${path.slice(0, 200)}`);
  }
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function deadlineFrom(timeoutText: string | undefined): number | undefined {
  if (timeoutText === undefined || !/^\d{1,9}$/.test(timeoutText)) return undefined;
  return Date.now() + Number(timeoutText);
}
