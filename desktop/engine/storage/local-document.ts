import { concatMap, filter, type Observable, startWith } from 'rxjs';

import type { EngineDatabase } from './database.ts';

/**
 * Emits what a local document of the database holds (null: there is none), then what it holds after each change of any
 * tab. Not RxDB's `getLocal$`: it listens to `database.$`, which keeps every change of the database in memory for ever.
 */
export function localDocument(database: EngineDatabase, id: string): Observable<object | null> {
  return database.eventBulks$.pipe(
    filter(({ isLocal, events }) => isLocal && events.some(({ documentId }) => documentId === id)),
    startWith(null),
    concatMap(async () => (await database.getLocal<object>(id))?.toJSON().data ?? null),
  );
}
