// All commands of the program. A command is a file in this folder that registers itself.
import { Command } from 'commander';
import { programVersion } from '../compose/version.js';
import { registerBench } from './bench.js';
import { registerModel } from './model.js';
import { registerAudio } from './audio.js';
import { registerAudioCompare } from './audio-compare.js';
import type { CliIo } from './io.js';
import { registerAgents } from './agents.js';
import { registerApp } from './app.js';
import { registerAudit } from './audit.js';
import { registerBootstrap } from './bootstrap.js';
import { registerClient } from './client.js';
import { registerEngagement } from './engagement.js';
import { registerKeys } from './keys.js';
import { registerMigrate } from './migrate.js';
import { registerServe } from './serve.js';
import { registerSetupLink } from './setup-link.js';
import { registerTemplates } from './templates.js';
import { registerUser } from './user.js';
import { registerVersion } from './version.js';

export function buildProgram(io: CliIo): Command {
  const program = new Command('voxgate')
    .description(
      'Open, self-hosted voice biometrics: a token service and a voiceprint service in one process.',
    )
    .version(programVersion())
    .showHelpAfterError();
  for (const register of [
    registerServe,
    registerMigrate,
    registerKeys,
    registerBootstrap,
    registerSetupLink,
    registerAudit,
    registerApp,
    registerClient,
    registerUser,
    registerEngagement,
    registerAgents,
    registerVersion,
    registerBench,
    registerModel,
    registerAudio,
    registerAudioCompare,
    registerTemplates,
  ])
    register(program, io);
  return program;
}
