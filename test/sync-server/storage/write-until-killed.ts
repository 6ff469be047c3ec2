import { argv, stdout } from 'node:process';

import { openSqlite } from '#server/storage/sqlite.ts';

import { note, write } from './write.ts';

// Writes until it is killed or reaches the end, and prints every write to standard output once it is committed.
const [path = '', from = '1', to = 'Infinity'] = argv.slice(2);
const storage = await openSqlite(path);
for (let number = Number(from); number <= Number(to); number += 1) {
  await write(storage, async (tx, changes) => {
    await tx
      .insertInto('tags')
      .values({ name: `write ${number}` })
      .execute();
    changes.put('wikis', number, note(number), [number % 2 === 0 ? 'public' : `user:${number}`]);
  });
  stdout.write(`${number}\n`);
}
