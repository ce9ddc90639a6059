// Opens the store of recordings that an address names: a folder, or a bucket of an S3-compatible store.
import type { BlobStore } from './blob-store.js';
import { type FileBlobsDeps, fileBlobs } from './file-blobs.js';
import type { BucketOptions } from './s3/client-settings.js';
import { s3Blobs } from './s3/s3-blobs.js';

/** Access to S3, independent of the bucket. */
export type S3Access = Omit<BucketOptions, 'bucket'>;

const s3Address = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/;

/** `s3://BUCKET/PREFIX`, or the path of a folder. */
export function openBlobs(
  address: string,
  access: S3Access,
  { clock, sealerOf }: Omit<FileBlobsDeps, 'root'>,
): BlobStore {
  const [, bucket, prefix = ''] = s3Address.exec(address) ?? [];
  if (bucket === undefined) return fileBlobs({ root: address, clock, sealerOf });
  return s3Blobs({
    bucket: { ...access, bucket },
    prefix: prefix.replace(/^\/+|\/+$/g, ''),
    clock,
    sealerOf,
  });
}
