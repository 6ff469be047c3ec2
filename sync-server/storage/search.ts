import { sql } from 'kysely';

import type { Db } from './tables.ts';

/** Kinds of results: guides, teardowns, and wikis by namespace. */
export const searchKinds = ['guide', 'teardown', 'category', 'item', 'team', 'user', 'info', 'wiki'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** A matching record. `id` is the guideid or wikiid. */
export interface Hit {
  collection: 'guides' | 'wikis';
  id: number;
}

/** Weights of a match in title, description and text (bm25). */
const weights = [10, 4, 1] as const;
/** Maximum number of words of a query; further ones are ignored. */
const mostWords = 16;

/** A search. `titlesOnly`: search titles only, for suggestions. */
export interface Search {
  words: string;
  kinds: readonly SearchKind[];
  audiences: readonly number[];
  titlesOnly?: boolean;
  offset: number;
  limit: number;
}

/**
 * Records of the given audiences that contain every word of the query, best match first. The last word may be a prefix.
 * `total`: number of all matches.
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

/**
 * The FTS5 expression for a query. Words are quoted, so that callers cannot use FTS5 syntax; null if there are no
 * words.
 */
function expressionOf(words: string, titlesOnly: boolean): string | null {
  const list = [...words.normalize('NFC').matchAll(/[\p{L}\p{N}]+/gu)]
    .map(([word]) => word)
    .slice(0, mostWords);
  if (list.length === 0) return null;
  const terms = list.map((word, index) => `"${word}"${index === list.length - 1 ? '*' : ''}`).join(' AND ');
  return titlesOnly ? `{title} : (${terms})` : terms;
}
