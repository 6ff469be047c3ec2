import { argv, stderr, stdout } from 'node:process';

import { openSqlite } from '#server/storage/sqlite.ts';

import { note, write } from './write.ts';

// Attempts a number of writes like the server, whatever fails, and prints every write once it is committed.
const [path = '', count = '1'] = argv.slice(2);
const storage = await openSqlite(path);
for (let number = 1; number <= Number(count); number += 1) {
  const written = write(storage, async (tx, changes) => {
    await tx
      .insertInto('tags')
      .values({ name: `write ${number}` })
      .execute();
    changes.put('wikis', number, note(number), ['public']);
  });
  await written.then(
    () => stdout.write(`${number}\n`),
    (error: unknown) => stderr.write(`${String(error)}\n`),
  );
}
