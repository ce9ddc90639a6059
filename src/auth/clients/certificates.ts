// Client certificates (RFC 8705): what a client has registered, whether a certificate matches it, and the
// thumbprint that binds a token to it. Pure; TLS has proven who holds the private key.
import { X509Certificate } from 'node:crypto';
import { invalidFields, type FieldFault } from '../../errors.js';
import type { CertificateRule } from '../model.js';
import { say } from '../../words/server/say.js';

const CERTIFICATES_MAX = 8;
const NAME_LENGTH_MAX = 512;
const pemPattern = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** `x5t#S256` (RFC 8705 section 3.1). */
export function thumbprintOf(certificate: X509Certificate): string {
  return Buffer.from(certificate.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
}

/** Every certificate in a PEM text; throws if one cannot be read. */
export function readCertificates(field: string, pem: string): X509Certificate[] {
  try {
    return (pem.match(pemPattern) ?? []).map((text) => new X509Certificate(text));
  } catch {
    throw invalidFields([{ field, violation: 'INVALID_FORMAT', ...say('NOT_PEM') }]);
  }
}

export function certificateRuleFault(rule: CertificateRule): FieldFault | undefined {
  const { thumbprints, ...names } = rule;
  const given = Object.entries(names).filter(([, value]) => value !== undefined);
  const field = 'certificate';
  if (given.length + (thumbprints ? 1 : 0) !== 1) {
    return { field, violation: 'FIELD_CONFLICT', ...say('NOT_ONE_CERTIFICATE_RULE') };
  }
  if (thumbprints && (thumbprints.length === 0 || thumbprints.length > CERTIFICATES_MAX))
    return {
      field,
      violation: 'OUT_OF_RANGE',
      ...say('CERTIFICATES_OUT_OF_RANGE', { max: CERTIFICATES_MAX }),
    };
  if (given.some(([, value]) => value === '' || String(value).length > NAME_LENGTH_MAX))
    return { field, violation: 'TOO_LONG', ...say('CHARACTERS_OUT_OF_RANGE', { max: NAME_LENGTH_MAX }) };
  return undefined;
}

/**
 * Whether a certificate proves the client. Names count only in certificates of an authority that the operator
 * trusts.
 */
export function certificateFits(
  rule: CertificateRule,
  certificate: X509Certificate,
  authorities: readonly X509Certificate[],
  nowMs: number,
): boolean {
  if (rule.thumbprints) return rule.thumbprints.includes(thumbprintOf(certificate));
  const isValid = Date.parse(certificate.validFrom) <= nowMs && nowMs < Date.parse(certificate.validTo);
  const isIssued = authorities.some(
    (authority) => certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
  );
  return isValid && isIssued && !certificate.ca && isNamed(rule, certificate);
}

function isNamed({ subjectDn, sanDns, sanUri }: CertificateRule, certificate: X509Certificate): boolean {
  // Names with special characters are quoted there, and so match nothing.
  const names = certificate.subjectAltName?.split(', ') ?? [];
  if (sanDns !== undefined) return names.includes(`DNS:${sanDns}`);
  if (sanUri !== undefined) return names.includes(`URI:${sanUri}`);
  return subjectDn !== undefined && dnText(certificate.subject) === subjectDn.replaceAll(/,\s+/g, ',');
}

/** In RFC 4514 form: the most specific part first. */
function dnText(subject: string): string {
  return subject.split('\n').reverse().join(',');
}
