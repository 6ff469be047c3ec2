import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import type { Storage } from '#server/storage/storage.ts';
import {
  Changes,
  findAllStored,
  findDocument,
  findDocuments,
  findPresent,
  findStored,
  nextNumber,
  raiseNumber,
  visibleAudiences,
  type Principal,
} from '#server/storage/feed.ts';

import { note, write } from './write.ts';
import { written } from '#test/support/written.ts';

/** A separate database for one test; `open` may be called several times, also while another connection is open. */
export interface TestDatabase extends AsyncDisposable {
  open(): Promise<Storage>;
}

/** The tests that every database must pass. `name` is part of the titles. */
export function describeStorage(name: string, make: () => TestDatabase | Promise<TestDatabase>): void {
  const inDatabase = (
    title: string,
    body: (storage: Storage, database: TestDatabase) => Promise<void>,
  ): void =>
    test(`${name}: ${title}`, async () => {
      await using database = await make();
      await using storage = await database.open();
      await body(storage, database);
    });

  inDatabase('STORAGE-1 the feed lists writes in the order of their commits', async (storage) => {
    const committed: string[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await write(storage, async (_tx, changes) => {
          await sleep(index % 3);
          changes.put('wikis', index, note(index), ['public']);
          changes.put('wikis', 100 + index, note(index), ['public']);
        });
        committed.push(String(index), String(100 + index));
      }),
    );
    const rows = await storage.reader.selectFrom('feed').select(['seq', 'id']).orderBy('seq').execute();
    expect(rows.map((row) => row.id)).toEqual(committed);
    expect(rows.map((row) => row.seq)).toEqual(rows.map((_, index) => index + 1));
  });

  inDatabase(
    'STORAGE-2 one transaction gives one feed row per record, with the last state',
    async (storage) => {
      await write(storage, async (_tx, changes) => {
        changes.put('wikis', 1, note(1), ['public']);
        changes.put('wikis', 1, note(2), ['members']);
      });
      expect(await storage.reader.selectFrom('feed').selectAll().execute()).toHaveLength(1);
      expect(await findDocument(storage.reader, 'wikis', 1)).toEqual(note(2));
    },
  );

  inDatabase(
    'STORAGE-3 a feed row names the audience before and after, and a removal has no audience',
    async (storage) => {
      await write(storage, async (_tx, changes) => changes.put('wikis', 1, note(1), ['user:1', 'admin']));
      await write(storage, async (_tx, changes) => changes.put('wikis', 1, note(1), ['public']));
      await write(storage, async (_tx, changes) => changes.remove('wikis', 1));
      const rows = await storage.reader.selectFrom('feed').selectAll().orderBy('seq').execute();
      const [made, opened, removed] = [must(rows[0], 'row'), must(rows[1], 'row'), must(rows[2], 'row')];
      expect(made.audience_before).toBe(0);
      expect(opened.audience_before).toBe(made.audience_after);
      expect([removed.audience_before, removed.audience_after]).toEqual([opened.audience_after, 0]);
      expect(await findDocument(storage.reader, 'wikis', 1)).toBeUndefined();
    },
  );

  inDatabase('STORAGE-4 an audience is a set of principals in any order', async (storage) => {
    await write(storage, async (_tx, changes) => {
      changes.put('wikis', 1, note(1), ['user:1', 'admin']);
      changes.put('wikis', 2, note(2), ['admin', 'user:1', 'admin']);
      changes.put('wikis', 3, note(3), ['team:1']);
    });
    const audienceOf = async (id: string): Promise<number> =>
      (
        await storage.reader
          .selectFrom('documents')
          .select('audience')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).audience;
    expect(await audienceOf('1')).toBe(await audienceOf('2'));
    const seenBy = async (...principals: Principal[]): Promise<number[]> => [
      ...(await visibleAudiences(storage.reader, principals)),
    ];
    expect(await seenBy('user:1')).toEqual([await audienceOf('1')]);
    expect(await seenBy('user:11', 'public')).toEqual([]);
    expect(await seenBy('team:1', 'admin')).toEqual([await audienceOf('1'), await audienceOf('3')]);
  });

  inDatabase('STORAGE-5 removing a missing record writes no feed row', async (storage) => {
    await write(storage, async (_tx, changes) => changes.remove('wikis', 7));
    expect(await storage.reader.selectFrom('feed').selectAll().execute()).toEqual([]);
  });

  inDatabase(
    'STORAGE-6 a write beside a failed transaction is kept, and nothing of the failed one',
    async (storage) => {
      const failing = write(storage, async (tx, changes) => {
        await tx.insertInto('tags').values({ name: 'of the failed one' }).execute();
        changes.put('wikis', 1, note(1), ['public']);
        await changes.flush(tx, { key: null, userid: null }, () => 'n');
        await sleep(50);
        throw new Error('on purpose');
      });
      const beside = written({ storage }, (tx) => tx.insertInto('tags').values({ name: 'beside' }).execute());
      await expect(failing).rejects.toThrow('on purpose');
      await beside;
      const names = await storage.reader.selectFrom('tags').select('name').execute();
      expect(names).toEqual([{ name: 'beside' }]);
      expect(await storage.reader.selectFrom('feed').selectAll().execute()).toEqual([]);
      expect(await storage.reader.selectFrom('documents').selectAll().execute()).toEqual([]);
    },
  );

  inDatabase(
    'STORAGE-7 a transaction does not block a reader, which sees nothing of it before its commit',
    async (storage) => {
      let finish = (): void => undefined;
      const held = new Promise<void>((resolve) => (finish = resolve));
      let begun = (): void => undefined;
      const inserted = new Promise<void>((resolve) => (begun = resolve));
      const writing = write(storage, async (tx) => {
        await tx.insertInto('tags').values({ name: 'new' }).execute();
        begun();
        await held;
      });
      await inserted;
      const tags = (): Promise<object[]> => storage.reader.selectFrom('tags').select('name').execute();
      expect(await tags()).toEqual([]);
      finish();
      await writing;
      expect(await tags()).toEqual([{ name: 'new' }]);
    },
  );

  inDatabase('STORAGE-8 a counter gives every number once and never goes back', async (storage) => {
    const next = (): Promise<number> => write(storage, (tx) => nextNumber(tx, 'revision'));
    const numbers = await Promise.all(Array.from({ length: 50 }, next));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    await write(storage, (tx) => raiseNumber(tx, 'revision', 1000));
    await write(storage, (tx) => raiseNumber(tx, 'revision', 10));
    expect(await next()).toBe(1001);
    expect(await write(storage, (tx) => nextNumber(tx, 'guide_revision'))).toBe(1);
  });

  inDatabase('STORAGE-9 writes survive closing and opening', async (storage, database) => {
    await write(storage, async (_tx, changes) => changes.put('wikis', 1, note(1), ['public']));
    await using again = await database.open();
    expect(await findDocuments(again.reader, 'wikis', [2, 1])).toEqual([note(1)]);
    const version = await again.reader.selectFrom('meta').selectAll().where('name', '=', 'history').execute();
    expect(version).toEqual(
      await storage.reader.selectFrom('meta').selectAll().where('name', '=', 'history').execute(),
    );
  });

  inDatabase('STORAGE-24 an uncommitted version is never read afterwards', async (storage) => {
    await write(storage, async (_tx, changes) => changes.put('wikis', 1, note(1), ['public']));
    const failing = write(storage, async (tx, changes) => {
      changes.put('wikis', 1, note(2), ['public']);
      await changes.flush(tx, { key: null, userid: null }, () => 'n');
      expect(await findDocument(tx, 'wikis', 1)).toEqual(note(2));
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    // It gets the feed position of the failed one.
    await write(storage, async (_tx, changes) => changes.put('wikis', 1, note(3), ['public']));
    expect(await findDocument(storage.reader, 'wikis', 1)).toEqual(note(3));
  });

  inDatabase('STORAGE-25 what one reader changes in a document, no other reader gets', async (storage) => {
    await write(storage, async (_tx, changes) => changes.put('wikis', 1, note(1), ['public']));
    const read = must(await findDocument(storage.reader, 'wikis', 1), 'the note');
    read.flags.push('ODD');
    read.title = 'odd';
    expect(await findDocument(storage.reader, 'wikis', 1)).toEqual(note(1));
  });

  inDatabase('STORAGE-35 a call reads a document once, and again after it wrote', async (storage) => {
    const put = (number: number): Promise<void> =>
      write(storage, async (_tx, changes) => changes.put('wikis', 1, note(number), ['public']));
    await put(1);
    await write(storage, async (db, changes) => {
      const call = { db, changes };
      const read = await findStored(call, 'wikis', 1);
      expect(read).toEqual(note(1));
      expect(await findAllStored(call, 'wikis', [1, 2, 1])).toEqual([note(1), note(1)]);
      expect(await findStored(call, 'wikis', 1)).toBe(read);
      changes.put('wikis', 1, note(11), ['public']);
      changes.put('wikis', 2, note(2), ['public']);
      expect(await findStored(call, 'wikis', 1)).toBe(read);
      expect(await findPresent(call, 'wikis', [1, 2])).toEqual([note(11), note(2)]);
      await changes.flush(db, { key: null, userid: null }, () => 'n');
      expect(await findAllStored(call, 'wikis', [1, 2])).toEqual([note(11), note(2)]);
    });
    // Outside of a transaction, another call may have written meanwhile.
    const reading = { db: storage.reader, changes: new Changes() };
    expect(await findStored(reading, 'wikis', 1)).toEqual(note(11));
    await put(12);
    expect(await findStored(reading, 'wikis', 1)).toEqual(note(12));
  });

  inDatabase('STORAGE-10 texts are read as they were written', async (storage) => {
    const texts = ['', ' ', '🔧 Ü\u0301', '\u202eabc', "'; DROP TABLE tags; --", '%_\\'];
    for (const text of texts)
      await written({ storage }, (tx) => tx.insertInto('tags').values({ name: text }).execute());
    const rows = await storage.reader.selectFrom('tags').select('name').orderBy('tagid').execute();
    expect(rows.map((row) => row.name)).toEqual(texts);
    const long = 'x'.repeat(1_000_000);
    await write(storage, async (_tx, changes) =>
      changes.put('wikis', 1, { ...note(1), contents_raw: long }, ['public']),
    );
    expect((await findDocument(storage.reader, 'wikis', 1))?.contents_raw).toBe(long);
  });

  inDatabase('STORAGE-38 nothing is in an empty list', async (storage) => {
    await written({ storage }, (tx) => tx.insertInto('tags').values({ name: 'a' }).execute());
    const tags = storage.reader.selectFrom('tags').select('name');
    expect(await tags.where('tagid', 'in', []).execute()).toEqual([]);
    expect(await tags.where('name', 'not in', []).execute()).toEqual([{ name: 'a' }]);
    await written({ storage }, (tx) => tx.deleteFrom('tags').where('tagid', 'in', []).execute());
    expect(await tags.execute()).toEqual([{ name: 'a' }]);
  });

  inDatabase(
    'STORAGE-39 a row with a number of its own raises the numbers of later rows',
    async (storage) => {
      const add = (name: string, tagid?: number): Promise<{ tagid: number }> =>
        written({ storage }, (tx) =>
          tx
            .insertInto('tags')
            .values({ name, ...(tagid === undefined ? {} : { tagid }) })
            .returning('tagid')
            .executeTakeFirstOrThrow(),
        );
      expect(await add('first')).toEqual({ tagid: 1 });
      await add('second', 2);
      expect(await add('third')).toEqual({ tagid: 3 });
      await add('imported', 7002);
      await add('earlier', 40);
      expect(await add('last')).toEqual({ tagid: 7003 });
    },
  );

  inDatabase('STORAGE-4 an audience of five thousand people is found again', async (storage) => {
    const people = Array.from({ length: 5000 }, (_, index): Principal => `user:${index * 7919}`);
    await write(storage, async (_tx, changes) => changes.put('wikis', 1, note(1), people));
    await write(storage, async (_tx, changes) => changes.put('wikis', 2, note(2), people.toReversed()));
    const rows = await storage.reader.selectFrom('documents').select('audience').execute();
    expect(new Set(rows.map(({ audience }) => audience)).size).toBe(1);
  });
}
