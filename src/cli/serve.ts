// `voxgate serve`: runs the server until it is told to stop.
import type { Command } from 'commander';
import { createApp } from '../app.js';
import { describeSettings } from '../config.js';
import { commonFlags, runCommand, type CliIo, type CommonFlags } from './io.js';

interface ServeFlags extends CommonFlags {
  http?: string;
  grpc?: string;
  tlsKey?: string;
  tlsCert?: string;
  publicUrl?: string;
  logLevel?: string;
}

export function registerServe(program: Command, io: CliIo): void {
  commonFlags(program.command('serve').description('serve gRPC and HTTP until SIGTERM or SIGINT'))
    .option('--http <host:port>', 'HTTP listener (default: 127.0.0.1:8080)')
    .option('--grpc <host:port>', 'gRPC listener (default: 127.0.0.1:8081)')
    .option('--tls-key <file>', 'PEM private key; with --tls-cert both listeners speak TLS')
    .option('--tls-cert <file>', 'PEM certificate chain')
    .option('--public-url <url>', 'address under which clients reach the HTTP port')
    .option('--log-level <level>', 'debug, info, warn, error or silent')
    .addHelpText('after', settingsHelp)
    .action((flags: ServeFlags) => runCommand(io, flags, () => serve(flags, io)));
}

async function serve(flags: ServeFlags, io: CliIo): Promise<void> {
  const config = io.loadConfig(flags, {
    'http.address': flags.http,
    'grpc.address': flags.grpc,
    'tls.key': flags.tlsKey,
    'tls.cert': flags.tlsCert,
    publicUrl: flags.publicUrl,
    'log.level': flags.logLevel,
  });
  const app = createApp(config);
  const addresses = await app.start();
  const docs = `${addresses.httpUrl}/docs`;
  if (flags.json) io.out(JSON.stringify({ http: addresses.httpUrl, grpc: addresses.grpcAddress, docs }));
  else io.out(`HTTP  ${addresses.httpUrl}\ngRPC  ${addresses.grpcAddress}\nDocs  ${docs}`);
  await untilToldToStop();
  await app.stop();
}

/** A second signal while the first is being served ends the process at once. */
function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.off('SIGTERM', stop);
      process.off('SIGINT', stop);
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}

function settingsHelp(): string {
  const rows = describeSettings().map((row) => `  ${row.name} (${row.env}) = ${row.fallback === '' ? '""' : row.fallback}\n      ${row.doc}`);
  return `\nSettings (configuration file, environment variable, default):\n${rows.join('\n')}`;
}
