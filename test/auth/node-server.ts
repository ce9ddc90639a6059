// One server process for test/auth/nodes.test.ts: the composition of the real server, with the token service alone.
// Prints its address, then serves until it is killed.
import { composeAuth } from '../../src/compose/auth.js';
import { openStorage } from '../../src/compose/storage.js';
import { configWith } from '../../src/config.js';
import { silentLog, systemClock, systemIds } from '../../src/platform.js';
import { createTransportServer } from '../../src/transport/server.js';

const [HOME = '', DATABASE = '', PUBLIC_URL = '', MASTER_KEY = ''] = process.argv.slice(2);
const config = configWith({
  home: HOME,
  database: DATABASE,
  publicUrl: PUBLIC_URL,
  'sealing.masterKey': MASTER_KEY,
  'http.address': '127.0.0.1:0',
  'grpc.address': '127.0.0.1:0',
});
const core = { config, clock: systemClock, ids: systemIds, log: silentLog };
const part = await composeAuth(core, await openStorage(config, systemClock));
const server = createTransportServer(
  {
    http: config.http.address,
    grpc: config.grpc.address,
    trustedProxies: false,
    limits: config.limits,
    version: 'test',
    publicUrl: PUBLIC_URL,
  },
  {
    bindings: [],
    routes: part.routes ?? [],
    readiness: [],
    authenticate: part.authenticate!,
    log: silentLog,
    clock: systemClock,
    ids: systemIds,
  },
);
const { httpUrl } = await server.start();
process.stdout.write(`${httpUrl}\n`);
