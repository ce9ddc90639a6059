// All commands of the program. A command is a file in this folder that registers itself.
import type { Command } from 'commander';
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
import { registerWebhook } from './applications/webhook.js';
import { newProgram } from './program.js';
import { registerRemote } from './remote/remote.js';
import { registerVersion } from './version.js';

export function buildProgram(io: CliIo): Command {
  const program = newProgram(io);
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
    registerRemote,
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
