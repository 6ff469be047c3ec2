import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';

import type { FeedHead, FeedRow } from '#shared/sync/wire.ts';
import { packHere, type PackOptions } from '#server/sync/packs/pack-keeper.ts';

import type { TestPerson } from './server.ts';

/** Packs of a few records, made only when told. */
export const smallPacks: PackOptions = {
  sizes: { least: 1, most: 3000 },
  fewest: 1,
  restMs: Number.POSITIVE_INFINITY,
  packing: packHere,
};

/** The answer to an initial load that asked for packs. */
export interface LoadAnswer {
  status: number;
  head: FeedHead;
  rows: FeedRow[];
  checkpoint: string;
  text: string;
}

/** Asks for an initial load with packs. `from`: where an earlier one was cut. */
export async function loadWithPacks(
  url: string,
  { token }: Pick<TestPerson, 'token'>,
  from?: { since: string; after: number; selection: string },
): Promise<LoadAnswer> {
  const query = new URLSearchParams({
    protocol: '6-6',
    packs: '1',
    ...(from === undefined ? {} : { ...from, after: String(from.after) }),
  });
  const response = await fetch(`${url}/sync/1/bootstrap?${query}`, {
    headers: { Authorization: `api ${token}` },
  });
  const text = await response.text();
  const lines = text
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  const head = lines[0] as FeedHead;
  const { checkpoint = '' } = lines.at(-1) as { checkpoint?: string };
  return { status: response.status, head, rows: lines.slice(1, -1) as FeedRow[], checkpoint, text };
}

/** Fetches a pack or its titles. */
export function fetchPack(
  url: string,
  { token }: Pick<TestPerson, 'token'>,
  hash: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/sync/1/packs/${hash}?protocol=6-6`, {
    headers: { Authorization: `api ${token}`, ...headers },
  });
}

/** The text of a pack or its titles; null if it has ended, or the person may not have it. */
export async function packText(
  url: string,
  person: Pick<TestPerson, 'token'>,
  hash: string,
): Promise<string | null> {
  const response = await fetchPack(url, person, hash);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status === 404) return null;
  if (createHash('sha256').update(bytes).digest('hex') !== hash) throw new Error(`${hash} is another file`);
  return gunzipSync(bytes).toString();
}

/** The records of the lines of a pack. */
export function rowsOf(text: string): FeedRow[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as FeedRow);
}
