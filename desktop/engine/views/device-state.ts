import { Observable, combineLatest, distinctUntilChanged, filter, map, startWith } from 'rxjs';

import { sameValue } from '#shared/rules/same-value.ts';

import type { Session, StorageState, SyncState } from '../api/sync-records.ts';
import { contestedIn, decisionsOf } from '../features/editing/decisions.ts';
import { sampled } from '../features/records/sampled.ts';
import { sessionOf, type Sources } from '../features/records/sources.ts';
import type { Services } from '../features/services.ts';

/**
 * The session. Username and privileges are the present ones; the username is that at sign-in until people are read.
 *
 * - ADMIN-22 A role that an administrator gives or takes counts on the person's devices after the next sync, without signing
 *   in again.
 */
export function session({ core, names, me }: Sources): Observable<Session> {
  return combineLatest([
    sessionOf(core),
    names.pipe(startWith(new Map<number, string>())),
    me.pipe(startWith(null)),
  ]).pipe(
    // While the session is restored, nobody sees a screen. Afterwards the privileges at sign-in would flash up.
    filter(([{ user, status }, , person]) => user === null || status === 'restoring' || person !== null),
    map(([state, known, person]) => {
      const { user } = state;
      if (user === null) return state;
      const username = known.get(user.userid) ?? user.username;
      const privileges = person?.userid === user.userid ? person.privileges : user.privileges;
      return { ...state, user: { ...user, username, privileges } };
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

/**
 * The state of sync. Drafts that cannot be read count as parked, because they need attention too (OUTBOX-48).
 *
 * - DECIDE-1 `conflicts` counts what a person has to decide: every conflict of a guide or page, not the guide.
 */
export function syncState({ sources, drafts }: Pick<Services, 'sources' | 'drafts'>): Observable<SyncState> {
  return combineLatest([sources.core.sync.state, drafts.unreadable, sources.calls, drafts.drafts]).pipe(
    map(([state, unreadable, calls]) => ({
      ...state,
      parked: state.parked + unreadable.length,
      // Without conflicts there is no need to look at the calls.
      conflicts:
        state.conflicts === 0
          ? 0
          : contestedIn(calls).reduce((sum, call) => sum + decisionsOf(call, drafts), 0),
    })),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

/** The storage in use, and the durability of the journal on this device. */
export function storage({ sources, media }: Services): Observable<StorageState> {
  const { journal, insecure, environment, diskWaits } = sources.core;
  const health = new Observable<StorageState['journal']>((subscriber) => {
    const emit = ({ durability, writable, full }: ReturnType<typeof journal.health>): void => {
      if (durability === 'memory' || !writable) subscriber.next('none');
      else subscriber.next(full ? 'full' : durability);
    };
    emit(journal.health());
    return journal.watchHealth(emit);
  });
  const waits = diskWaits.pipe(
    map((count) => count > 0),
    distinctUntilChanged(),
  );
  return combineLatest([health, waits, media.changed.pipe(sampled(environment, 500))]).pipe(
    map(([durability, readsWait]) => ({
      journal: durability,
      readsWait,
      insecure,
      mediaBytes: media.cache.bytes,
      pictures: media.cache.coverage,
    })),
  );
}
