import { combineLatest, distinctUntilChanged, map, type Observable } from 'rxjs';

import { sameValue } from '#shared/rules/same-value.ts';

import type { Services } from '../features/services.ts';
import type { SyncState } from '../api/sync-records.ts';

/** The truth about sync. A draft that cannot be read needs attention like everything else that is listed so (OUTBOX-48). */
export function syncState({ sources, drafts }: Pick<Services, 'sources' | 'drafts'>): Observable<SyncState> {
  return combineLatest([sources.core.sync.state, drafts.unreadable]).pipe(
    map(([state, unreadable]) => ({ ...state, parked: state.parked + unreadable.length })),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}
