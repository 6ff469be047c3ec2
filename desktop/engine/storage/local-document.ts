import { concatMap, filter, type Observable, startWith } from 'rxjs';

import type { EngineDatabase } from './database.ts';

/**
 * Emits the content of a local document of the database, or null where there is none, now and after each change in any
 * tab. Not RxDB's `getLocal$`: it listens to `database.$`, which keeps every change of the database in memory.
 */
export function localDocument(database: EngineDatabase, id: string): Observable<object | null> {
  return database.eventBulks$.pipe(
    filter(({ isLocal, events }) => isLocal && events.some(({ documentId }) => documentId === id)),
    startWith(null),
    concatMap(async () => (await database.getLocal<object>(id))?.toJSON().data ?? null),
  );
}
