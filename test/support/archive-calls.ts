import type { NewArchive, NewImport } from '#shared/api/omanual.ts';
import type { ArchiveImport, MadeArchive } from '#shared/model/archive-record.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import { readLimits } from '#shared/formats/omanual/limits.ts';
import { ZipReader } from '#shared/formats/omanual/zip-reader.ts';

import type { TestPerson, TestServer } from './server.ts';
import { validArchive } from './valid-archive.ts';

type Person = Pick<TestPerson, 'call' | 'token'>;

/** Makes an archive and downloads it. Throws if it is invalid. */
export async function exported(
  server: TestServer,
  person: Person,
  wanted: Partial<NewArchive>,
): Promise<Uint8Array<ArrayBuffer>> {
  const begun = await person.call('POST', '/omanual/archives', wanted);
  if (begun.status !== 202) throw new Error(JSON.stringify(begun.body));
  await server.jobs.idle();
  const { archiveid } = begun.body as MadeArchive;
  const made = (await person.call('GET', `/omanual/archives/${archiveid}`)).body as MadeArchive;
  if (made.url === null) throw new Error(JSON.stringify(made));
  const bytes = await downloaded(made.url, person.token);
  await validArchive(bytes);
  return bytes;
}

/** The bytes at an address. */
export async function downloaded(url: string, token?: string): Promise<Uint8Array<ArrayBuffer>> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `api ${token}` };
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The documents of an archive, by member. */
export async function documentsOf(bytes: Uint8Array<ArrayBuffer>): Promise<{ name: string; xml: string }[]> {
  const zip = await ZipReader.open(bytesSource(bytes), readLimits);
  const found: { name: string; xml: string }[] = [];
  for (const member of zip.members.values()) {
    if (!member.name.endsWith('.xml')) continue;
    const pieces: Uint8Array[] = [];
    for await (const piece of zip.pieces(member)) pieces.push(piece);
    found.push({ name: member.name, xml: Buffer.concat(pieces).toString('utf8') });
  }
  return found;
}

/** Creates an import and sends its file in two parts. */
export async function begun(
  server: TestServer,
  person: Person,
  bytes: Uint8Array,
  rules: Partial<NewImport> = {},
): Promise<ArchiveImport> {
  const created = await person.call('POST', '/omanual/imports', { size: bytes.length, ...rules });
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  const { importid } = created.body as ArchiveImport;
  const half = Math.ceil(bytes.length / 2);
  for (const offset of [0, half]) {
    const part = bytes.subarray(offset, offset === 0 ? half : undefined);
    const { status, body } = await sentPart(server, person, importid, offset, part);
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
  return importOf(person, importid);
}

/** Sends a part of the file of an import. */
export async function sentPart(
  server: TestServer,
  person: Person,
  importid: number,
  offset: number,
  part: Uint8Array,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${server.url}/api/2.0/omanual/imports/${importid}/file?offset=${offset}`, {
    method: 'PUT',
    headers: { Authorization: `api ${person.token}` },
    body: new Uint8Array(part),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

/** Runs the import of a file to its end. */
export async function imported(
  server: TestServer,
  person: Person,
  bytes: Uint8Array,
  rules: Partial<NewImport> = {},
): Promise<ArchiveImport> {
  const { importid } = await begun(server, person, bytes, rules);
  await server.jobs.idle();
  return importOf(person, importid);
}

/** The current state of an import. */
export async function importOf(person: Person, importid: number): Promise<ArchiveImport> {
  return (await person.call('GET', `/omanual/imports/${importid}`)).body as ArchiveImport;
}
