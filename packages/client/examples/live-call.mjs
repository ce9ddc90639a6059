// Sends raw 16-bit audio (8 kHz, one channel) from standard input as a live call, and prints each decision.
//
//   sox call.wav -t raw -r 8000 -e signed -b 16 -c 1 - | node live-call.mjs PERSON
//
// VOXGATE_SERVER, VOXGATE_CLIENT_ID, VOXGATE_CLIENT_SECRET and VOXGATE_TENANT say where and as whom.
import { Voxgate } from '@voxgate/client';

const voxgate = new Voxgate({
  server: process.env.VOXGATE_SERVER,
  clientId: process.env.VOXGATE_CLIENT_ID,
  clientSecret: process.env.VOXGATE_CLIENT_SECRET,
  tenant: process.env.VOXGATE_TENANT,
  // Node 22 and later have one; before, install ws.
  webSocket: globalThis.WebSocket ?? (await import('ws')).WebSocket,
});

const format = { encoding: 'LINEAR16', sampleRateHz: 8000 };
const person = { personId: process.argv[2] };
for await (const { state, netSpeech, final } of voxgate.live(process.stdin, { format, person }))
  console.log(state, netSpeech, final ? 'final' : '');
