import { sql } from 'kysely';

import type { GuideFacts } from '#shared/model/guide.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { shownTitle, shownVersion } from '#shared/rules/wiki-record.ts';
import { must } from '#shared/must.ts';
import { plainLine, plainText } from '#shared/formats/wikitext/plain-text.ts';

import { workSlices } from '#server/platform/slices.ts';

import { isPostgres } from './dialect.ts';
import { vectorOf } from './postgres/search-words.ts';
import { prepared } from './prepared.ts';
import type { SearchKind } from './search.ts';
import type { Db, Tables } from './tables.ts';

type Key = { collection: string; id: string };

interface Words {
  kind: SearchKind;
  title: string;
  about: string;
  text: string;
}

/** Collections with full-text search. */
const searched = new Set(['guides', 'wikis']);
/** Maximum number of records that are indexed in one transaction, during which writes wait. */
const mostTogether = 32;

/**
 * Updates the search index for a changed record. Its audience changes immediately, and a removed record is no longer
 * found. Its words wait for `indexWaiting`, because indexing takes longer than everything else in an edit, and the
 * next edit of the same record may follow within seconds.
 */
export async function noteForSearch(
  db: Db,
  key: Key,
  audience: { before: number; after: number },
): Promise<void> {
  const { collection, id } = key;
  if (!searched.has(collection)) return;
  if (audience.after === 0) return removeEntry(db, key);
  if (audience.before !== 0 && audience.before !== audience.after)
    await setAudience(db, { collection, id, audience: audience.after });
  await wait(db, { collection, id });
}

/** Whether records are waiting to be indexed. */
export async function areWordsWaiting(db: Db): Promise<boolean> {
  return (await anyWaiting(db, {})).length > 0;
}

/** Indexes up to `mostTogether` waiting records. */
export async function indexWaiting(db: Db): Promise<void> {
  for (const row of await someWaiting(db, {})) await indexWords(db, row);
}

/**
 * Fills an empty index for the next entries after `after`, whose rows are there. Returns the last of them; null if
 * there are no more.
 */
export async function indexEntries(db: Db, after: number): Promise<number | null> {
  const entries = await db
    .selectFrom('search_entries')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.collection', '=', 'search_entries.collection')
        .onRef('documents.id', '=', 'search_entries.id'),
    )
    .select(['search_entries.entryid', 'documents.collection', 'documents.body'])
    .where('search_entries.entryid', '>', after)
    .orderBy('search_entries.entryid')
    .limit(mostTogether)
    .execute();
  for (const { entryid, collection, body } of entries)
    await storeWords(db, entryid, await wordsOf(collection, body));
  return entries.at(-1)?.entryid ?? null;
}

async function indexWords(db: Db, { collection, id }: Key): Promise<void> {
  await stopWaiting(db, { collection, id });
  const [document] = await documentOf(db, { collection, id });
  if (document === undefined) return;
  const words = await wordsOf(collection, document.body);
  const { kind } = words;
  const { audience } = document;
  const [known] = await entryOf(db, { collection, id });
  if (known !== undefined) await removeWords(db, { entryid: known.entryid });
  const [entry] = await storeEntry(db, { collection, id, kind, audience });
  await storeWords(db, must(entry, 'the entry').entryid, words);
}

async function storeWords(db: Db, entryid: number, { title, about, text }: Words): Promise<void> {
  const vector = isPostgres(db) ? vectorOf({ title, about, text }) : '';
  await addWords(db, { entryid, vector, title, about, text });
}

/** The words of a document. `body`: JSON. */
async function wordsOf(collection: string, body: string): Promise<Words> {
  const facts: unknown = JSON.parse(body);
  return collection === 'guides' ? wordsOfGuide(facts as GuideFacts) : wordsOfWiki(facts as WikiFacts);
}

async function removeEntry(db: Db, key: Key): Promise<void> {
  const [known] = await entryOf(db, key);
  if (known === undefined) return;
  await removeWords(db, { entryid: known.entryid });
  await deleteEntry(db, { entryid: known.entryid });
}

