// Live audio: the calls that are being listened to, and the protocols by which they come in.
import type { OperationDeps } from '../biometrics/operations/deps.js';
import { hostPortOf } from '../config/read-text.js';
import { audiohookProtocol } from '../live/protocols/audiohook.js';
import { firstFrameProtocol } from '../live/protocols/first-frame.js';
import { twilioProtocol } from '../live/protocols/twilio.js';
import { LiveCalls } from '../live/live-calls.js';
import { oneTimeValuesIn } from '../storage/auth/state.js';
import { registerLiveEvents } from '../transport/routes/live-events.js';
import { liveAudioService } from '../transport/services/live/live-audio.js';
import { createAudioSocketListener } from '../transport/sockets/audiosocket-listener.js';
import { websocketProtocol } from '../transport/sockets/websocket-protocol.js';
import type { NodesInUse } from './nodes-in-use.js';
import type { Core, Part } from './part.js';
import type { Storage } from '../storage/open-storage.js';

export function composeLive(
  core: Core,
  { deps, nodes }: { deps: OperationDeps; nodes: NodesInUse },
  { database }: Storage,
): Part {
  const { callsMax, resumeMs, twilioAuthToken, audiohook } = core.config.live;
  const { publicUrl } = core.config;
  const isAlone = database.dialect === 'sqlite';
  const calls = new LiveCalls({ ...deps, log: core.log }, { callsMax, resumeMs, isAlone }, nodes);
  if (deps.lines) deps.lines.look = calls.lookAtLines;
  const oneTime = oneTimeValuesIn(database.db);
  const address = hostPortOf(core.config.live.audiosocket);
  const audiosocket = address && createAudioSocketListener(address, calls, core.log);
  return {
    bindings: [liveAudioService(calls, callsMax)],
    routes: [(http, authenticate) => registerLiveEvents(http, calls, { ...core, authenticate })],
    protocols: [
      websocketProtocol(calls, core),
      firstFrameProtocol(calls),
      twilioProtocol(calls, { authToken: twilioAuthToken, publicUrl }),
      audiohookProtocol(
        calls,
        { ...audiohook, gkScopeId: audiohook.tenant, publicUrl },
        { clock: core.clock, once: (mark, untilMs) => oneTime.remember(mark, untilMs) },
      ),
    ],
    metrics: [
      {
        name: 'voxgate_live_calls',
        type: 'gauge',
        help: 'Calls that are being listened to',
        value: () => calls.running,
      },
      {
        name: 'voxgate_live_audio_bytes',
        type: 'gauge',
        help: 'Memory that the audio of running calls occupies',
        value: () => calls.heldBytes,
      },
      {
        name: 'voxgate_live_wait_seconds',
        type: 'gauge',
        help: 'How long audio that may complete a decision waits for the engine, recent average',
        value: () => calls.lateness.ms / 1000,
      },
    ],
    onServing: async () => {
      if (audiosocket)
        core.log.info({ address: await audiosocket.start() }, 'AudioSocket comes in here, in plain text');
    },
    drain: () => calls.drain(),
    stop: async () => audiosocket?.stop(),
  };
}
