import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { JournalFiles } from '#desktop/main/journal-store.ts';
import { must } from '#shared/must.ts';

// Appends until it is killed, and prints the id of each record once it is saved.
const [folder, round] = process.argv.slice(2);
const files = await JournalFiles.open(must(folder, 'a folder'));
const store = {
  durability: 'file' as const,
  list: () => files.list(),
  read: (name: string) => files.read(name),
  append: (name: string, at: number, bytes: Uint8Array) => files.append(name, at, bytes),
  write: (name: string, bytes: Uint8Array) => files.write(name, bytes),
  remove: (name: string) => files.remove(name),
  releaseBallast: () => files.releaseBallast(),
  reserveBallast: async () => true,
  close: () => files.close(),
};
const journal = await openJournal(store, { now: () => Date.now(), uuid: () => crypto.randomUUID() });
for (let number = 0; ; number += 1) {
  const id = `${must(round, 'a round')}-${String(number)}`;
  await journal.append([{ op: 'put', collection: 'outbox', id, value: 'x'.repeat(5000) }]);
  process.stdout.write(`${id}\n`);
}
