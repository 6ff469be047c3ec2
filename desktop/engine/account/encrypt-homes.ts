import type { Journal } from '../journal/journal.ts';
import type { Platform } from '../journal/platform.ts';
import type { Home } from './home.ts';
import { openHome } from './leaving/home-database.ts';
import { isEncrypted, markUnencrypted } from './leaving/mark.ts';
import type { Sessions } from './session.ts';

/**
 * After an upgrade from a version without encryption: closed homes are opened once, which gives them new files (CIPHER-4).
 * `noteFailure`: receives what went wrong, which the next start tries again.
 */
export async function encryptHomes(
  { platform, journal, sessions }: { platform: Platform; journal: Journal; sessions: Sessions },
  all: readonly Home[],
  closed: readonly Home[],
  noteFailure: (error: unknown) => void,
): Promise<void> {
  if (platform.cipher === undefined || isEncrypted((await journal.changes('meta', 0)).values)) return;
  try {
    await sessions.encryptSecrets();
  } catch (error) {
    // On a full disk, the next start continues.
    return noteFailure(error);
  }
  const names = all.map(({ home }) => home);
  await markUnencrypted(journal, names, platform.environment.now());
  for (const { home } of closed)
    try {
      const { database, leave } = await openHome({ platform, journal, home });
      await database.close().finally(leave);
    } catch (error) {
      // The mark remains, and the home gets new files when it is opened next.
      noteFailure(error);
    }
}
