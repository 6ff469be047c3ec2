import { z } from 'zod';

import { damagedSegment } from '../journal/damage.ts';
import type { Journal } from '../journal/journal.ts';
import { draftRecords, JournaledRecords } from '../outbox/journaled-records.ts';
import { errorFacts } from './log-work.ts';
import { openHome } from './leaving/home-database.ts';
import { wordRecords } from './leaving/quarantine.ts';
import { JournaledOutbox } from '../outbox/outbox.ts';
import { StoredCalls } from '../outbox/stored-calls.ts';
import type { Platform } from '../journal/platform.ts';
import type { SupportLog } from '../journal/support-log.ts';
import type { Home } from './home.ts';

const recovered = z.object({ segment: z.int().nonnegative() });

/**
 * Restores what the journal lost of homes that are not open, from the copies in their databases (ACCOUNT-9): calls, drafts
 * and kept words. Each home is opened once after each loss. A failure is tried again at the next start. The homes must not
 * be open in this tab.
 */
export async function recoverCopies(
  { platform, journal, log }: { platform: Platform; journal: Journal; log: SupportLog },
  homes: readonly Home[],
): Promise<void> {
  const { meta } = await journal.entries();
  const segment = damagedSegment(journal.health());
  for (const home of homes) {
    const id = `recovered/${home.home}`;
    const known = recovered.safeParse(meta.get(id)).data;
    if (known !== undefined && known.segment >= segment) continue;
    try {
      await readCopies({ platform, journal }, home);
      await journal.append([{ op: 'put', collection: 'meta', id, value: { segment } }]);
    } catch (error) {
      // A home that cannot be opened must not prevent the start of the app.
      log.note({ home: home.home, what: 'copies-failed', facts: errorFacts(error) });
    }
  }
}

async function readCopies(
  { platform, journal }: { platform: Platform; journal: Journal },
  { home, userid }: Home,
): Promise<void> {
  const { environment, multiInstance, lock } = platform;
  let problem: unknown = null;
  const noteTrouble = (error: unknown): void => void (problem ??= error);
  const { database, leave } = await openHome({ platform, journal, home });
  try {
    const reading = { noteTrouble, noteSuccess: () => undefined };
    const deps = { journal, home, lock, environment, reading, ...reading };
    const stored = new StoredCalls(database.outbox);
    const outbox = await JournaledOutbox.open({ ...deps, stored, userid, multiInstance });
    await outbox.close();
    const drafts = await JournaledRecords.open(draftRecords, { ...deps, rows: database.drafts });
    await drafts.close();
    const kept = await JournaledRecords.open(wordRecords, { ...deps, rows: database.kept });
    await kept.close();
  } finally {
    await database.close().finally(leave);
  }
  if (problem !== null) throw problem;
}
