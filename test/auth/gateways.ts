// Traefik (ForwardAuth) and Envoy (ext_authz over HTTP) as far as they ask whether a request may pass, configured as in
// docs/guides/forward-auth.md: which headers of the caller reach the question, and which the gateway writes itself. This follows
// their documentation.
import { createServer, request as ask, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Question {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

const questions = {
  /** All headers of the caller, but for those that Traefik writes because trustForwardHeader is off. Always GET. */
  traefik: ({ method = '', url = '', headers, socket }: IncomingMessage): Question => {
    const { connection: _, 'content-length': _length, 'transfer-encoding': _encoding, ...rest } = headers;
    return {
      method: 'GET',
      path: '/oauth2/forward-auth?scope=asr',
      headers: {
        ...rest,
        host: undefined,
        'x-forwarded-for': socket.remoteAddress,
        'x-forwarded-method': method,
        'x-forwarded-proto': 'http',
        'x-forwarded-host': headers.host,
        'x-forwarded-uri': url,
      },
    };
  },
  /** Method, host and path of the caller, the allowed headers, and headers_to_add, which win. */
  envoy: ({ method = '', url = '', headers }: IncomingMessage): Question => ({
    method,
    path: `/oauth2/forward-auth${url}`,
    headers: {
      host: headers.host,
      authorization: headers.authorization,
      dpop: headers['dpop'],
      'content-length': '0',
      'x-required-scope': 'asr',
      'x-forwarded-proto': 'http',
    },
  }),
};

/** Answers 200 for what may pass, and otherwise as it was told. */
export async function startGateway(
  kind: keyof typeof questions,
  server: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { hostname, port } = new URL(server);
  const gateway = createServer((request, response) => {
    request.resume();
    const { headers, ...question } = questions[kind](request);
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    ask({ hostname, port, ...question, headers: given }, (answer) => {
      answer.resume();
      response.writeHead(answer.statusCode ?? 502).end();
    }).end();
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        gateway.closeAllConnections();
        gateway.close(() => resolve());
      }),
  };
}
