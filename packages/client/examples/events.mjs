// Prints the events of a tenant, oldest first, and where to go on the next time.
//
//   node events.mjs [CURSOR]
//
// VOXGATE_SERVER, VOXGATE_CLIENT_ID, VOXGATE_CLIENT_SECRET and VOXGATE_TENANT say where and as whom.
import { Voxgate } from '@voxgate/client';

const voxgate = new Voxgate({
  server: process.env.VOXGATE_SERVER,
  clientId: process.env.VOXGATE_CLIENT_ID,
  clientSecret: process.env.VOXGATE_CLIENT_SECRET,
  tenant: process.env.VOXGATE_TENANT,
});

const feed = voxgate.events({ cursor: process.argv[2] });
for await (const { time, type, subject } of feed) console.log(time, type, subject ?? '');
console.log('cursor', feed.cursor);
