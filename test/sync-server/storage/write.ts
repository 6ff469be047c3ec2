import type { WikiFacts } from '#shared/model/wiki.ts';
import { Changes } from '#server/storage/feed.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { Tx } from '#server/storage/tables.ts';
import { byTest } from '#test/support/written.ts';

/** One write transaction with its feed rows, as the server runs it. */
export async function write<T>(storage: Storage, work: (tx: Tx, changes: Changes) => Promise<T>): Promise<T> {
  const changes = new Changes();
  return storage.write(byTest, async (tx) => {
    const value = await work(tx, changes);
    await changes.flush(tx, { key: null, userid: null }, () => 'nonce');
    return value;
  });
}

/** A small document. */
export function note(number: number): WikiFacts {
  return {
    wikiid: number,
    revisionid: number,
    namespace: 'INFO',
    title: `Note ${number}`,
    display_title: '',
    langid: 'en',
    parent: null,
    description: '',
    contents_raw: `Text ${number}`,
    image: null,
    flags: [],
    table_of_contents: false,
    source_revisionid: null,
    userid: 1,
    created_date: 1,
    modified_date: 1,
  };
}
