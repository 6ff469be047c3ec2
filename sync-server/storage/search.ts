import { sql } from 'kysely';

import type { GuideFacts } from '#shared/model/guide.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { shownTitle, shownVersion } from '#shared/rules/wiki-record.ts';
import { must } from '#shared/must.ts';
import { plainLine, plainText } from '#shared/wikitext/plain-text.ts';

import { prepared } from './prepared.ts';
import type { Db } from './tables.ts';

/** What is found: guides (teardowns apart) and wikis by namespace. */
export const searchKinds = ['guide', 'teardown', 'category', 'item', 'team', 'user', 'info', 'wiki'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** A record that matches. `id` is the guideid or wikiid. */
export interface Hit {
  collection: 'guides' | 'wikis';
  id: number;
}

interface Entry {
  kind: SearchKind;
  title: string;
  about: string;
  text: string;
}

/** What a match in title, in what the record is about, and in its text weighs (bm25). */
const weights = [10, 4, 1] as const;
/** More words than this say no more about what is sought. */
const mostWords = 16;

/**
 * The statements of the search index. The index is SQLite's FTS5 and the only table that another database would
 * build differently; nothing outside this file names it.
 */
export const searchTables = [
  `CREATE TABLE search_entries (
    entryid INTEGER PRIMARY KEY AUTOINCREMENT, collection TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL,
    UNIQUE (collection, id))`,
  `CREATE VIRTUAL TABLE search_index USING fts5 (
    title, about, text, content = '', contentless_delete = 1, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2')`,
];

/** Brings the index to what a record of the feed says now; `document` undefined: it is gone. */
export async function indexDocument(
  db: Db,
  collection: string,
  id: string,
  document: unknown,
): Promise<void> {
  if (collection !== 'guides' && collection !== 'wikis') return;
  const [known] = await entryOf(db, { collection, id });
  if (known !== undefined) await removeWords(db, { entryid: known.entryid });
  if (document === undefined) {
    await db.deleteFrom('search_entries').where('collection', '=', collection).where('id', '=', id).execute();
    return;
  }
  const entry =
    collection === 'guides' ? guideEntry(document as GuideFacts) : wikiEntry(document as WikiFacts);
  const { kind, title, about, text } = entry;
  const [made] = known?.kind === kind ? [known] : await storeEntry(db, { collection, id, kind });
  const { entryid } = must(made, 'the entry');
  await addWords(db, { entryid, title, about, text });
}

const entryOf = prepared<{ collection: string; id: string }, { entryid: number; kind: string }>((db, value) =>
  db
    .selectFrom('search_entries')
    .select(['entryid', 'kind'])
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id')),
);

const storeEntry = prepared<{ collection: string; id: string; kind: string }, { entryid: number }>(
  (db, value) =>
    db
      .insertInto('search_entries')
      .values({ collection: value('collection'), id: value('id'), kind: value('kind') })
      .onConflict((conflict) =>
        conflict.columns(['collection', 'id']).doUpdateSet((eb) => ({ kind: eb.ref('excluded.kind') })),
      )
      .returning('entryid'),
);

const removeWords = prepared<{ entryid: number }, unknown>((db, value) => ({
  compile: () => sql`DELETE FROM search_index WHERE rowid = ${value('entryid')}`.compile(db),
}));

const addWords = prepared<{ entryid: number; title: string; about: string; text: string }, unknown>(
  (db, value) => ({
    compile: () =>
      sql`INSERT INTO search_index (rowid, title, about, text)
      VALUES (${value('entryid')}, ${value('title')}, ${value('about')}, ${value('text')})`.compile(db),
  }),
);

function guideEntry(guide: GuideFacts): Entry {
  const lines = guide.steps.flatMap((step) => [
    step.title,
    ...step.lines.map((line) => plainLine(line.text_raw)),
  ]);
  const supplies = [...guide.parts, ...guide.tools].map((supply) => `${supply.text} ${supply.type}`);
  return {
    kind: guide.type === 'teardown' ? 'teardown' : 'guide',
    title: guide.title,
    about: [guide.category, guide.subject, guide.summary, ...supplies].join('\n'),
    text: [plainText(guide.introduction_raw), ...lines, plainText(guide.conclusion_raw)].join('\n'),
  };
}

/** A version that nobody patrolled is not found by its words. */
function wikiEntry(facts: WikiFacts): Entry {
  const wiki = shownVersion(facts);
  const shown = shownTitle(wiki);
  return {
    kind: wiki.namespace.toLowerCase() as SearchKind,
    title: shown === wiki.title ? shown : `${shown}\n${wiki.title}`,
    about: wiki.description,
    text: plainText(wiki.contents_raw),
  };
}

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
    JOIN documents ON documents.collection = search_entries.collection AND documents.id = search_entries.id
    WHERE search_index MATCH ${match} AND documents.audience IN (${sql.join([...search.audiences])})
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
