// What settings must fulfil beyond what each may be by itself: those that belong together, files that must be there, addresses,
// networks and names.
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import type { settings, Values } from './settings.js';
import { hostPortOf, listed, packageRootsOf, trustedProxiesOf } from './read-text.js';

type Config = Values<typeof settings>;

/** Plain http only to this machine: a token goes with it. */
const siemUrlPattern =
  /^(?:(?:https|syslog\+tls|syslog\+tcp):\/\/[^\s/?#@]+|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?)(?:[/?]\S*)?$/;

export function checkTogether(config: Config, faults: string[]): void {
  if ((config.tls.key === '') !== (config.tls.cert === ''))
    faults.push('tls: key and cert must be given together');
  for (const name of ['key', 'cert', 'clientAuthorities'] as const) {
    const path = config.tls[name];
    if (path !== '' && !existsSync(path)) faults.push(`tls.${name}: no such file: ${path}`);
  }
  if (config.database !== '' && !/^(postgres|postgresql|sqlite|file):/.test(config.database)) {
    faults.push('database: must be a postgres:// URL or empty');
  }
  if (config.publicUrl !== '' && !/^https?:\/\/[^\s/]+/.test(config.publicUrl))
    faults.push('publicUrl: must start with http:// or https://');
  else if (config.publicUrl !== '' && !/^https?:\/\/[^\s/?#@]+\/?$/.test(config.publicUrl))
    faults.push(
      'publicUrl: must be a host and an optional port; a path, a query or credentials are not supported',
    );
  checkMedia(config.media, faults);
  checkBudget(config.limits, faults);
  if (config.metrics.listen !== '' && !hostPortOf(config.metrics.listen))
    faults.push('metrics.listen: must be HOST:PORT');
  if (config.live.audiosocket !== '' && !hostPortOf(config.live.audiosocket))
    faults.push('live.audiosocket: must be HOST:PORT');
  if (config.siem.url !== '' && !siemUrlPattern.test(config.siem.url))
    faults.push('siem.url: must start with https://, syslog+tls:// or syslog+tcp://, without credentials');
  if (config.siem.authorities !== '' && !existsSync(config.siem.authorities))
    faults.push(`siem.authorities: no such file: ${config.siem.authorities}`);
  for (const network of listed(config.webhooks.privateNetworks))
    if (!isNetwork(network))
      faults.push(`webhooks.privateNetworks: ${network} is neither an address nor a network`);
  checkSignIn(config, faults);
  checkMutualTls(config, faults);
  checkPackageRoots(config.compat.packageRoots, faults);
  const { http, grpc } = config;
  const proxies = trustedProxiesOf(http.trustedProxies);
  for (const proxy of Array.isArray(proxies) ? proxies : [])
    if (!isNetwork(proxy)) faults.push(`http.trustedProxies: ${proxy} is neither an address nor a network`);
  if (grpc.publicAddress !== '' && !/^[^\s/:]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/.test(grpc.publicAddress))
    faults.push('grpc.publicAddress: must be HOST:PORT');
  if (
    http.address.port !== 0 &&
    http.address.port === grpc.address.port &&
    http.address.host === grpc.address.host
  ) {
    faults.push('grpc.address: must differ from http.address');
  }
}

/** The names that every S3 store takes. */
const mediaStorePattern = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[A-Za-z0-9._/-]*)?$/;

function checkMedia({ store, s3 }: Config['media'], faults: string[]): void {
  if (store !== '' && !mediaStorePattern.test(store))
    faults.push('media.store: must be s3://BUCKET or s3://BUCKET/PREFIX');
  if (s3.endpoint !== '' && !/^https?:\/\/[^\s/?#@]+\/?$/.test(s3.endpoint))
    faults.push('media.s3.endpoint: must be http:// or https:// with a host and an optional port');
  if ((s3.accessKeyId === '') !== (s3.secretAccessKey === ''))
    faults.push('media.s3: accessKeyId and secretAccessKey must be given together');
}

const groupRulePattern =
  /^[^,]+=(?:administrator|auditor|member|[^:,\s]+:(?:owner|developer|operator|fraud-analyst|auditor|data-protection))$/;

const roles = new Set(['administrator', 'auditor', 'member']);

function checkSignIn(
  { signIn: { localAccounts, secondFactorRoles, provider } }: Config,
  faults: string[],
): void {
  for (const role of listed(secondFactorRoles))
    if (!roles.has(role))
      faults.push(`signIn.secondFactorRoles: ${role} must be administrator, auditor or member`);
  const { issuer, clientId, groups, scopes } = provider;
  if (issuer === '') {
    if (!localAccounts)
      faults.push('signIn.localAccounts: must be true while there is no signIn.provider.issuer');
    return;
  }
  if (!/^https:\/\/[^\s?#@]+$|^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/\S*)?$/.test(issuer))
    faults.push('signIn.provider.issuer: must start with https://');
  if (clientId === '') faults.push('signIn.provider.clientId: is needed with an issuer');
  if (!scopes.split(' ').includes('openid')) faults.push('signIn.provider.scopes: must contain openid');
  for (const rule of groups.split(',').map((each) => each.trim()))
    if (rule !== '' && !groupRulePattern.test(rule))
      faults.push(`signIn.provider.groups: ${rule} must be GROUP=ROLE or GROUP=GK_SCOPE_ID:ROLE`);
}

function checkMutualTls({ tls, http }: Config, faults: string[]): void {
  if (tls.clientCertificates && tls.key === '')
    faults.push('tls.clientCertificates: needs tls.key and tls.cert');
  if (tls.clientCertificateHeader !== '' && http.trustedProxies === '')
    faults.push('tls.clientCertificateHeader: needs http.trustedProxies');
  if (tls.clientCertificateHeader !== '' && !/^[A-Za-z0-9-]+$/.test(tls.clientCertificateHeader))
    faults.push('tls.clientCertificateHeader: must be the name of a header');
}

/** Names of packages that are there already, and what no package is called. */
const reservedRoots = new Set(['vendor', 'voxgate', 'google', 'grpc', 'v1']);
const rootPattern = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/;

function checkPackageRoots(text: string, faults: string[]): void {
  for (const root of packageRootsOf(text)) {
    if (!rootPattern.test(root))
      faults.push(`compat.packageRoots: "${root}" is not the name of a package, such as acme or acme.voice`);
    else if (reservedRoots.has(root.split('.')[0] ?? ''))
      faults.push(`compat.packageRoots: ${root} is taken`);
  }
}

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  );
}

/** A message that may be sent but never fits is a trap for whoever sends it. */
function checkBudget(limits: Config['limits'], faults: string[]): void {
  const largest = Math.max(limits.messageBytes, limits.bodyBytes);
  for (const name of ['bytesInFlight', 'bytesInFlightPerClient', 'bytesInFlightPerConnection'] as const) {
    if (limits[name] < largest)
      faults.push(`limits.${name}: must hold the largest request, ${largest} bytes, at least once`);
  }
}
