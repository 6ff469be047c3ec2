import { distinctUntilChanged, map, type Observable } from 'rxjs';
import { z } from 'zod';

import { sameValue } from '#shared/rules/same-value.ts';
import type { GuideTitle } from '#shared/sync/wire.ts';

import type { GuideRow } from '#desktop/engine/platform/ports.ts';
import type { EngineDatabase } from '#desktop/engine/storage/database.ts';
import { localDocument } from '#desktop/engine/storage/local-document.ts';

const titlesId = 'first-titles';

const stored = z.object({ version: z.literal(1), rows: z.string() });

/** Stores the titles of guides that an initial load will bring, so that every tab lists them; null: the load is complete. */
export async function writeFirstTitles(
  database: EngineDatabase,
  titles: readonly GuideTitle[] | null,
): Promise<void> {
  if (titles === null) await (await database.getLocal(titlesId))?.remove();
  else await database.upsertLocal(titlesId, { version: 1, rows: JSON.stringify(titles) });
}

/** The rows of guides whose facts an initial load has still to bring, now and after each change in any tab. */
export function firstTitles(database: EngineDatabase): Observable<GuideRow[]> {
  return localDocument(database, titlesId).pipe(
    map((document) => stored.safeParse(document).data ?? null),
    distinctUntilChanged((a, b) => sameValue(a, b)),
    map((data) =>
      data === null
        ? []
        : (JSON.parse(data.rows) as GuideTitle[]).map((title): GuideRow => ({ ...title, isTitle: true })),
    ),
  );
}
