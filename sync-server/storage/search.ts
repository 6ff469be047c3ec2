import { sql, type RawBuilder } from 'kysely';

import { isPostgres } from './dialect.ts';
import { comparedWords, queryOf, type Weight } from './postgres/search-words.ts';
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
  const index = isPostgres(db) ? postgresIndex : sqliteIndex;
  const words = index.wordsOf(search.words).slice(0, mostWords);
  if (words.length === 0 || search.audiences.length === 0 || search.kinds.length === 0)
    return { hits: [], total: 0 };
  const find = (match: Match, page: Page): Promise<Hit[]> => ranked(db, search, match, page);
  if (search.titlesOnly === true) {
    const titles = index.match(words, 'title');
    const hits = await find(titles, search);
    return { hits, total: await totalOf(db, search, titles, hits) };
  }
  const all = index.match(words, 'anywhere');
  const first = index.match(words, 'title-or-description');
  const hits = await find(first, { offset, limit });
  if (hits.length < limit) {
    const before = hits.length > 0 ? offset + hits.length : await count(db, search, first);
    const rest = { offset: Math.max(0, offset - before), limit: limit - hits.length };
    hits.push(...(await find(index.without(all, first), rest)));
  }
  return { hits, total: await totalOf(db, search, all, hits) };
}

/** Where all words of a query must be. */
type Within = 'title' | 'title-or-description' | 'anywhere';

type Page = Pick<Search, 'offset' | 'limit'>;

/** A condition on the index: in the language of the index, and as SQL. */
interface Match {
  text: string;
  where: RawBuilder<unknown>;
  /** SQL for the rank of a match; the best one comes first. */
  rank: RawBuilder<unknown>;
}

/** An index of words. */
interface WordIndex {
  /** The column that identifies an entry. */
  key: RawBuilder<unknown>;
  wordsOf(text: string): string[];
  /** Every word, the last of which may be a prefix. */
  match(words: readonly string[], within: Within): Match;
  /** What matches `one` and not `other`. */
  without(one: Match, other: Match): Match;
}

const ftsMatch = (text: string): Match => ({
  text,
  where: sql`search_index MATCH ${text}`,
  rank: sql`bm25(search_index, ${sql.join([...weights])})`,
});

/** FTS5. Words are quoted, so that callers cannot use its syntax. */
const sqliteIndex: WordIndex = {
  key: sql`search_index.rowid`,
  wordsOf: (text) => [...text.normalize('NFC').matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word),
  match: (words, within) => {
    const terms = words
      .map((word, index) => `"${word}"${index === words.length - 1 ? '*' : ''}`)
      .join(' AND ');
    const columns = { title: '{title} : ', 'title-or-description': '{title about} : ', anywhere: '' };
    return ftsMatch(`${columns[within]}(${terms})`);
  },
  without: (one, other) => ftsMatch(`${one.text} NOT (${other.text})`),
};

const wordWeights: Record<Within, readonly Weight[]> = {
  title: ['A'],
  'title-or-description': ['A', 'B'],
  anywhere: [],
};

/** A GIN index of `tsvector`. The weights are those of text, description and title; longer records rank lower. */
const postgresIndex: WordIndex = {
  key: sql`search_index.entryid`,
  wordsOf: comparedWords,
  match: (words, within) => {
    const text = queryOf(words, wordWeights[within]);
    return {
      text,
      where: sql`search_index.words @@ ${text}::tsquery`,
      rank: sql`-ts_rank('{0, 0.1, 0.4, 1}', search_index.words, ${text}::tsquery, 1)`,
    };
  },
  without: (one, other) => ({ ...one, where: sql`${one.where} AND NOT (${other.where})` }),
};

async function ranked(db: Db, search: Search, match: Match, { offset, limit }: Page): Promise<Hit[]> {
  const { rows } = await sql<{ collection: Hit['collection']; id: string }>`
    SELECT search_entries.collection AS collection, search_entries.id AS id ${matching(db, search, match)}
    ORDER BY ${match.rank}, search_entries.entryid
    LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return rows.map(({ collection, id }) => ({ collection, id: Number(id) }));
}

/** The number of all matches; counted only if the page does not show it. */
async function totalOf(db: Db, search: Search, match: Match, hits: readonly Hit[]): Promise<number> {
  const { offset, limit } = search;
  const isAll = hits.length < limit && (hits.length > 0 || offset === 0);
  return isAll ? offset + hits.length : count(db, search, match);
}

async function count(db: Db, search: Search, match: Match): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`SELECT COUNT(*) AS total ${matching(db, search, match)}`.execute(db);
  return rows[0]?.total ?? 0;
}

function matching(db: Db, { audiences, kinds }: Search, match: Match): RawBuilder<unknown> {
  const { key } = isPostgres(db) ? postgresIndex : sqliteIndex;
  return sql`FROM search_index
    JOIN search_entries ON search_entries.entryid = ${key}
    WHERE ${match.where} AND search_entries.audience IN (${sql.join([...audiences])})
      AND search_entries.kind IN (${sql.join(kinds)})`;
}
