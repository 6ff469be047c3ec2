import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { Bucket, partSize } from '#server/media/s3/bucket.ts';
import { S3Blobs } from '#server/media/s3/s3-blobs.ts';
import { startS3, type S3Fault, type S3Server } from '#test/support/s3-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const patience = { connectMs: 2000, answerMs: 30_000, silentMs: 2000 };

let s3: S3Server;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let blobs: S3Blobs;

const opened = (answerMs = patience.answerMs): Promise<S3Blobs> =>
  S3Blobs.open(new Bucket(s3.location, { ...patience, answerMs }), {
    folder: folder.path,
    log: pino({ level: 'silent' }),
    now: Date.now,
  });

beforeAll(async () => {
  s3 = await startS3();
  folder = await temporaryFolder('blobs');
  blobs = await opened();
});
afterAll(async () => {
  await s3[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});
beforeEach(() => {
  s3.fault = () => null;
});

const incoming = (): string[] => readdirSync(join(folder.path, 'incoming'));

/** Meets every request of a method with a fault, or the first ones. Returns how many were met. */
function meet(method: string, fault: S3Fault, most = Infinity): { count: number } {
  const met = { count: 0 };
  s3.fault = (request) => {
    if (request.method !== method || met.count >= most) return null;
    met.count += 1;
    return fault;
  };
  return met;
}

async function streamed(sha256: string, start: number, end: number): Promise<Buffer> {
  return buffer(await (await blobs.open(sha256)).stream(start, end));
}

const broken: Record<string, S3Fault> = {
  'other bytes': { corrupts: true },
  'a shorter body': { shortenTo: 700_000 },
  'a reset in the middle': { resetAfter: 700_000 },
  'silence in the middle': { silentAfter: 700_000 },
};

for (const [name, fault] of Object.entries(broken)) {
  test(`BUCKET-2 ${name}: a file that is read whole is read again, and never taken for complete`, async () => {
    const bytes = randomBytes(1_000_000);
    const { sha256 } = await blobs.put(bytes);
    const once = meet('GET', fault, 1);
    expect((await blobs.read(sha256)).equals(bytes)).toBe(true);
    expect(once.count).toBe(1);
    const always = meet('GET', fault);
    await expect(blobs.read(sha256)).rejects.toThrow();
    expect(always.count).toBe(3);
    await expect(streamed(sha256, 0, bytes.length - 1)).rejects.toThrow();
    if (!('corrupts' in fault)) await expect(streamed(sha256, 1, bytes.length - 1)).rejects.toThrow();
  });
}

test('BUCKET-2 the last piece of a file is sent only if the whole file is right', async () => {
  const bytes = randomBytes(1_000_000);
  const { sha256 } = await blobs.put(bytes);
  meet('GET', { corrupts: true });
  let length = 0;
  const reading = async (): Promise<void> => {
    const file = await blobs.open(sha256);
    for await (const piece of await file.stream(0, bytes.length - 1)) length += (piece as Buffer).length;
  };
  await expect(reading()).rejects.toThrow(`What S3 sent is not the file ${sha256}`);
  expect(length).toBeLessThan(bytes.length);
});

test('BUCKET-2 damaged derived data is made again', async () => {
  const { sha256 } = await blobs.put(Buffer.from('a picture'));
  const make = async (): Promise<Buffer> => Buffer.from('a small picture');
  await blobs.derived(sha256, 'mini', make);
  meet('GET', { corrupts: true });
  expect((await (await blobs.derived(sha256, 'mini', make)).bytes()).toString()).toBe('a small picture');
});

test('BUCKET-5 S3 that asks to slow down for a moment is asked again', async () => {
  const bytes = randomBytes(1000);
  const met = meet('PUT', { status: 503, code: 'SlowDown' }, 2);
  const { sha256 } = await blobs.put(bytes);
  expect(met.count).toBe(2);
  expect(await blobs.read(sha256)).toEqual(bytes);
});

const unavailable = { kind: 'unavailable', status: 503, code: 'storage-unavailable' };
const waiting: Record<string, S3Fault> = {
  SlowDown: { status: 503, code: 'SlowDown' },
  'an internal error': { status: 500, code: 'InternalError' },
  'no answer': { hangs: true },
};

for (const [name, fault] of Object.entries(waiting)) {
  test(`BUCKET-5 ${name}: the call is 503 with the time after which it may be repeated`, async () => {
    const { sha256 } = await blobs.put(randomBytes(1000));
    const impatient = await opened(500);
    meet('GET', fault);
    await expect(impatient.read(sha256)).rejects.toMatchObject({
      ...unavailable,
      details: { retryAfterSeconds: 30 },
    });
    meet('PUT', fault);
    await expect(impatient.put(randomBytes(1000))).rejects.toMatchObject({
      ...unavailable,
      details: { retryAfterSeconds: 30 },
    });
  }, 60_000);
}

test('BUCKET-5 refused credentials, and a bucket that does not exist, are 503 without a time', async () => {
  const { sha256 } = await blobs.put(randomBytes(1000));
  for (const fault of [
    { status: 403, code: 'AccessDenied' },
    { status: 404, code: 'NoSuchBucket' },
  ]) {
    meet('GET', fault);
    const refused = blobs.read(sha256);
    await expect(refused).rejects.toMatchObject(unavailable);
    await expect(refused).rejects.not.toHaveProperty('details.retryAfterSeconds');
  }
});

test('BUCKET-5 derived data that cannot be stored is served nevertheless', async () => {
  const { sha256 } = await blobs.put(randomBytes(1000));
  meet('PUT', { status: 503, code: 'SlowDown' });
  const file = await blobs.derived(sha256, 'mini', async () => Buffer.from('a small picture'));
  expect((await file.bytes()).toString()).toBe('a small picture');
});

test('BUCKET-4 everything that is sent to S3 has its SHA-256 in its signature, in parts too', async () => {
  s3.bodies = [];
  await blobs.put(randomBytes(1000));
  await using file = await blobs.receive([randomBytes(2 * partSize + 1)]);
  await file.keep();
  expect(s3.bodies).toHaveLength(4);
  for (const { signed, arrived } of s3.bodies) expect(signed).toBe(arrived);
});

test('BUCKET-3 a large file whose part is refused is given up in S3 at once', async () => {
  const met = meet('PUT', { status: 403, code: 'AccessDenied' });
  const file = await blobs.receive([randomBytes(2 * partSize)]);
  await expect(file.keep()).rejects.toMatchObject(unavailable);
  expect(met.count).toBeGreaterThan(0);
  expect(s3.uploads.size).toBe(0);
  expect(incoming()).toEqual([]);
});

test('BUCKET-3 a process that is killed in the middle of a large file leaves nothing that lasts', async () => {
  const size = 3 * partSize;
  const sha256 = createHash('sha256').update(Buffer.alloc(size, 1)).digest('hex');
  const reached = new Promise<void>((resolve) => {
    s3.fault = ({ method, path }) => {
      if (method !== 'PUT' || !path.includes('partNumber=3')) return null;
      resolve();
      return { hangs: true };
    };
  });
  const program = fileURLToPath(new URL('store-until-killed.ts', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(s3.location), folder.path, String(size)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await reached;
  child.kill('SIGKILL');
  await once(child, 'exit');
  s3.fault = () => null;
  expect(await blobs.has(sha256)).toBe(false);
  expect([s3.uploads.size, incoming().length]).toEqual([1, 1]);

  // It may still be running, for all that another process knows.
  await opened();
  expect([s3.uploads.size, incoming().length]).toEqual([1, 1]);

  const old = Date.now() - 25 * 3_600_000;
  for (const upload of s3.uploads.values()) upload.begun = old;
  for (const name of incoming()) utimesSync(join(folder.path, 'incoming', name), old / 1000, old / 1000);
  await opened();
  expect([s3.uploads.size, incoming().length]).toEqual([0, 0]);

  await using again = await blobs.receive([Buffer.alloc(size, 1)]);
  expect(await again.keep()).toEqual({ sha256, size });
}, 60_000);
