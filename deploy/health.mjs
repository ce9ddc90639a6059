// The health check of the image: whether this container is ready. There is no shell and no curl in it.
const port = process.env.VOXGATE_HTTP_ADDRESS?.split(':').at(-1) ?? '8080';
const scheme = process.env.VOXGATE_TLS_CERT ? 'https' : 'http';
// To ourselves: the name in the certificate is not this one.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
const answer = await fetch(`${scheme}://127.0.0.1:${port}/readyz`, {
  signal: AbortSignal.timeout(2500),
}).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
