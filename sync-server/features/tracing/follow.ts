import { sql } from 'kysely';

import type { EntryFacts } from '#shared/model/work-log.ts';
import { numberKey, tracedNumbers, workedRevisionNumbers, type TracedNumber } from '#shared/rules/tracing.ts';
import type { Context } from '#server/core/context.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db } from '#server/storage/tables.ts';

/**
 * Keeps the numbers and revisions by which an entry is found, in the transaction of its last event. A deleted entry takes
 * them along, and triggers give them its audience (migration 057).
 */
export async function followTracing({ db }: Pick<Context, 'db'>, entry: EntryFacts): Promise<void> {
  const last = entry.events.at(-1);
  if (last?.type === 'start') await followRevisions({ db }, entry);
  if (last?.type === 'start' || last?.data !== undefined) await followNumbers(db, entry);
}

/** As {@link followTracing}, after a decision about the revision of the entry. */
export async function followRevisions(
  { db }: Pick<Context, 'db'>,
  { entryid, guideid, ...entry }: EntryFacts,
): Promise<void> {
  for (const revision_number of workedRevisionNumbers(entry))
    await addRevision(db, { entryid, document: String(entryid), guideid, revision_number });
}

async function followNumbers(db: Db, { entryid, ...entry }: EntryFacts): Promise<void> {
  const wanted = new Map(
    tracedNumbers(entry).map((one) => {
      const number = numberKey(one.text);
      return [`${one.kind} ${number}`, { ...one, number }];
    }),
  );
  for (const { kind, number, text } of await numbersOf(db, { entryid })) {
    const key = `${kind} ${number}`;
    const same = wanted.get(key);
    if (same === undefined) await removeNumber(db, { entryid, kind, number });
    else if (same.text === text) wanted.delete(key);
  }
  for (const one of wanted.values()) await storeNumber(db, { ...one, entryid, document: String(entryid) });
}

type Row = TracedNumber & { number: string };

const numbersOf = prepared<{ entryid: number }, Row>((db, value) =>
  db.selectFrom('traced_numbers').select(['kind', 'number', 'text']).where('entryid', '=', value('entryid')),
);

const removeNumber = prepared<{ entryid: number; kind: Row['kind']; number: string }, unknown>((db, value) =>
  db
    .deleteFrom('traced_numbers')
    .where('number', '=', value('number'))
    .where('entryid', '=', value('entryid'))
    .where('kind', '=', value('kind')),
);

/** The audience of the entry's document as it is stored; 0 of a new entry, whose document is stored afterwards. */
function presentAudience(db: Db, document: ReturnType<typeof sql<string>>) {
  return db
    .selectFrom('documents')
    .select((eb) => eb.fn.coalesce(eb.fn.max('audience'), sql<number>`0`).as('audience'))
    .where('collection', '=', 'workLog')
    .where('id', '=', document);
}

const storeNumber = prepared<Row & { entryid: number; document: string }, unknown>((db, value) =>
  db
    .insertInto('traced_numbers')
    .values({
      number: value('number'),
      entryid: value('entryid'),
      kind: value('kind'),
      text: value('text'),
      audience: presentAudience(db, value('document')),
    })
    .onConflict((is) =>
      is.columns(['number', 'entryid', 'kind']).doUpdateSet((eb) => ({ text: eb.ref('excluded.text') })),
    ),
);

const addRevision = prepared<
  { entryid: number; document: string; guideid: number; revision_number: number },
  unknown
>((db, value) =>
  db
    .insertInto('worked_revisions')
    .values({
      guideid: value('guideid'),
      revision_number: value('revision_number'),
      entryid: value('entryid'),
      audience: presentAudience(db, value('document')),
    })
    .onConflict((is) => is.columns(['guideid', 'revision_number', 'entryid']).doNothing()),
);
