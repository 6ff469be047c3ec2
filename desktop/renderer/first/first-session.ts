import type { Session } from '#desktop/engine/api/sync-records.ts';

import { startKey } from './start-key.ts';
import type { FirstState } from './coming-engine.ts';

/** What is shown before the engine says who is signed in. */
export type Start = 'new' | 'signed-in' | 'unknown';

/**
 * Who seems to be signed in, before the engine can say so.
 *
 * - FIRST-1 A device on which nothing of the app is stored shows the sign-in before the engine is there, and so does one
 *   where nobody was signed in and nothing waits. Where somebody was, the frame of the app is shown, and otherwise nothing
 *   but that the app starts.
 */
export async function findStart(): Promise<Start> {
  const last = localStorage.getItem(startKey);
  if (last === 'signed-in') return last;
  return last === 'signed-out' || (await isNewDevice()) ? 'new' : 'unknown';
}

/** Whether nothing of the app is stored in this browser. */
async function isNewDevice(): Promise<boolean> {
  try {
    const databases = await indexedDB.databases();
    return databases.length === 0 && (!isSecureContext || (await isFolderEmpty()));
  } catch {
    // The engine finds out what is wrong with the storage, and says so.
    return false;
  }
}

async function isFolderEmpty(): Promise<boolean> {
  const folder = await navigator.storage.getDirectory();
  const first = await folder.keys().next();
  return first.done === true;
}

/** Notes what the next start shows first. */
export function rememberStart({ session, station, opened }: FirstState): void {
  if (opened === null || session.status === 'restoring') return;
  const start = startAfter(session, station !== null);
  if (start === null) localStorage.removeItem(startKey);
  else localStorage.setItem(startKey, start);
}

function startAfter(session: Session, isStation: boolean): 'signed-in' | 'signed-out' | null {
  if (isStation) return null;
  if (session.status === 'signed-in') return 'signed-in';
  const { status, loss, damage, elsewhere } = session;
  const hasNews = loss !== null || damage !== null || elsewhere.length > 0;
  return status === 'signed-out' && !hasNews ? 'signed-out' : null;
}

/** The session that a start begins with. */
export function firstSession(start: Start): Session {
  return {
    server: null,
    servers: [],
    user: null,
    home: null,
    homes: null,
    status: start === 'new' ? 'signed-out' : 'restoring',
    loss: null,
    elsewhere: [],
    damage: null,
  };
}
