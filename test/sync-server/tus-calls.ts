import { createHash } from 'node:crypto';

import { tusType } from '#shared/sync/uploads.ts';
import { openMedia } from '#server/media/open.ts';
import { recordedLocation } from '#server/media/recorded-location.ts';
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

/** The stored uploads of a person: id with total size, and the size of what arrived. */
export async function uploadsOf(
  { dataDir, services: { log, now } }: TestServer,
  { userid }: TestPerson,
): Promise<{ name: string; size: number }[]> {
  const { uploads } = await openMedia({ location: recordedLocation(dataDir), dataDir, log, now });
  return (await uploads.list(userid)).map(({ state }) => ({
    name: `${state.upload}.${state.size}`,
    size: state.offset,
  }));
}

export const text = Buffer.from('How to change the belt of a grinder. '.repeat(100));
