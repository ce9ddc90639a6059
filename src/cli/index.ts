// All commands of the program. A command is a file in this folder that registers itself.
import { Command } from 'commander';
import { programVersion } from '../compose/version.js';
import { registerBench } from './bench/bench.js';
import { registerModel } from './voice/model.js';
import { registerAudio } from './voice/audio.js';
import { registerAudioCheck } from './voice/audio-check.js';
import { registerAudioCompare } from './voice/audio-compare.js';
import { registerCompletion } from './completion.js';
import type { CliIo } from './io.js';
import { registerAgents } from './engagement/agents.js';
import { registerApp } from './applications/app.js';
import { registerAudit } from './server/audit.js';
import { registerBackup } from './server/backup.js';
import { registerBootstrap } from './server/bootstrap.js';
import { registerClock } from './server/clock.js';
import { registerDoctor } from './server/doctor.js';
import { registerClient } from './applications/client.js';
import { registerEngagement } from './engagement/engagement.js';
import { registerLive } from './live/live.js';
import { registerKeys } from './server/keys.js';
import { registerMedia } from './server/media.js';
import { registerMigrate } from './server/migrate.js';
import { registerServe } from './server/serve.js';
import { registerSetupLink } from './server/setup-link.js';
import { registerTemplates } from './voice/templates.js';
import { registerSigningKey } from './applications/signing-key.js';
import { registerUser } from './applications/user.js';
import { registerEvents } from './voices/events.js';
import { registerPerson } from './voices/person.js';
import { registerSession } from './voices/session.js';
import { registerVoices } from './voices/voices.js';
import { registerWatchlist } from './voices/watchlist.js';
import { registerWebhook } from './applications/webhook.js';
import { registerVersion } from './version.js';

export function buildProgram(io: CliIo): Command {
  const program = new Command('voxgate')
    .description(
      'Open, self-hosted voice biometrics: a token service and a voiceprint service in one process.',
    )
    .version(programVersion())
    // The whole help after every typing error would hide the error; the nearest match is shown instead.
    .showHelpAfterError('Run the command with --help to see what it accepts.')
    .configureOutput({
      writeErr: (text) => io.err(text.trimEnd()),
      writeOut: (text) => io.out(text.trimEnd()),
    })
    .exitOverride();
  for (const register of [
    registerServe,
    registerMigrate,
    registerMedia,
    registerKeys,
    registerSigningKey,
    registerBootstrap,
    registerSetupLink,
    registerAudit,
    registerClock,
    registerDoctor,
    registerBackup,
    registerApp,
    registerClient,
    registerUser,
    registerWebhook,
    registerEngagement,
    registerAgents,
    registerPerson,
    registerVoices,
    registerWatchlist,
    registerSession,
    registerEvents,
    registerCompletion,
    registerVersion,
    registerBench,
    registerModel,
    registerAudio,
    registerAudioCompare,
    registerAudioCheck,
    registerTemplates,
    registerLive,
  ])
    register(program, io);
  return program;
}
