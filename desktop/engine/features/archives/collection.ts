import { z } from 'zod';

import { Problem, type ProblemKind, problemStatus } from '#shared/api/problem.ts';
import {
  collectedArchive,
  madeArchive,
  type CollectedArchive,
  type MadeArchive,
} from '#shared/model/archive-record.ts';
import { slug } from '#shared/formats/omanual/names.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import { recordIn } from '#desktop/engine/sync/own-answer.ts';
import type { ComingArchive, AskedGuides } from '#desktop/engine/api/archives.ts';

/** A version of an archive in the collection of a server. */
export interface OfferedArchive {
  name: string;
  /** Name of its file on this device. */
  filename: string;
  title: string;
  bytes: number;
  guides: number;
  /** ms since 1970. */
  madeAt: number;
  /** Path of this version on the server, beginning with `/`. Every version has its own path. */
  path: string;
  /** Lower-case hexadecimal. */
  sha256: string;
}

/** The archives that a server offers, and those that it is still making or could not make. */
export interface Collection {
  offered: OfferedArchive[];
  coming: ComingArchive[];
}

/** The collection of the session's server; null when it has none, or refuses it. */
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

/** Asks the server to make an archive for this person alone. Throws a `Problem` with the server's message. */
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

/** State of an archive that the person requested; null when the server does not know it. */
export async function askedArchive(
  { request }: Pick<Core, 'request'>,
  archiveid: number,
): Promise<MadeArchive | null> {
  const path = `/api/2.0/omanual/archives/${archiveid}`;
  const response = await request(path);
  return response.ok ? recordIn(response, madeArchive, path) : null;
}

/** The `Problem` of an error response, with the server's message. */
export function problemOfAnswer(status: number, body: unknown): Problem {
  const kind = Object.entries(problemStatus).find(([, one]) => one === status)?.[0];
  const { message } = z
    .object({ message: z.string() })
    .catch({ message: `The server answered ${status}` })
    .parse(body);
  return new Problem((kind as ProblemKind | undefined) ?? 'unavailable', message);
}
