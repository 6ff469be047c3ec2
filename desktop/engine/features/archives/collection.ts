import { z } from 'zod';

import {
  collectedArchive,
  madeArchive,
  type CollectedArchive,
  type MadeArchive,
} from '#shared/model/archive-record.ts';
import { slug } from '#shared/formats/omanual/names.ts';

import { problemOfAnswer } from './problem-of-answer.ts';
import type { Core } from '#desktop/engine/account/core.ts';
import { recordIn } from '#desktop/engine/sync/own-answer.ts';
import type { ComingArchive, AskedGuides } from '#desktop/engine/api/archives.ts';

/** A version of an archive that a server offers. */
export interface OfferedArchive {
  name: string;
  /** What its file is called on this device. */
  filename: string;
  title: string;
  bytes: number;
  guides: number;
  /** ms since 1970. */
  madeAt: number;
  /** Where this version is; begins with `/`. Another version has another path. */
  path: string;
  /** In lower-case hexadecimal. */
  sha256: string;
}

/** What a server has to take along. */
export interface Collection {
  offered: OfferedArchive[];
  coming: ComingArchive[];
}

/** The collection of the session's server; null when it has none, or does not hand it out. */
export async function readCollection({ request }: Pick<Core, 'request'>): Promise<Collection | null> {
  const response = await request('/api/2.0/omanual');
  if (!response.ok) return null;
  const listed = await recordIn(response, z.array(collectedArchive), '/api/2.0/omanual');
  return {
    offered: listed.flatMap((one) => offerOf(one) ?? []),
    coming: listed
      .filter((one) => offerOf(one) === null)
      .map(({ name, title, error }) => ({ name, title, problem: error?.message ?? null })),
  };
}

function offerOf(listed: CollectedArchive): OfferedArchive | null {
  const { name, title, category, size, guides, date, hash } = listed;
  if (hash === null || size === null) return null;
  const path = `/api/2.0/omanual/${encodeURIComponent(name)}.omanual?hash=${hash}`;
  const filename = `${(category === null && slug(title)) || name}.omanual`;
  return { name, filename, title, bytes: size, guides, madeAt: (date ?? 0) * 1000, path, sha256: hash };
}

/** What an archive is asked for: guides that the person may see, private ones too. */
/** Asks the server to make an archive for this person alone. Throws `Problem` with the server's words. */
export async function askForArchive(
  { request, environment }: Pick<Core, 'request' | 'environment'>,
  choice: AskedGuides,
): Promise<MadeArchive> {
  const path = '/api/2.0/omanual/archives';
  const response = await request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': environment.uuid() },
    body: JSON.stringify(choice),
  });
  if (!response.ok) throw problemOfAnswer(response.status, await response.json());
  return recordIn(response, madeArchive, path);
}

/** How far an archive is that the person asked for; null when the server knows of none. */
export async function askedArchive(
  { request }: Pick<Core, 'request'>,
  archiveid: number,
): Promise<MadeArchive | null> {
  const path = `/api/2.0/omanual/archives/${archiveid}`;
  const response = await request(path);
  return response.ok ? recordIn(response, madeArchive, path) : null;
}