const wait = prepared<Key, unknown>((db, value) =>
  db
    .insertInto('search_waiting')
    .values({ collection: value('collection'), id: value('id') })
    .onConflict((conflict) => conflict.columns(['collection', 'id']).doNothing()),
);

const stopWaiting = prepared<Key, unknown>((db, value) =>
  db.deleteFrom('search_waiting').where('collection', '=', value('collection')).where('id', '=', value('id')),
);

const anyWaiting = prepared<Record<never, never>, { id: string }>((db) =>
  db.selectFrom('search_waiting').select('id').limit(1),
);

const someWaiting = prepared<Record<never, never>, Key>((db) =>
  db.selectFrom('search_waiting').select(['collection', 'id']).limit(mostTogether),
);

const documentOf = prepared<Key, { audience: number; body: string }>((db, value) =>
  db
    .selectFrom('documents')
    .select(['audience', 'body'])
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id')),
);

const entryOf = prepared<Key, { entryid: number }>((db, value) =>
  db
    .selectFrom('search_entries')
    .select('entryid')
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id')),
);

const storeEntry = prepared<Omit<Tables['search_entries'], 'entryid'>, { entryid: number }>((db, value) =>
  db
    .insertInto('search_entries')
    .values({
      collection: value('collection'),
      id: value('id'),
      kind: value('kind'),
      audience: value('audience'),
    })
    .onConflict((conflict) =>
      conflict.columns(['collection', 'id']).doUpdateSet((eb) => ({
        kind: eb.ref('excluded.kind'),
        audience: eb.ref('excluded.audience'),
      })),
    )
    .returning('entryid'),
);

const setAudience = prepared<Key & { audience: number }, unknown>((db, value) =>
  db
    .updateTable('search_entries')
    .set({ audience: value('audience') })
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id')),
);

const deleteEntry = prepared<{ entryid: number }, unknown>((db, value) =>
  db.deleteFrom('search_entries').where('entryid', '=', value('entryid')),
);

const removeWords = prepared<{ entryid: number }, unknown>((db, value) => ({
  compile: () =>
    isPostgres(db)
      ? sql`DELETE FROM search_index WHERE entryid = ${value('entryid')}`.compile(db)
      : sql`DELETE FROM search_index WHERE rowid = ${value('entryid')}`.compile(db),
}));

/** `vector`: the words for PostgreSQL. */
const addWords = prepared<Omit<Words, 'kind'> & { entryid: number; vector: string }, unknown>(
  (db, value) => ({
    compile: () =>
      isPostgres(db)
        ? sql`INSERT INTO search_index (entryid, words)
          VALUES (${value('entryid')}, ${value('vector')}::tsvector)`.compile(db)
        : sql`INSERT INTO search_index (rowid, title, about, text)
          VALUES (${value('entryid')}, ${value('title')}, ${value('about')}, ${value('text')})`.compile(db),
  }),
);

async function wordsOfGuide(guide: GuideFacts): Promise<Words> {
  const slice = workSlices();
  const words: string[] = [];
  for (const { title, lines } of guide.steps) {
    words.push(title);
    for (const { text_raw: raw } of lines) {
      await slice(raw.length);
      words.push(plainLine(raw));
    }
  }
  const supplies = [...guide.parts, ...guide.tools].map((supply) => `${supply.text} ${supply.type}`);
  return {
    kind: guide.type === 'teardown' ? 'teardown' : 'guide',
    title: guide.title,
    about: [guide.category, guide.subject, guide.summary, ...supplies].join('\n'),
    text: [plainText(guide.introduction_raw), ...words, plainText(guide.conclusion_raw)].join('\n'),
  };
}

/** The words of the shown version. An unpatrolled version is not searched. */
function wordsOfWiki(facts: WikiFacts): Words {
  const wiki = shownVersion(facts);
  const shown = shownTitle(wiki);
  return {
    kind: wiki.namespace.toLowerCase() as SearchKind,
    title: shown === wiki.title ? shown : `${shown}\n${wiki.title}`,
    about: wiki.description,
    text: plainText(wiki.contents_raw),
  };
}
