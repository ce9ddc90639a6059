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
    poolMax: integer(10, 1, 1000, 'Maximum number of connections from this node to PostgreSQL.'),
    connectTimeoutMs: integer(3000, 100, 60_000, 'Longest wait for a connection to PostgreSQL.'),
    statementTimeoutMs: integer(30_000, 100, 3_600_000, 'Longest time one statement may take.'),
  },
  media: {
    store: text(
      '',
      'Where recordings are stored: s3://BUCKET or s3://BUCKET/PREFIX. Required for several nodes. Without it, the folder blobs in the home directory.',
    ),
    s3: {
      endpoint: text('', 'URL of an S3-compatible store. Without it, AWS.'),
      region: text('', 'Region of the bucket. Without it, the one in the environment (AWS_REGION).'),
      addressing: choice(
        ['auto', 'path', 'host'] as const,
        'auto',
        'Whether the bucket is in the path or in the host name of requests. auto: in the path with media.s3.endpoint.',
      ),
      accessKeyId: text(
        '',
        'Access key of the store. Without it, the one from the environment: AWS_ACCESS_KEY_ID, the shared credentials file, or the role of the machine or pod.',
      ),
      secretAccessKey: secret('', 'Secret of the access key.'),
    },
  },
  publicUrl: text(
    '',
    'Address at which clients reach the HTTP listener. Without it, the address in http.address. If that has port 0, the chosen port is used, and tokens become invalid when the server restarts on another.',
  ),
  http: {
    address: address('127.0.0.1:8080', 'Address of the HTTP listener. Port 0 means any free port.'),
    trustedProxies: text(
      '',
      'Proxies whose X-Forwarded-For is trusted: addresses and networks such as 10.0.0.0/8, separated by commas, or the number of proxies that a request passes. Without it, the header is ignored.',
    ),
  },
  grpc: {
    address: address('127.0.0.1:8081', 'Address of the gRPC listener.'),
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
      'PEM file with the authorities whose certificates identify clients by name (tls_client_auth), including intermediate ones.',
    ),
    clientCertificateHeader: text(
      '',
      "Header in which trusted proxies pass on the caller's certificate, such as Client-Cert. Set it only if the proxy removes a header of that name sent by callers.",
    ),
  },
  compat: {
    packageRoots: text(
      '',
      'Root packages of clients that were generated from the same definitions under names other than vendor, separated by commas, such as acme. Their gRPC services and legacy paths are served too.',
    ),
  },
  limits: {
    bodyBytes: integer(
      4 * MIB,
      1 * KIB,
      256 * MIB,
      'Largest JSON body of an operation. A body with a batch manifest may be as large as a gRPC message.',
    ),
    headerBytes: integer(16 * KIB, 4 * KIB, 256 * KIB, 'Largest header block of a request.'),
    messageBytes: integer(16 * MIB, 1 * KIB, 256 * MIB, 'Largest gRPC message.'),
    mediaBytes: integer(
      50 * MIB,
      1 * KIB,
      1024 * MIB,
      'Largest media upload, even if a config set allows more.',
    ),
    bytesInFlight: integer(
      256 * MIB,
      1 * MIB,
      64 * 1024 * MIB,
      'Bytes of requests and answers held in memory at the same time. Beyond that, calls are answered BUSY.',
    ),
    bytesInFlightPerClient: integer(
      64 * MIB,
      1 * MIB,
      64 * 1024 * MIB,
      'Bytes of requests and answers held in memory at the same time for one client.',
    ),
    bytesInFlightPerConnection: integer(
      32 * MIB,
      1 * MIB,
      64 * 1024 * MIB,
      'Bytes of requests and answers held in memory at the same time for one connection.',
    ),
    connections: integer(
      4096,
      1,
      1_000_000,
      'Connections to both listeners. Further ones are closed at once.',
    ),
    connectionsPerAddress: integer(
      512,
      1,
      1_000_000,
      'Connections from one address, or one IPv6 /64. Raise it if many clients come through one proxy.',
    ),
    concurrentCalls: integer(
      256,
      1,
      100_000,
      'Calls served at the same time. Further ones are answered BUSY.',
    ),
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
      'Streams of one client that may be open at the same time; for live calls, live.callsMax applies.',
    ),
    streamIdleMs: integer(
      60_000,
      100,
      86_400_000,
      'Longest time a stream waits for the next message from its caller.',
    ),
    streamTimeoutMs: integer(3_600_000, 100, 86_400_000, 'Longest time a stream may last.'),
    callTimeoutMs: integer(60_000, 100, 3_600_000, 'Longest time one call may take.'),
    listLength: integer(100_000, 1, 1_000_000, 'Longest list in a request, duplicates included.'),
    jsonDepth: integer(64, 8, 1000, 'Deepest nesting of a JSON body.'),
    lameDuckMs: integer(
      2000,
      0,
      600_000,
      'Time after SIGTERM during which calls are still served while /readyz reports not ready.',
    ),
    shutdownMs: integer(10_000, 0, 600_000, 'Time allowed for running calls to finish at shutdown.'),
  },
  live: {
    callsMax: integer(
      200,
      0,
      100_000,
      'Live calls at the same time. Further ones are answered BUSY; 0 turns live audio off.',
    ),
    resumeMs: integer(
      15_000,
      0,
      600_000,
      'How long a call whose connection broke waits to be resumed, in milliseconds.',
    ),
    audiosocket: text(
      '',
      'HOST:PORT at which Asterisk connects by AudioSocket over plain TCP; use only this machine or a private network. Without it, off.',
    ),
    twilioAuthToken: secret(
      '',
      'Auth token of the Twilio account. With it, connections to /v1/live/twilio must be signed with it.',
    ),
    audiohook: {
      apiKey: text(
        '',
        'API key of the Genesys AudioHook integration. Without all three, /v1/live/audiohook is closed.',
      ),
      secret: secret('', 'Client secret of the AudioHook integration, in base64.'),
      tenant: formerly('scope', text('', 'gk_scope_id of the tenant whose calls arrive by AudioHook.')),
    },
  },
  metrics: {
    listen: text(
      '',
      'HOST:PORT at which metrics are served over plain HTTP, instead of at /metrics of the HTTP listener.',
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
    pretty: flag(false, 'Write log lines for human readers instead of one JSON object per line.'),
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
      'Operations per client and second, over all nodes. Further ones are answered RATE_EXCEEDED. 0 means no limit.',
    ),
    failedLoginsPerMinute: integer(20, 1, 100_000, 'Failed authentications per address and minute.'),
    failedLoginsBeforeLock: integer(
      10,
      3,
      1000,
      'Consecutive wrong passwords for an account after which sign-ins from each address are slowed down for a while; after five times as many (at most 100), those from all addresses together.',
    ),
    loginLockMinutes: integer(
      15,
      1,
      10_080,
      'How long sign-ins stay slow. Browsers that the owner has used before are not affected.',
    ),
  },
  forwardAuth: {
    gateway: choice(
      ['none', 'nginx', 'traefik', 'envoy'] as const,
      'none',
      'Gateway that asks at /oauth2/forward-auth. Only its headers say what a caller asked it for; without it, tokens bound to a key are refused there.',
    ),
  },
  applications: {
    creators: choice(
      ['administrators', 'owners'] as const,
      'owners',
      'Who may create applications: administrators only, or also people whom somebody has named the owner of one.',
    ),
    perOwner: integer(20, 1, 10_000, 'Applications that one person may own; administrators may create more.'),
  },
  endpoints: {
    asr: endpoints(
      'Where clients reach the recognition service, for config.json. Without it, the entry there is empty.',
    ),
    nlu: endpoints('Where clients reach the interpretation service.'),
    tts: endpoints('Where clients reach the synthesis service.'),
    dlg: endpoints('Where clients reach the dialog service.'),
    voiceprint: endpoints('Where clients reach the voiceprint service. Without it, this server.'),
  },
  signIn: {
    localAccounts: flag(
      true,
      'People may sign in with a password of this server. Switch it off once everybody uses the identity provider.',
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
      scopes: text('openid profile email', 'Scopes requested from the provider.'),
      userNameClaim: text(
        'preferred_username',
        'Claim with the user name; if it is missing, the email address is used.',
      ),
      groupsClaim: text('groups', 'Claim with the groups or roles of the person.'),
      groups: text(
        '',
        'Roles by group: GROUP=administrator, GROUP=auditor, GROUP=member or GROUP=GK_SCOPE_ID:ROLE, separated by commas; * means everybody. Without it, everybody is a member and roles are assigned here.',
      ),
      refreshTokenSeconds: integer(
        8 * 3600,
        600,
        366 * 86_400,
        'Time after which people must sign in at the provider again, because this server cannot ask it whether their account still exists.',
      ),
      createUsers: flag(true, 'Create a user for new people on their first visit.'),
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
      "PEM file with the authorities of the SIEM's certificate, with syslog+tls. Without it, those the system trusts.",
    ),
  },
  batch: {
    folder: text(
      '',
      'Folder on this machine from which batches may read recordings; {tenant} stands for the ID of the tenant. Without it, none.',
    ),
    s3Prefixes: text(
      '',
      'S3 locations from which batches may read recordings: s3://BUCKET or s3://BUCKET/PREFIX, separated by commas; {tenant} stands for the ID of the tenant. Accessed with the settings in media.s3. Without it, none.',
    ),
  },
  webhooks: {
    privateNetworks: text(
      '',
      'Private addresses and networks that webhooks may be sent to, such as 10.20.0.0/16, separated by commas. Without it, public addresses only.',
    ),
    plainHttp: flag(false, 'Webhooks may be sent without TLS, to addresses that begin with http://.'),
  },
  groups: {
    printsMax: integer(
      1_000_000,
      1,
      5_000_000,
      'Voiceprints of groups and watchlists that a node holds in memory, about 0.6 kB each. A longer group or watchlist is refused (TOO_LARGE).',
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
      'Speaker model, by the name of its folder, such as speaker-ecapa512-r2; keeps it in use even if the program ships a newer one. Without it, the newest.',
    ),
    renewPrints: flag(
      true,
      'After a change of the speaker model, remake the prints of the previous one from their stored enrollment audio, in the background.',
    ),
  },
  sealing: {
    masterKey: secret(
      '',
      'Master key for encryption at rest, 32 bytes in base64; during a rotation the old and the new one, separated by a comma. Without it, a key file in the home directory.',
    ),
  },
  retention: {
    mediaDays: integer(90, 1, 36_500, 'Days that recordings are kept; longer in a voiceprint or on hold.'),
    sessionDays: integer(
      365,
      8,
      36_500,
      'Days that sessions and engagements are kept after they were last used.',
    ),
    auditDays: integer(730, 1, 36_500, 'Days that audit records are kept.'),
    eventDays: integer(30, 1, 3650, 'Days that runtime events are kept.'),
    eventsMax: integer(1_000_000, 1000, 1_000_000_000, 'Maximum number of runtime events that are kept.'),
    tenantDeletionDays: formerly(
      'scopeDeletionDays',
      integer(30, 0, 3650, 'Days until a tenant marked for deletion is removed.'),
    ),
  },
} satisfies Section;
