// `voxgate serve` and `voxgate start`: run the server until it is told to stop.
import type { Command } from 'commander';
import { createApp } from '../../app.js';
import { knownAddresses, servedAt } from '../../compose/addresses.js';
import { openAuth } from '../../compose/auth.js';
import {
  bootstrap,
  reportAt,
  setupUrlOf,
  type BootstrapReport,
  type FirstPassword,
} from '../../compose/bootstrap.js';
import { openStorage } from '../../compose/storage.js';
import { describeSettings, type Config } from '../../config.js';
import { silentLog, systemClock, systemIds } from '../../platform.js';
import { commonFlags, runCommand, type CliIo, type CommonFlags } from '../io.js';
import { tooFewFiles } from '../open-files.js';
import { KEEP_PASSWORD_HELP } from './bootstrap.js';

interface ServeFlags extends CommonFlags {
  http?: string;
  grpc?: string;
  audiosocket?: string;
  tlsKey?: string;
  tlsCert?: string;
  publicUrl?: string;
  logLevel?: string;
  bootstrap?: boolean;
  keepPassword?: boolean;
}

export function registerServe(program: Command, io: CliIo): void {
  serverFlags(program.command('serve').description('run the server (gRPC and HTTP) until SIGTERM or SIGINT'))
    .option(
      '--bootstrap',
      'create a first administrator, tenant, config set and application if there are none',
    )
    .option('--keep-password', `with --bootstrap --json: ${KEEP_PASSWORD_HELP}`)
    .action((flags: ServeFlags) => runCommand(io, flags, () => serve(flags, io)));
  serverFlags(program.command('start').description('make what a first user needs, once, and run the server'))
    .option('--keep-password', `with --json: ${KEEP_PASSWORD_HELP}`)
    .action((flags: ServeFlags) => runCommand(io, flags, () => serve({ ...flags, bootstrap: true }, io)));
}

const serverFlags = (command: Command): Command =>
  commonFlags(command)
    .option('--http <host:port>', 'address of the HTTP listener (default: 127.0.0.1:8080)')
    .option('--grpc <host:port>', 'address of the gRPC listener (default: 127.0.0.1:8081)')
    .option('--audiosocket <host:port>', 'address of the listener for Asterisk AudioSocket (default: none)')
    .option('--tls-key <file>', 'PEM file with the private key; with --tls-cert, both listeners use TLS')
    .option('--tls-cert <file>', 'PEM file with the certificate chain')
    .option('--public-url <url>', 'URL at which clients reach the HTTP listener')
    .option('--log-level <level>', 'debug, info, warn, error or silent')
    .addHelpText('after', settingsHelp);

async function serve(flags: ServeFlags, io: CliIo): Promise<void> {
  const config = io.loadConfig(flags, {
    'http.address': flags.http,
    'grpc.address': flags.grpc,
    'live.audiosocket': flags.audiosocket,
    'tls.key': flags.tlsKey,
    'tls.cert': flags.tlsCert,
    publicUrl: flags.publicUrl,
    'log.level': flags.logLevel,
  });
  // A server that runs out of files under load answers half of its callers; one that does not start is noticed.
  const fault = tooFewFiles();
  if (fault !== undefined) throw new Error(fault);
  // A person chooses the first password behind a link; a program takes the one that is made for it.
  const firstPassword = !flags.json ? 'by-link' : flags.keepPassword ? 'kept' : 'made';
  const early = await beforeServing(config, flags, firstPassword);
  const app = createApp(config);
  const addresses = await app.start();
  const reached = servedAt(config, addresses);
  const made = early.report && reportAt(early.report, reached);
  const setupUrl = made?.admin.setup_url ?? urlAt(early.setupUrl, reached.httpUrl);
  const docs = `${addresses.httpUrl}/docs`;
  if (flags.json)
    io.out(
      JSON.stringify({
        http: addresses.httpUrl,
        grpc: addresses.grpcAddress,
        docs,
        ...(made && { bootstrap: made }),
      }),
    );
  else
    io.out(
      [
        // People can sign in under the public address only: it is the one that the console is registered for.
        `Console  ${reached.httpUrl}`,
        `API      ${docs}`,
        `gRPC     ${addresses.grpcAddress}`,
        ...(setupUrl === undefined ? [] : startHere(setupUrl)),
        ...(made ? nextSteps(made) : []),
      ].join('\n'),
    );
  // A terminal's Ctrl-C is in a hurry; a load balancer needs time to look elsewhere.
  if ((await stopSignal()) === 'SIGTERM') await app.leave();
  await app.stop();
}

interface Early {
  report?: BootstrapReport;
  /** Where the first password is chosen, as long as nobody has one. */
  setupUrl?: string | undefined;
}

async function beforeServing(
  config: Config,
  { bootstrap: isMade, json }: ServeFlags,
  firstPassword: FirstPassword,
): Promise<Early> {
  if (!isMade && json) return {};
  const storage = await openStorage(config, systemClock);
  const core = { config, clock: systemClock, ids: systemIds, log: silentLog };
  try {
    if (isMade) return { report: await bootstrap(core, storage, firstPassword) };
    const addresses = await knownAddresses(storage.database, config);
    return { setupUrl: await setupUrlOf(addresses, await openAuth(core, storage)) };
  } finally {
    await storage.close();
  }
}

const startHere = (setupUrl: string): string[] => [
  '',
  'Start here: open this link, choose a password, and try your voice.',
  `  ${setupUrl}`,
];

/** A server that listens on any free port knows its address only now. */
const urlAt = (setupUrl: string | undefined, httpUrl: string): string | undefined =>
  setupUrl && httpUrl + setupUrl.slice(new URL(setupUrl).origin.length);

/** What a newcomer does next. Secrets are known only in the run that made them. */
function nextSteps({ admin, application, scope: tenant, configset_id, urls }: BootstrapReport): string[] {
  const first = admin.setup_url
    ? []
    : [`Sign in as ${admin.username}.${application.client_id && ` Client ${application.client_id}`}`];
  if (!application.client_secret) return first;
  return [
    ...first,
    '',
    'For programs (not shown again):',
    `  client ID      ${application.client_id}`,
    `  client secret  ${application.client_secret}`,
    `  tenant         ${tenant.gk_scope_id}, config set ${configset_id}`,
    `  a first token  curl -u '${application.client_id.replaceAll(':', '%3A')}:${application.client_secret}' \\`,
    `                   -d 'grant_type=client_credentials&scope=biosec' ${urls.token}`,
  ];
}

/** A second signal while the first is being served ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      process.off('SIGTERM', stop);
      process.off('SIGINT', stop);
      resolve(signal);
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}

function settingsHelp(): string {
  const rows = describeSettings().map(
    ({ name, env, type, fallback, doc }) =>
      `  ${name} (${env}): ${type}${fallback === '' ? '' : `, default ${fallback}`}\n      ${doc}`,
  );
  return `\nSettings (configuration file, environment variable):\n${rows.join('\n')}`;
}
