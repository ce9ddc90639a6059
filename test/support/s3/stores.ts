// The S3 stores that blobs are tried on: our own, which is always there, and the one that VOXGATE_TEST_S3_URL names
// (http://KEY:SECRET@HOST:PORT/BUCKET), which may be any.
import type { BucketOptions } from '../../../src/storage/blobs/s3/client-settings.js';
import type { S3Server } from './server.js';

export function optionsOf({ endpoint, bucket, credentials }: S3Server): BucketOptions {
  return { endpoint, bucket, region: '', addressing: 'auto', ...credentials };
}

export function givenStore(): BucketOptions | undefined {
  const given = process.env['VOXGATE_TEST_S3_URL'];
  if (given === undefined) return undefined;
  const { origin, pathname, username, password } = new URL(given);
  return {
    endpoint: origin,
    bucket: pathname.slice(1),
    region: '',
    addressing: 'auto',
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  };
}
