import { Observable, combineLatest, map } from 'rxjs';

import type { Services } from '../features/services.ts';
import type { StorageState } from '../api/sync-records.ts';
import { sampled } from '../features/records/sampled.ts';

/** Storage in use and what the journal promises on this device. */
export function storage({ sources, media }: Services): Observable<StorageState> {
  const { journal, insecure, environment } = sources.core;
  const health = new Observable<StorageState['journal']>((subscriber) => {
    const tell = ({ durability, writable }: ReturnType<typeof journal.health>): void => {
      subscriber.next(durability === 'memory' || !writable ? 'none' : durability);
    };
    tell(journal.health());
    return journal.watchHealth(tell);
  });
  return combineLatest([health, media.changed.pipe(sampled(environment, 500))]).pipe(
    map(([kept]) => ({
      journal: kept,
      insecure,
      mediaBytes: media.cache.bytes,
      pictures: media.cache.coverage,
    })),
  );
}
