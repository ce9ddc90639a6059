// The table of all settings: default, range and meaning. docs/reference/settings.md is generated from it.
import { address, choice, endpoints, flag, formerly, integer, secret, text, type Setting } from './kinds.js';

export type Section = { readonly [name: string]: Setting<unknown> | Section };
export type Values<S> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : S[K] extends Section ? Values<S[K]> : never;
};

const KIB = 1024;
const MIB = 1024 * KIB;

export const settings = {
  home: text('./var', 'Directory that holds all state.'),
  database: text(
    '',
    'URL of a PostgreSQL database (postgres://..., several hosts separated by commas). Without it, SQLite in the home directory.',
  ),
  postgres: {
    poolMax: integer(10, 1, 1000, 'Most connections to PostgreSQL that this node opens.'),
    connectTimeoutMs: integer(3000, 100, 60_000, 'Longest wait for a connection to PostgreSQL.'),
    statementTimeoutMs: integer(30_000, 100, 3_600_000, 'Longest time that one statement may take.'),
  },
  media: {
    store: text(
      '',
      'Where recordings are stored: s3://BUCKET or s3://BUCKET/PREFIX. Several nodes need it. Without it, the folder blobs of the home directory.',
    ),
    s3: {
      endpoint: text('', 'URL of an S3-compatible store. Without it, AWS.'),
      region: text('', 'Region of the bucket. Without it, the one that the environment names (AWS_REGION).'),
      addressing: choice(
        ['auto', 'path', 'host'] as const,
        'auto',
        'Whether the bucket is in the path or in the host name of requests. auto: in the path with media.s3.endpoint.',
      ),
      accessKeyId: text(
        '',
        'Access key of the store. Without it, what the environment has: AWS_ACCESS_KEY_ID, the shared credentials file, the role of the machine or pod.',
      ),
      secretAccessKey: secret('', 'Secret of the access key.'),
    },
  },
  publicUrl: text(
    '',
    'Address at which clients reach the HTTP listener. Without it, the address in http.address; with port 0 there, the port that was chosen, and tokens end when the server starts again on another.',
  ),
  http: {
    address: address('127.0.0.1:8080', 'Where the HTTP listener is bound. Port 0 takes any free one.'),
    trustedProxies: text(
      '',
      'Proxies whose X-Forwarded-For counts: addresses and networks such as 10.0.0.0/8 separated by commas, or how many proxies a request passes. Without it, the header is ignored.',
    ),
  },
  grpc: {
    address: address('127.0.0.1:8081', 'Where the gRPC listener is bound.'),
    publicAddress: text(
      '',
      'HOST:PORT at which clients reach the gRPC listener. Without it, the bound address.',
    ),
  },
  tls: {
    key: text('', 'PEM file with the private key, for both listeners.'),
    cert: text('', 'PEM file with the certificate chain.'),
    clientCertificates: flag(
      false,
      'Ask callers of both listeners for a certificate (mutual TLS). Clients without one are served as before.',
    ),
    clientAuthorities: text(
      '',
      'PEM file with the authorities whose certificates prove clients by name (tls_client_auth). Intermediate ones included.',
    ),
    clientCertificateHeader: text(
      '',
      "Header in which trusted proxies hand on the caller's certificate, such as Client-Cert. Set it only where the proxy removes what callers send under that name.",
    ),
  },
  compat: {
    packageRoots: text(
      '',
      'Root packages of clients that were generated from the same definitions under other names than vendor, separated by commas, such as acme. Their gRPC services and legacy paths are served too.',
    ),
  },
  limits: {
    bodyBytes: integer(
      4 * MIB,
      1 * KIB,
      256 * MIB,
      'Largest JSON body of an operation. One with the manifest of a batch may be as large as a gRPC message.',
    ),
    headerBytes: integer(16 * KIB, 4 * KIB, 256 * KIB, 'Largest header block of a request.'),
    messageBytes: integer(16 * MIB, 1 * KIB, 256 * MIB, 'Largest gRPC message.'),
    mediaBytes: integer(
      50 * MIB,
      1 * KIB,
      1024 * MIB,
      'Largest media upload, whatever a config set allows beyond it.',
    ),
    bytesInFlight: integer(
      256 * MIB,
      1 * MIB,
      64 * 1024 * MIB,
      'Bytes of requests and answers that are held at the same time. More are answered BUSY.',
    ),
    bytesInFlightPerClient: integer(
      64 * MIB,
      1 * MIB,
      64 * 1024 * MIB,
      'Bytes of requests and answers that are held at the same time for one client.',
    ),
    bytesInFlightPerConnection: integer(
      32 * MIB,
      1 * MIB,
      64 * 1024 * MIB,
      'Bytes of requests and answers that are held at the same time for one connection.',
    ),
    connections: integer(4096, 1, 1_000_000, 'Connections to both listeners. More are closed at once.'),
    connectionsPerAddress: integer(
      512,
      1,
      1_000_000,
      'Connections from one address, or one /64 of IPv6. Raise it where many clients come through one proxy.',
    ),
    concurrentCalls: integer(256, 1, 100_000, 'Calls served at the same time. More are answered BUSY.'),
    concurrentCallsPerClient: integer(
      128,
      1,
      100_000,
      'Calls of one client served at the same time, and calls per gRPC connection.',
    ),
    streamsPerClient: integer(
      16,
      1,
      10_000,
      'Streams of one client that are open at the same time; those of live calls follow from live.callsMax.',
    ),
    streamIdleMs: integer(
      60_000,
      100,
      86_400_000,
      'Longest time that a stream waits for the next message of its caller.',
    ),
    streamTimeoutMs: integer(3_600_000, 100, 86_400_000, 'Longest time that a stream may last.'),
    callTimeoutMs: integer(60_000, 100, 3_600_000, 'Longest time that one call may take.'),
    listLength: integer(100_000, 1, 1_000_000, 'Longest list in a request, duplicates included.'),
    jsonDepth: integer(64, 8, 1000, 'Deepest nesting of a JSON body.'),
    lameDuckMs: integer(
      2000,
      0,
      600_000,
      'Time after SIGTERM in which calls are still served while /readyz reports not ready.',
    ),
    shutdownMs: integer(10_000, 0, 600_000, 'Time that calls in flight have to finish at shutdown.'),
  },
  live: {
    callsMax: integer(
      200,
      0,
      100_000,
      'Calls that are listened to at the same time. More are answered BUSY; 0 turns live audio off.',
    ),
    resumeMs: integer(
      15_000,
      0,
      600_000,
      'How long a call whose connection broke waits to be resumed, in milliseconds.',
    ),
    audiosocket: text(
      '',
      'HOST:PORT at which AudioSocket of Asterisk comes in over plain TCP: this machine or a private network. Without it, off.',
    ),
    twilioAuthToken: secret(
      '',
      'Auth token of the Twilio account. With it, connections to /v1/live/twilio need the signature that it makes.',
    ),
    audiohook: {
      apiKey: text(
        '',
        'API key of the Genesys AudioHook integration. Without all three, /v1/live/audiohook is closed.',
      ),
      secret: secret('', 'Client secret of the AudioHook integration, in base64.'),
      tenant: formerly('scope', text('', 'gk_scope_id of the tenant whose calls come in by AudioHook.')),
    },
  },
  metrics: {
    listen: text(
      '',
      'HOST:PORT at which metrics are served, instead of at /metrics of the HTTP listener. Plain HTTP.',
    ),
    token: secret(
      '',
      'Bearer token required to read the metrics. Without it, anyone who can reach them can read them.',
    ),
  },
  log: {
    level: choice(
      ['debug', 'info', 'warn', 'error', 'silent'] as const,
      'info',
      'Least severe level that is logged.',
    ),
    pretty: flag(false, 'Write log lines for people instead of one JSON object per line.'),
  },
  tokens: {
    accessTokenSeconds: integer(900, 60, 86_400, 'Lifetime of an access token for the runtime services.'),
    engagementTokenSeconds: integer(3600, 60, 86_400, 'Lifetime of an access token for the engagement API.'),
    refreshTokenSeconds: integer(
      30 * 86_400,
      600,
      366 * 86_400,
      'Time after which a user must sign in again.',
    ),
    keyMaxAgeDays: integer(
      90,
      0,
      3650,
      'Age at which a signing key is replaced. 0 means never automatically.',
    ),
    algorithm: choice(['ES256', 'EdDSA'] as const, 'ES256', 'Signature algorithm of new signing keys.'),
    issuer: text('', 'Issuer named in tokens. Without it, the public URL.'),
  },
  rateLimits: {
    tokenRequestsPerMinute: integer(600, 1, 1_000_000, 'Token requests per client and minute.'),
    tokenRequestsPerAddressPerMinute: integer(600, 1, 1_000_000, 'Token requests per address and minute.'),
    callsPerSecond: integer(
      0,
      0,
      1_000_000,
      'Operations per client and second, over all nodes. More are answered RATE_EXCEEDED. 0 means no limit.',
    ),
    failedLoginsPerMinute: integer(20, 1, 100_000, 'Failed authentications per address and minute.'),
    failedLoginsBeforeLock: integer(
      10,
      3,
      1000,
      'Wrong passwords in a row after which sign-ins to an account are slowed down for a while, for each address; after five times as many (at most 100), for all addresses together.',
    ),
    loginLockMinutes: integer(
      15,
      1,
      10_080,
      'How long sign-ins stay slow. Browsers that the owner has used before are not affected.',
    ),
  },
  endpoints: {
    asr: endpoints(
      'Where clients reach the recognition service, for config.json. Without it, config.json names none.',
    ),
    nlu: endpoints('Where clients reach the interpretation service.'),
    tts: endpoints('Where clients reach the synthesis service.'),
    dlg: endpoints('Where clients reach the dialog service.'),
    voiceprint: endpoints('Where clients reach the voiceprint service. Without it, this server.'),
  },
  signIn: {
    localAccounts: flag(
      true,
      'People may sign in with a password of this server. Switch it off when everybody has the identity provider.',
    ),
    secondFactorRoles: text(
      '',
      'Roles that need a second factor in addition to the password: administrator, auditor, member, separated by commas. Others may set one up.',
    ),
    provider: {
      issuer: text('', "Issuer URL of the company's OpenID Connect provider. Without it, there is none."),
      clientId: text('', 'Client ID that the provider has given to this server.'),
      clientSecret: secret('', 'Client secret from the provider. Without it, PKCE alone.'),
      name: text('your company account', 'What the sign-in page calls the provider.'),
      scopes: text('openid profile email', 'Scopes asked of the provider.'),
      userNameClaim: text(
        'preferred_username',
        'Claim with the user name; the email address where it is missing.',
      ),
      groupsClaim: text('groups', 'Claim with the groups or roles of the person.'),
      groups: text(
        '',
        'Roles by group: GROUP=administrator, GROUP=auditor, GROUP=member or GROUP=GK_SCOPE_ID:ROLE, separated by commas; * is everybody. Without it, everybody is a member and roles are given here.',
      ),
      refreshTokenSeconds: integer(
        8 * 3600,
        600,
        366 * 86_400,
        'Time after which people of the provider must go back to it, because this server cannot ask it whether they are still there.',
      ),
      createUsers: flag(true, 'Somebody new becomes a user on their first visit.'),
    },
  },
  siem: {
    url: text(
      '',
      'Where events and audit records are sent: https://..., syslog+tls://HOST:PORT or syslog+tcp://HOST:PORT. Without it, off.',
    ),
    token: secret('', 'Bearer token for the SIEM, with https.'),
    authorities: text(
      '',
      "PEM file with the authorities of the SIEM's certificate, with syslog+tls. Without it, those that the system trusts.",
    ),
  },
  batch: {
    folder: text(
      '',
      'Folder of this machine from which batches may read recordings; {tenant} in it stands for the ID of the tenant. Without it, none.',
    ),
    s3Prefixes: text(
      '',
      'Places in S3 below which batches may read recordings: s3://BUCKET or s3://BUCKET/PREFIX, separated by commas; {tenant} stands for the ID of the tenant. Reached with media.s3. Without it, none.',
    ),
  },
  webhooks: {
    privateNetworks: text(
      '',
      'Addresses and networks inside your own that webhooks may be sent to, such as 10.20.0.0/16, separated by commas. Without it, public addresses only.',
    ),
    plainHttp: flag(false, 'Webhooks may be sent without TLS, to addresses that begin with http://.'),
  },
  nodes: {
    listen: text(
      '',
      'HOST:PORT at which other nodes reach this one for its part of large groups and watchlists; with PostgreSQL only. Without it, every node holds the whole of each group it is asked about.',
    ),
    address: text(
      '',
      'HOST:PORT, or an IP address alone, at which other nodes reach nodes.listen; without a port or with port 0, the port of nodes.listen. Without it, the address of nodes.listen, or the name of this machine where that is 0.0.0.0 or [::].',
    ),
    spreadFrom: integer(
      500_000,
      1,
      1_000_000_000,
      'Members from which on a group or watchlist is spread over the nodes, with nodes.listen.',
    ),
  },
  engine: {
    workers: integer(0, 0, 256, 'Inference worker threads. 0 means one per core, at most 4.'),
    queueLength: integer(64, 1, 10_000, 'Audio jobs that may wait for a worker.'),
    idleSeconds: integer(
      0,
      0,
      86_400,
      'Seconds without audio after which an inference worker ends. 0 means never.',
    ),
    modelsDir: text('', 'Directory of voice models. Without it, the one shipped with the program.'),
    speakerModel: text(
      '',
      'Speaker model, by the name of its folder, such as speaker-ecapa512-r2: stays with it when the program brings a newer one. Without it, the newest.',
    ),
    renewPrints: flag(
      true,
      'After a change of the speaker model, make the prints of the one before again from their stored enrollment audio, in the background.',
    ),
  },
  sealing: {
    masterKey: secret(
      '',
      'Master key for encryption at rest, 32 bytes in base64; around a rotation the old and the new one with a comma between. Without it, a key file in the home directory.',
    ),
  },
  retention: {
    mediaDays: integer(90, 1, 36_500, 'Days that uploaded media is kept.'),
    sessionDays: integer(365, 8, 36_500, 'Days that sessions and engagements are kept after their last use.'),
    auditDays: integer(730, 1, 36_500, 'Days that audit records are kept.'),
    eventDays: integer(30, 1, 3650, 'Days that runtime events are kept.'),
    eventsMax: integer(1_000_000, 1000, 1_000_000_000, 'Most runtime events that are kept.'),
    tenantDeletionDays: formerly(
      'scopeDeletionDays',
      integer(30, 0, 3650, 'Days until a tenant marked for deletion is removed.'),
    ),
  },
} satisfies Section;
