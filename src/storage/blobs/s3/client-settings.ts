// Translates the options for reaching an S3 store into settings of the SDK.
import type { S3ClientConfig } from '@aws-sdk/client-s3';

export interface BucketOptions {
  bucket: string;
  /** Empty for AWS itself. */
  endpoint: string;
  /** Empty for the region named by the environment. */
  region: string;
  /** `auto`: by path at a custom endpoint, by host name at AWS. */
  addressing: 'auto' | 'path' | 'host';
  /**
   * Empty for the credentials of the environment: variables, a shared file, the role of the machine or pod.
   */
  accessKeyId: string;
  secretAccessKey: string;
}

const ATTEMPTS_MAX = 4;
const CONNECT_TIMEOUT_MS = 3000;
/** Time without a byte in either direction. */
const SILENCE_TIMEOUT_MS = 20_000;
/** The default that self-hosted stores expect. */
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
    // Every body is signed with its SHA-256 and also sealed; stores other than AWS refuse further checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_TIMEOUT_MS },
  };
}
