import { createHash } from 'node:crypto';

import type { Selectable } from 'kysely';

import { collectionNames, type Pack } from '#shared/sync/wire.ts';
import { prepared, preparedList } from '#server/storage/prepared.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { inOrder, seqsIn, type Scope } from '../visible-documents.ts';

export type PackRow = Selectable<Tables['packs']>;

/** The packs of these audiences and collections (null: all), by collection and age. */
export async function livePacks(
  db: Db,
  { visible, collections }: Pick<Scope, 'visible' | 'collections'>,
): Promise<PackRow[]> {
  const rows = await packsOf(db, [...visible], {});
  return rows
    .filter(({ collection }) => collections?.includes(collection) !== false)
    .toSorted((a, b) => a.collection.localeCompare(b.collection) || a.since - b.since);
}

const packsOf = preparedList<Record<never, never>, number, PackRow>((db, list) =>
  db.selectFrom('packs').selectAll().where('audience', 'in', list),
);

/** A pack as a head names it. */
export function packOf({ collection, hash, bytes, records, titles_hash, titles_bytes }: PackRow): Pack {
  return {
    c: collection,
    hash,
    bytes,
    records,
    ...(titles_hash === null || titles_bytes === null
      ? {}
      : { titles: { hash: titles_hash, bytes: titles_bytes } }),
  };
}

/** An id of a selection of packs. */
export function selectionOf(packs: readonly PackRow[]): string {
  return createHash('sha256')
    .update(packs.map(({ hash }) => hash).join())
    .digest('hex')
    .slice(0, 16);
}

/** The seqs of the documents of a scope that are in none of these packs of its audiences, in feed order. */
export async function looseSeqs(db: Db, scope: Scope, packs: readonly PackRow[]): Promise<number[]> {
  const { visible, after, collections } = scope;
  const packed = Map.groupBy(packs, ({ audience }) => audience);
  const rest = new Set([...visible].filter((audience) => !packed.has(audience)));
  const found = (await seqsIn(db, { ...scope, visible: rest })).map((seq) => ({ seq }));
  for (const [audience, own] of packed) {
    const ranges = Map.groupBy(own, ({ collection }) => collection);
    for (const collection of collections ?? collectionNames)
      for (const { from, to } of gapsBetween(ranges.get(collection) ?? []))
        if (to > after)
          found.push(...(await seqsBetween(db, { audience, collection, from: Math.max(from, after), to })));
    const guides = ranges.get('guides') ?? [];
    if (guides.length > 0)
      for (const { seq } of await seqsWithPrerequisites(db, { audience, after }))
        if (guides.some(({ since, until }) => since < seq && seq <= until)) found.push({ seq });
  }
  return inOrder(found);
}

/** The ranges of seqs (`from` < seq <= `to`) that these packs, in order, leave out. */
function gapsBetween(packs: readonly PackRow[]): { from: number; to: number }[] {
  const starts = [0, ...packs.map(({ until }) => until)];
  const ends = [...packs.map(({ since }) => since), Number.MAX_SAFE_INTEGER];
  return starts
    .map((from, index) => ({ from, to: ends[index] ?? Number.MAX_SAFE_INTEGER }))
    .filter(({ from, to }) => from < to);
}

const seqsBetween = prepared<
  { audience: number; collection: string; from: number; to: number },
  { seq: number }
>((db, value) =>
  db
    .selectFrom('documents')
    .select('seq')
    .where('audience', '=', value('audience'))
    .where('collection', '=', value('collection'))
    .where('seq', '>', value('from'))
    .where('seq', '<=', value('to')),
);

/** Guides with prerequisites are in no pack: what they name depends on their reader (FEED-8, FEED-12). */
const seqsWithPrerequisites = prepared<{ audience: number; after: number }, { seq: number }>((db, value) =>
  db
    .selectFrom('guide_prerequisites')
    .innerJoin('documents', (join) =>
      join
        .on('documents.collection', '=', 'guides')
        .on((eb) => eb('documents.id', '=', eb.cast<string>('guide_prerequisites.guideid', 'text'))),
    )
    .select('seq')
    .distinct()
    .where('audience', '=', value('audience'))
    .where('seq', '>', value('after')),
);

/** Whether a pack with this hash, or with titles of this hash, is of one of the `visible` audiences. */
export async function mayFetch(db: Db, visible: ReadonlySet<number>, hash: string): Promise<boolean> {
  const rows = await audiencesOfHash(db, { hash });
  return rows.some(({ audience }) => visible.has(audience));
}

const audiencesOfHash = prepared<{ hash: string }, { audience: number }>((db, value) =>
  db
    .selectFrom('packs')
    .select('audience')
    .where((eb) => eb.or([eb('hash', '=', value('hash')), eb('titles_hash', '=', value('hash'))])),
);
