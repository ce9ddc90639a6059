// All commands of the program. A command is a file in this folder that registers itself; it is loaded when it is asked for, because
// loading the whole program takes longer than most commands run.
import type { Command } from 'commander';
import type { CliIo } from './io.js';
import { newProgram } from './program.js';

type Register = (program: Command, io: CliIo) => void;

interface Group {
  /** What is typed behind the name of the program. None: only a part of the whole, as what looks at all the others. */
  names: readonly string[];
  load: () => Promise<readonly Register[]>;
}

/** In the order of the help. */
const groups: readonly Group[] = [
  { names: ['serve', 'start'], load: async () => [(await import('./server/serve.js')).registerServe] },
  { names: ['migrate'], load: async () => [(await import('./server/migrate.js')).registerMigrate] },
  { names: ['media'], load: async () => [(await import('./server/media.js')).registerMedia] },
  {
    names: ['keys'],
    load: async () => [
      (await import('./server/keys.js')).registerKeys,
      (await import('./applications/signing-key.js')).registerSigningKey,
    ],
  },
  { names: ['bootstrap'], load: async () => [(await import('./server/bootstrap.js')).registerBootstrap] },
  { names: ['setup-link'], load: async () => [(await import('./server/setup-link.js')).registerSetupLink] },
  { names: ['audit'], load: async () => [(await import('./server/audit.js')).registerAudit] },
  { names: ['clock'], load: async () => [(await import('./server/clock.js')).registerClock] },
  { names: ['doctor'], load: async () => [(await import('./server/doctor.js')).registerDoctor] },
  { names: ['backup', 'restore'], load: async () => [(await import('./server/backup.js')).registerBackup] },
  { names: ['app'], load: async () => [(await import('./applications/app.js')).registerApp] },
  { names: ['client'], load: async () => [(await import('./applications/client.js')).registerClient] },
  { names: ['user'], load: async () => [(await import('./applications/user.js')).registerUser] },
  { names: ['webhook'], load: async () => [(await import('./applications/webhook.js')).registerWebhook] },
  {
    names: ['engagement'],
    load: async () => [(await import('./engagement/engagement.js')).registerEngagement],
  },
  { names: ['agents'], load: async () => [(await import('./engagement/agents.js')).registerAgents] },
  {
    names: ['person', 'enroll', 'verify', 'identify', 'watchlist', 'session', 'batch', 'events', 'prompt'],
    load: async () => [(await import('./remote/remote.js')).registerRemote],
  },
  { names: [], load: async () => [(await import('./completion.js')).registerCompletion] },
  { names: ['version'], load: async () => [(await import('./version.js')).registerVersion] },
  { names: ['bench'], load: async () => [(await import('./bench/bench.js')).registerBench] },
  { names: ['model'], load: async () => [(await import('./voice/model.js')).registerModel] },
  {
    names: ['audio'],
    load: async () => [
      (await import('./voice/audio.js')).registerAudio,
      (await import('./voice/audio-compare.js')).registerAudioCompare,
      (await import('./voice/audio-check.js')).registerAudioCheck,
    ],
  },
  { names: ['templates'], load: async () => [(await import('./voice/templates.js')).registerTemplates] },
  { names: ['live'], load: async () => [(await import('./live/live.js')).registerLive] },
];

/** With the one command that is asked for; with all of them where it is not known, or none is. */
export async function buildProgram(io: CliIo, wanted?: string): Promise<Command> {
  const own = groups.filter(({ names }) => wanted !== undefined && names.includes(wanted));
  const program = newProgram(io);
  for (const { load } of own.length > 0 ? own : groups)
    for (const register of await load()) register(program, io);
  return program;
}
