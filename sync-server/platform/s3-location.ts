import { z } from 'zod';

/** Where files are in S3. Credentials come from the environment (`AWS_…`), as for other programs. */
export const s3Location = z.strictObject({
  bucket: z.string().min(1),
  /** Ends with `/` unless it is empty. */
  prefix: z.string(),
  /** Address of another server than that of AWS. */
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  /** Default: that of the environment. */
  region: z.string().min(1).optional(),
  /** Whether the name of the bucket is in the path of addresses and not in the host, as many servers need it. */
  pathStyle: z.boolean(),
  /** Whether clients are sent to S3 for large files, with addresses that work for a minute. */
  redirects: z.boolean(),
});
export type S3Location = z.infer<typeof s3Location>;

/** Bucket and prefix of `s3://BUCKET/PREFIX`; null for another text. */
export function bucketNamed(text: string): Pick<S3Location, 'bucket' | 'prefix'> | null {
  const parts = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text);
  if (parts === null) return null;
  const [, bucket = '', path = ''] = parts;
  const names = path.split('/').filter((name) => name !== '');
  return names.some((name) => /^\.+$/.test(name))
    ? null
    : { bucket, prefix: names.map((name) => `${name}/`).join('') };
}

/** `s3://BUCKET/PREFIX`, as people write it. */
export function locationText({ bucket, prefix }: Pick<S3Location, 'bucket' | 'prefix'>): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, '');
}

/** Whether both are the same place, however it is reached. */
export function isSameBucket(one: S3Location, other: S3Location): boolean {
  return one.endpoint === other.endpoint && locationText(one) === locationText(other);
}
