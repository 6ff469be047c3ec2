import type { Journal, JournalRecord } from '#desktop/engine/journal/journal.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';

interface ScrubDeps {
  platform: Platform;
  journal: Journal;
}

const scrubPrefix = 'scrub/';

/**
 * Journal entry that notes that the files of the common storage may hold data of a home that is being removed. Each removal
 * has its own entry, since a scrub that began earlier does not cover it.
 */
export function scrubEntry({ environment }: Platform, home: string): JournalRecord {
  const id = `${scrubPrefix}${home}/${environment.uuid()}`;
  return { op: 'put', collection: 'meta', id, value: { at: environment.now() } };
}

/** The first pause of a scrub and the longest, ms. */
const pauses = { first: 200, longest: 5000 };

/**
 * Rewrites the common storage if the journal has such entries, and deletes them when the data has left the files. This may
 * take minutes on a busy machine. If the disk is almost full, it is left to a later start.
 */
export async function scrub({ platform, journal }: ScrubDeps): Promise<void> {
  const { places, environment } = platform;
  let next = pauses.first;
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      environment.setTimer(resolve, next);
      next = Math.min(pauses.longest, next * 1.5);
    });
  await platform.lock('scrub', async () => {
    const { values } = await journal.changes('meta', 0);
    const ids = [...values.keys()].filter((id) => id.startsWith(scrubPrefix));
    if (ids.length === 0 || journal.health().lowSpace) return;
    if (places === undefined || (await places.scrubCommon(pause))) await journal.forget('meta', ids);
  });
}
