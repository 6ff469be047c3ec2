import type { GuideFacts } from '#shared/model/guide.ts';
import { findDocuments } from '#server/storage/feed.ts';

import type { TestServer } from './server.ts';

/** The stored facts of guides. */
export async function factsOf(server: TestServer, guideids: number[]): Promise<GuideFacts[]> {
  return findDocuments(server.services.storage.reader, 'guides', guideids);
}

/** Ids of all guides of a server. */
export async function allGuides(server: TestServer): Promise<number[]> {
  const rows = await server.services.storage.reader
    .selectFrom('guides')
    .select('guideid')
    .where('deleted', '=', 0)
    .orderBy('guideid')
    .execute();
  return rows.map((row) => row.guideid);
}

/** The parts of a guide that an import must restore: everything except owners, authors and who stored it here. */
export function comparable({
  modified_userid: _by,
  userid: _author,
  archived_author: _elsewhere,
  ...facts
}: GuideFacts): object {
  const steps = facts.steps.map(({ key: _key, lines, ...step }) => ({
    ...step,
    lines: lines.map(({ id: _id, ...line }) => line),
  }));
  const { key: _key, ...rest } = facts;
  return { ...rest, steps };
}
