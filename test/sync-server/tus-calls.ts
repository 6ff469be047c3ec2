import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { tusType } from '#shared/sync/uploads.ts';
import { jsonOf } from '#test/support/answer.ts';
import type { TestPerson, TestServer } from '#test/support/server.ts';

export const key = 'upload-of-ana-1';

export interface Got {
  status: number;
  headers: Headers;
  body: never;
}

/** A tus request of this person; `body` is bytes, or a stream that may break off. */
export async function tus(
  server: TestServer,
  { token }: Pick<TestPerson, 'token'>,
  method: string,
  id: string | null,
  headers: Record<string, string> = {},
  body?: BodyInit,
): Promise<Got> {
  const response = await fetch(`${server.url}/sync/1/uploads${id === null ? '' : `/${id}`}`, {
    method,
    headers: { Authorization: `api ${token}`, 'Tus-Resumable': '1.0.0', ...headers },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  } as RequestInit);
  return { status: response.status, headers: response.headers, body: await jsonOf(response) };
}

export function begin(
  server: TestServer,
  person: Pick<TestPerson, 'token'>,
  size: number,
  name = key,
): Promise<Got> {
  const metadata = `key ${Buffer.from(name).toString('base64')}`;
  return tus(server, person, 'POST', null, { 'Upload-Length': String(size), 'Upload-Metadata': metadata });
}

export function add(
  server: TestServer,
  person: Pick<TestPerson, 'token'>,
  offset: number,
  bytes: BodyInit,
  name = key,
): Promise<Got> {
  const headers = { 'Upload-Offset': String(offset), 'Content-Type': tusType };
  return tus(server, person, 'PATCH', name, headers, bytes);
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function url(server: TestServer, bytes: Uint8Array, kind = 'documents', name = key): string {
  return `${server.url}/api/2.0/user/media/${kind}?file=manual.txt&upload=${name}&sha256=${sha256(bytes)}`;
}

/** The documented call with the upload of this name instead of its body. */
export async function use(
  server: TestServer,
  { token }: Pick<TestPerson, 'token'>,
  bytes: Uint8Array,
  { kind, name = key }: { kind?: string; name?: string } = {},
): Promise<Got> {
  const response = await fetch(url(server, bytes, kind, name), {
    method: 'POST',
    headers: { Authorization: `api ${token}`, ...(kind === undefined ? { 'Idempotency-Key': name } : {}) },
  });
  return { status: response.status, headers: response.headers, body: await jsonOf(response) };
}

/** The upload files of a person. */
export async function readdirOf(
  server: TestServer,
  { userid }: TestPerson,
): Promise<{ name: string; size: number }[]> {
  const folder = join(server.dataDir, 'media', 'uploads', String(userid));
  const names = await readdir(folder);
  return Promise.all(names.map(async (name) => ({ name, size: (await stat(join(folder, name))).size })));
}

export const text = Buffer.from('How to change the belt of a grinder. '.repeat(100));
