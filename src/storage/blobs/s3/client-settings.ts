// How an S3 store is reached: what the options mean to the SDK.
import type { S3ClientConfig } from '@aws-sdk/client-s3';

export interface BucketOptions {
  bucket: string;
  /** Empty for AWS itself. */
  endpoint: string;
  /** Empty for the one that the environment names. */
  region: string;
  /** `auto`: by path at an endpoint of one's own, by host name at AWS. */
  addressing: 'auto' | 'path' | 'host';
  /** Empty for those that the environment has: variables, a shared file, the role of the machine or pod. */
  accessKeyId: string;
  secretAccessKey: string;
}

const ATTEMPTS_MAX = 4;
const CONNECT_TIMEOUT_MS = 3000;
/** Without a byte in either direction. */
const SILENCE_TIMEOUT_MS = 20_000;
/** What stores of one's own expect where nobody says anything else. */
const REGION_ELSEWHERE = 'us-east-1';

export function clientSettings(options: BucketOptions): S3ClientConfig {
  const { endpoint, addressing, accessKeyId, secretAccessKey } = options;
  const region = options.region || (endpoint ? REGION_ELSEWHERE : '');
  return {
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    forcePathStyle: addressing === 'path' || (addressing === 'auto' && endpoint !== ''),
    ...(accessKeyId && { credentials: { accessKeyId, secretAccessKey } }),
    maxAttempts: ATTEMPTS_MAX,
    // Every body is signed with its SHA-256 and sealed besides; other stores than AWS refuse what goes beyond that.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_TIMEOUT_MS },
  };
}
