import { sql } from 'kysely';

import type { Db } from './tables.ts';

/** What is found: guides (teardowns apart) and wikis by namespace. */
export const searchKinds = ['guide', 'teardown', 'category', 'item', 'team', 'user', 'info', 'wiki'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** A record that matches. `id` is the guideid or wikiid. */
export interface Hit {
  collection: 'guides' | 'wikis';
  id: number;
}

/** What a match in title, in what the record is about, and in its text weighs (bm25). */
const weights = [10, 4, 1] as const;
/** More words than this say no more about what is sought. */
const mostWords = 16;

/** What to look for, and in which audiences. `titlesOnly`: words of titles alone, as suggestions need them. */
export interface Search {
  words: string;
  kinds: readonly SearchKind[];
  audiences: readonly number[];
  titlesOnly?: boolean;
  offset: number;
  limit: number;
}

/**
 * Records that hold every word of the query (the last may be a beginning), best match first, among those of the
 * audiences; `total` counts all of them.
 */
export async function searchIndex(db: Db, search: Search): Promise<{ hits: Hit[]; total: number }> {
  const match = expressionOf(search.words, search.titlesOnly === true);
  if (match === null || search.audiences.length === 0 || search.kinds.length === 0)
    return { hits: [], total: 0 };
  const found = sql`FROM search_index
    JOIN search_entries ON search_entries.entryid = search_index.rowid
    WHERE search_index MATCH ${match} AND search_entries.audience IN (${sql.join([...search.audiences])})
      AND search_entries.kind IN (${sql.join(search.kinds)})`;
  const { rows } = await sql<{ collection: Hit['collection']; id: string }>`
    SELECT search_entries.collection AS collection, search_entries.id AS id ${found}
    ORDER BY bm25(search_index, ${sql.join([...weights])}), search_entries.entryid
    LIMIT ${search.limit} OFFSET ${search.offset}`.execute(db);
  const isAll = rows.length < search.limit && (rows.length > 0 || search.offset === 0);
  const total = isAll ? search.offset + rows.length : await count(db, found);
  return { hits: rows.map(({ collection, id }) => ({ collection, id: Number(id) })), total };
}

async function count(db: Db, found: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ total: number }>`SELECT COUNT(*) AS total ${found}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** FTS5's query language is not the caller's: words are quoted, everything else only separates them. */
function expressionOf(words: string, titlesOnly: boolean): string | null {
  const list = [...words.normalize('NFC').matchAll(/[\p{L}\p{N}]+/gu)]
    .map(([word]) => word)
    .slice(0, mostWords);
  if (list.length === 0) return null;
  const terms = list.map((word, index) => `"${word}"${index === list.length - 1 ? '*' : ''}`).join(' AND ');
  return titlesOnly ? `{title} : (${terms})` : terms;
}
