// `npm run tools -- send FILE`: plays a recording into a protocol of a running server as the telephone system of a vendor would, so that a
// configuration can be tried without one.
import { Option, type Command } from 'commander';
import { runCommand, type CliIo } from '../../src/cli/io.js';
import { followEvents } from '../../src/cli/live/follow-events.js';
import { printer } from '../../src/cli/live/print-events.js';
import { playFlags, playInto, type PlayFlags } from '../../src/cli/live/send.js';
import { sendByAudiohook } from './audiohook-sender.js';
import { sendByAudiosocket } from './audiosocket-sender.js';
import { eventsOf, withCall, type CallFlags, type ProtocolName } from './sent-call.js';
import { sendByTwilio } from './twilio-sender.js';

const protocols = {
  twilio: sendByTwilio,
  audiohook: sendByAudiohook,
  audiosocket: sendByAudiosocket,
} as const satisfies Record<ProtocolName, unknown>;

type SendFlags = CallFlags & PlayFlags;

export function registerSend(program: Command, io: CliIo): void {
  playFlags(program.command('send <file>'))
    .description('play a recording into a running server as Twilio, Genesys or Asterisk would')
    .addOption(
      new Option('--protocol <name>', 'how to send it').choices(Object.keys(protocols)).makeOptionMandatory(),
    )
    .requiredOption('--server <address>', 'http://HOST:PORT, or HOST:PORT for AudioSocket')
    .option('--stream-token <token>', 'stream token from PrepareCall, if the call was prepared')
    .option('--token <token>', 'bearer token, needed for --question and --call')
    .option('--question <json>', 'context and target of a call that was not prepared')
    .option('--call <id>', 'the prepared call, whose events are read where the protocol reports none')
    .option('--api <address>', 'http://HOST:PORT of the API, for AudioSocket')
    .option('--api-key <key>', 'API key of the AudioHook integration')
    .option('--secret <text>', 'secret of the AudioHook integration (base64), or the Twilio auth token')
    .option('--conversation <id>', 'AudioHook: the external ID the call was prepared with')
    .option('--uuid <uuid>', 'AudioSocket: the ID of the prepared call, or its external ID')
    .option('--follow <url>', 'address of the events, /v1/live/ID/events, if they are read elsewhere')
    .option('--no-follow', 'send only, where the protocol reports no events')
    .action((file: string, flags: SendFlags) => runCommand(io, flags, () => send(io, file, flags)));
}

async function send(io: CliIo, file: string, flags: SendFlags): Promise<void> {
  const { server, token, protocol } = flags;
  const print = printer(io, flags.json);
  let followed: Promise<void> | undefined;
  await playInto(file, flags, protocol === 'audiosocket' ? 'linear' : 'mu-law', async () => {
    const keys = await withCall(flags);
    const events = eventsOf(keys);
    followed = events === undefined ? undefined : followEvents(events, { token }, print);
    followed?.catch(() => undefined);
    return protocols[protocol]({ server, keys }, print);
  });
  await followed;
}
