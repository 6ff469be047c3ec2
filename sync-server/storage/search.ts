import { sql, type RawBuilder } from 'kysely';

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
 *
 * - SEARCH-1 Records with all words in title and description come before those with some of them only in their text.
 *   Within both, the best match by title, description and text comes first (bm25). So frequent words are found without
 *   ranking every record that contains them.
 */
export async function searchIndex(db: Db, search: Search): Promise<{ hits: Hit[]; total: number }> {
  const { offset, limit } = search;
  const terms = termsOf(search.words);
  if (terms === null || search.audiences.length === 0 || search.kinds.length === 0)
    return { hits: [], total: 0 };
  if (search.titlesOnly === true) return wholeList(db, search, `{title} : (${terms})`);
  const first = `{title about} : (${terms})`;
  const hits = await ranked(db, search, first, { offset, limit });
  if (hits.length < limit) {
    const before = hits.length > 0 ? offset + hits.length : await count(db, search, first);
    const rest = { offset: Math.max(0, offset - before), limit: limit - hits.length };
    hits.push(...(await ranked(db, search, `(${terms}) NOT (${first})`, rest)));
  }
  return { hits, total: await totalOf(db, search, terms, hits) };
}

async function wholeList(db: Db, search: Search, match: string): Promise<{ hits: Hit[]; total: number }> {
  const hits = await ranked(db, search, match, search);
  return { hits, total: await totalOf(db, search, match, hits) };
}

async function ranked(
  db: Db,
  search: Search,
  match: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<Hit[]> {
  const { rows } = await sql<{ collection: Hit['collection']; id: string }>`
    SELECT search_entries.collection AS collection, search_entries.id AS id ${matching(search, match)}
    ORDER BY bm25(search_index, ${sql.join([...weights])}), search_entries.entryid
    LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return rows.map(({ collection, id }) => ({ collection, id: Number(id) }));
}

/** The number of all matches; counted only if the page does not show it. */
async function totalOf(db: Db, search: Search, match: string, hits: readonly Hit[]): Promise<number> {
  const { offset, limit } = search;
  const isAll = hits.length < limit && (hits.length > 0 || offset === 0);
  return isAll ? offset + hits.length : count(db, search, match);
}

async function count(db: Db, search: Search, match: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`SELECT COUNT(*) AS total ${matching(search, match)}`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

function matching({ audiences, kinds }: Search, match: string): RawBuilder<unknown> {
  return sql`FROM search_index
    JOIN search_entries ON search_entries.entryid = search_index.rowid
    WHERE search_index MATCH ${match} AND search_entries.audience IN (${sql.join([...audiences])})
      AND search_entries.kind IN (${sql.join(kinds)})`;
}

/**
 * The FTS5 terms of a query, all of which must match. Words are quoted, so that callers cannot use FTS5 syntax; null if
 * there are no words.
 */
function termsOf(words: string): string | null {
  const list = [...words.normalize('NFC').matchAll(/[\p{L}\p{N}]+/gu)]
    .map(([word]) => word)
    .slice(0, mostWords);
  if (list.length === 0) return null;
  return list.map((word, index) => `"${word}"${index === list.length - 1 ? '*' : ''}`).join(' AND ');
}
