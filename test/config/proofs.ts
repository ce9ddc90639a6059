// For every setting the test that would fail if the setting did nothing: its file and its name. settings.test.ts next to
// this walks the table of settings and fails when one has no line here, or the test that a line names does not exist.

type Proof = readonly [file: string, test: string];

const HERE = 'test/config/settings.test.ts';
const SHARE = 'test/attacks/fair-share.test.ts';
const MEMORY = 'test/attacks/memory.test.ts';
const OPERATION = 'test/transport/operation.test.ts';
const POSTGRES = 'test/storage/postgres-faults.test.ts';
const RETENTION = 'test/biometrics/insight/retention.test.ts';
const PROVIDER = 'test/auth/provider.test.ts';
const TOKENS = 'test/config/token-settings.test.ts';
const AUDIOHOOK = 'test/live/audiohook.test.ts';
const MUTUAL_TLS = 'test/auth/mutual-tls.test.ts';
const LISTENERS = 'test/transport/listeners.test.ts';
const NODES = 'test/compose/nodes-as-one.test.ts';
const WEBHOOKS = 'test/biometrics/webhooks.ts';
const CREATORS = 'test/attacks/who-creates-applications.test.ts';
const S3 = 'test/storage/s3-faults.test.ts';

export const proofs: Readonly<Record<string, Proof>> = {
  home: [
    'test/cli/state-commands.test.ts',
    'prints what a first client needs, and later the same without secrets',
  ],
  database: [POSTGRES, 'answers BUSY with a time to come again'],
  publicUrl: [HERE, 'names the address at which clients reach the server'],
  'media.store': [NODES, 'verify a recording that was uploaded to another one'],
  'media.s3.endpoint': [NODES, 'verify a recording that was uploaded to another one'],
  'media.s3.region': [S3, 'reach the SDK as they are meant'],
  'media.s3.addressing': [S3, 'reach the SDK as they are meant'],
  'media.s3.accessKeyId': [NODES, 'are not ready with a wrong %s of the media store, and say why'],
  'media.s3.secretAccessKey': [NODES, 'are not ready with a wrong %s of the media store, and say why'],
  'postgres.poolMax': [POSTGRES, 'opens no more connections than it may'],
  'postgres.connectTimeoutMs': [HERE, 'is given up after the time that is set'],
  'postgres.statementTimeoutMs': [POSTGRES, 'ends a statement that takes too long'],
  'http.address': ['test/cli/addresses.test.ts', 'is where commands say it is'],
  'http.trustedProxies': ['test/attacks/behind-a-proxy.test.ts', 'is configured by networks or hops'],
  'grpc.address': ['test/cli/addresses.test.ts', 'speaks gRPC where config.json says so'],
  'grpc.publicAddress': [HERE, 'names the address at which clients reach the server, and knows its own'],
  'tls.key': ['test/transport/grpc.test.ts', 'serves both listeners with the same certificate'],
  'tls.clientCertificates': [MUTUAL_TLS, 'gets tokens that nobody else can use, over REST and gRPC'],
  'tls.clientAuthorities': [TOKENS, 'knows the authorities of client certificates'],
  'tls.clientCertificateHeader': [MUTUAL_TLS, 'a certificate counts from a trusted one only'],
  'tls.cert': ['test/transport/grpc.test.ts', 'serves both listeners with the same certificate'],
  'limits.bodyBytes': [
    'test/transport/rest.test.ts',
    'reads a body whose length nobody announced, up to the limit',
  ],
  'limits.headerBytes': [LISTENERS, 'has a large header'],
  'limits.messageBytes': ['test/transport/grpc.test.ts', 'refuses a message beyond the limit'],
  'limits.mediaBytes': [HERE, 'refuses media beyond the limit, whatever the config set allows'],
  'limits.bytesInFlight': [HERE, 'holds no more bytes than it may'],
  'limits.bytesInFlightPerClient': [MEMORY, 'are bounded per client over many connections'],
  'limits.bytesInFlightPerConnection': [
    MEMORY,
    'are bounded per connection, and given back when the calls end',
  ],
  'limits.connections': [SHARE, "['in all', { 'limits.connections': 3 }]"],
  'limits.connectionsPerAddress': [SHARE, "['of one address', { 'limits.connectionsPerAddress': 3 }]"],
  'limits.concurrentCalls': [OPERATION, 'answers BUSY above the number of calls served at once'],
  'limits.concurrentCallsPerClient': [SHARE, 'of one client are bounded, and another is served meanwhile'],
  'limits.streamsPerClient': [SHARE, 'are few per client, and the streams of others are served meanwhile'],
  'limits.streamIdleMs': [SHARE, 'ends when its caller is silent for too long'],
  'limits.streamTimeoutMs': [SHARE, 'ends when it has lasted as long as it may'],
  'limits.callTimeoutMs': [OPERATION, 'cuts a handler at the longest time a call may take'],
  'limits.listLength': ['test/transport/rest.test.ts', "'limits.listLength'"],
  'limits.jsonDepth': [HERE, 'refuses JSON that nests deeper than it may'],
  'limits.lameDuckMs': ['test/compose/lame-duck.test.ts', 'says that it is not ready while it still answers'],
  'limits.shutdownMs': [OPERATION, 'cuts what is left after the limit'],
  'live.callsMax': ['test/live/listen.test.ts', "'live.callsMax': 1"],
  'signIn.localAccounts': [PROVIDER, 'cannot use a password where local accounts are off'],
  'signIn.secondFactorRoles': [TOKENS, 'that need a second factor are asked for one'],
  'signIn.provider.issuer': [PROVIDER, 'becomes a user on the first visit, with the roles of their groups'],
  'signIn.provider.clientId': [PROVIDER, 'becomes a user on the first visit, with the roles of their groups'],
  'signIn.provider.clientSecret': [
    PROVIDER,
    'becomes a user on the first visit, with the roles of their groups',
  ],
  'signIn.provider.name': [PROVIDER, 'becomes a user on the first visit, with the roles of their groups'],
  'signIn.provider.scopes': [PROVIDER, 'becomes a user on the first visit, with the roles of their groups'],
  'signIn.provider.userNameClaim': [
    PROVIDER,
    'becomes a user on the first visit, with the roles of their groups',
  ],
  'signIn.provider.groupsClaim': [
    PROVIDER,
    'becomes a user on the first visit, with the roles of their groups',
  ],
  'signIn.provider.groups': [PROVIDER, 'becomes a user on the first visit, with the roles of their groups'],
  'signIn.provider.refreshTokenSeconds': [
    PROVIDER,
    'comes back to the provider when the time of their tokens is over, however often they are refreshed',
  ],
  'signIn.provider.createUsers': [PROVIDER, 'somebody new is turned away where users are not made'],
  'compat.packageRoots': ['test/transport/package-roots.test.ts', "'compat.packageRoots'"],
  'live.audiosocket': ['test/live/send.test.ts', "'live.audiosocket': `127.0.0.1:"],
  'live.resumeMs': ['test/live/listen.test.ts', "'live.resumeMs': 50"],
  'live.twilioAuthToken': [
    'test/live/twilio.test.ts',
    "'live.twilioAuthToken': '12345678901234567890123456789012'",
  ],
  'live.audiohook.apiKey': [AUDIOHOOK, 'is judged by the customer of two channels'],
  'live.audiohook.secret': [AUDIOHOOK, 'is judged by the customer of two channels'],
  'live.audiohook.tenant': [AUDIOHOOK, 'is judged by the customer of two channels'],
  'metrics.listen': [LISTENERS, 'have an address of their own, and then no other'],
  'metrics.token': [LISTENERS, 'ask for their token'],
  'log.level': [HERE, 'writes lines from the level on'],
  'log.pretty': [HERE, 'writes lines for people'],
  'tokens.accessTokenSeconds': [TOKENS, 'has the lifetime, the signature and the issuer that are set'],
  'tokens.engagementTokenSeconds': [TOKENS, 'for the engagement API has a lifetime of its own'],
  'tokens.refreshTokenSeconds': [TOKENS, 'can be renewed for as long as is set'],
  'tokens.keyMaxAgeDays': [TOKENS, 'a signing key is replaced at the age that is set'],
  'tokens.algorithm': [TOKENS, 'has the lifetime, the signature and the issuer that are set'],
  'tokens.issuer': [TOKENS, 'has the lifetime, the signature and the issuer that are set'],
  'rateLimits.tokenRequestsPerMinute': [
    'test/engagement-api/engagement-api.test.ts',
    'keeps to the rate limits',
  ],
  'rateLimits.tokenRequestsPerAddressPerMinute': [TOKENS, 'to token requests of one address'],
  'rateLimits.callsPerSecond': [SHARE, 'that come too fast are told RATE_EXCEEDED'],
  'rateLimits.failedLoginsPerMinute': [TOKENS, 'to failed authentications of one address'],
  'rateLimits.failedLoginsBeforeLock': [TOKENS, 'slow sign-ins down after as many wrong passwords'],
  'rateLimits.loginLockMinutes': [TOKENS, 'slow sign-ins down after as many wrong passwords'],
  'forwardAuth.gateway': [
    'test/auth/forward-auth.test.ts',
    '%s lets in a proof for this address and none for another, whatever headers the caller sets',
  ],
  'applications.creators': [CREATORS, 'where only administrators may, an owner may not'],
  'applications.perOwner': [CREATORS, 'an owner has a quota, of environments too'],
  'endpoints.asr': [TOKENS, 'names the services that are set'],
  'endpoints.nlu': [TOKENS, 'names the services that are set'],
  'endpoints.tts': [TOKENS, 'names the services that are set'],
  'endpoints.dlg': [TOKENS, 'names the services that are set'],
  'endpoints.voiceprint': [TOKENS, 'names the services that are set'],
  'batch.folder': [
    'test/biometrics/batch/batch.test.ts',
    'enrolls whom the manifest names, and says why not',
  ],
  'batch.s3Prefixes': [
    'test/biometrics/batch/batch.test.ts',
    'reads from S3 below what is allowed, a whole folder of it too, and nowhere else',
  ],
  'webhooks.privateNetworks': [
    WEBHOOKS,
    'deliver what the feed tells, signed, where the operator lets them go',
  ],
  'webhooks.plainHttp': [WEBHOOKS, 'deliver what the feed tells, signed, where the operator lets them go'],
  'siem.url': ['test/events/siem.test.ts', 'sends JSON lines with the token'],
  'siem.authorities': ['test/events/siem.test.ts', 'by TLS goes to a SIEM of a known authority only'],
  'siem.token': ['test/events/siem.test.ts', 'sends JSON lines with the token'],
  'groups.printsMax': [
    'test/biometrics/lists-and-limits.test.ts',
    'refuses a group of more prints than a node holds',
  ],
  'engine.workers': [HERE, 'has the workers that are set'],
  'engine.queueLength': ['test/biometrics/busy.test.ts', 'answers BUSY with retry_info and Retry-After'],
  'engine.idleSeconds': [HERE, 'has the workers that are set'],
  'engine.modelsDir': [HERE, 'looks for its models where they are said to be'],
  'engine.speakerModel': [HERE, 'stays with the speaker model that is named'],
  'engine.renewPrints': [
    'test/biometrics/model-change.test.ts',
    'makes the prints again by itself, fraudsters first, and keeps what it cannot make',
  ],
  'sealing.masterKey': [
    'test/compose/bootstrap-together.test.ts',
    'make one administrator, one scope and one application',
  ],
  'retention.mediaDays': [
    'test/biometrics/insight/sweep-media.test.ts',
    'deletes what is past its retention',
  ],
  'retention.sessionDays': [RETENTION, "'retention.sessionDays'"],
  'retention.auditDays': [RETENTION, "'retention.auditDays'"],
  'retention.eventDays': [TOKENS, 'keeps events for the days, and in the number, that are set'],
  'retention.eventsMax': [TOKENS, 'keeps events for the days, and in the number, that are set'],
  'retention.tenantDeletionDays': [HERE, 'refuses media beyond the limit, whatever the config set allows'],
};
