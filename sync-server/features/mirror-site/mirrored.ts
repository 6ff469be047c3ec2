import { createHash } from 'node:crypto';

import { canonicalJson } from '#shared/rules/canonical-json.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

/** Kinds of records that a mirror compares. */
export type MirroredKind =
  | 'user'
  | 'team'
  | 'wiki'
  | 'guide'
  | 'tags'
  | 'comment'
  | 'form'
  | 'entry'
  | 'video';

/** A copied record: see the table `mirrored`. */
export type Mirrored = Pick<Tables['mirrored'], 'source' | 'id' | 'seen' | 'ours'>;

type Key = { site: string; kind: MirroredKind; source: string };

const one = prepared<Key, Mirrored>((db, value) =>
  db
    .selectFrom('mirrored')
    .select(['source', 'id', 'seen', 'ours'])
    .where('site', '=', value('site'))
    .where('kind', '=', value('kind'))
    .where('source', '=', value('source')),
);

const store = prepared<Tables['mirrored'], unknown>((db, value) =>
  db
    .insertInto('mirrored')
    .values({
      site: value('site'),
      kind: value('kind'),
      source: value('source'),
      id: value('id'),
      seen: value('seen'),
      ours: value('ours'),
    })
    .onConflict((conflict) =>
      conflict.columns(['site', 'kind', 'source']).doUpdateSet((eb) => ({
        id: eb.ref('excluded.id'),
        seen: eb.ref('excluded.seen'),
        ours: eb.ref('excluded.ours'),
      })),
    ),
);

const remove = prepared<Key, unknown>((db, value) =>
  db
    .deleteFrom('mirrored')
    .where('site', '=', value('site'))
    .where('kind', '=', value('kind'))
    .where('source', '=', value('source')),
);

/** What was stored of a record of a site; undefined if it was not copied. */
export async function findMirrored(
  db: Db,
  site: string,
  kind: MirroredKind,
  source: number | string,
): Promise<Mirrored | undefined> {
  const [row] = await one(db, { site, kind, source: String(source) });
  return row;
}

/** All copied records of a kind. */
export async function allMirrored(db: Db, site: string, kind: MirroredKind): Promise<Mirrored[]> {
  return db
    .selectFrom('mirrored')
    .select(['source', 'id', 'seen', 'ours'])
    .where('site', '=', site)
    .where('kind', '=', kind)
    .orderBy('source')
    .execute();
}

export async function rememberMirrored(
  db: Db,
  site: string,
  kind: MirroredKind,
  row: Omit<Mirrored, 'source'> & { source: number | string },
): Promise<void> {
  await store(db, { site, kind, ...row, source: String(row.source) });
}

export async function forgetMirrored(
  db: Db,
  site: string,
  kind: MirroredKind,
  source: number | string,
): Promise<void> {
  await remove(db, { site, kind, source: String(source) });
}

/** A short text that differs for values that differ. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, 22);
}

/** What storing a record did, which was `known` before and is like `ours` now. */
export function outcomeOf(
  known: Pick<Mirrored, 'ours'> | undefined,
  ours: string,
): 'copied' | 'changed' | 'unchanged' {
  if (known === undefined) return 'copied';
  return known.ours === ours ? 'unchanged' : 'changed';
}
