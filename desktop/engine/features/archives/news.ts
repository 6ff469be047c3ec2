import { BehaviorSubject, combineLatest, map, type Observable, startWith, Subject, switchMap } from 'rxjs';
import { z } from 'zod';

import type { Core } from '#desktop/engine/account/core.ts';
import type { OfferedArchive } from './collection.ts';
import { type ArchiveRecord, recordsIn } from '#desktop/engine/storage/archive-record.ts';
import type { LeftArchive, ArchiveNews } from '#desktop/engine/api/archives.ts';

/** An archive that was removed because the person may no longer see all of it. */
const leftArchive: z.ZodType<LeftArchive> = z.object({
  archiveid: z.string(),
  title: z.string(),
  server: z.string(),
  userid: z.int(),
  /** Its name in the server's collection; null if it was made for this person alone. */
  name: z.string().nullable(),
  /** ms since 1970. */
  at: z.number(),
});

const prefix = 'archive-left/';

/** Remembers removed archives (README, ARCHIVE-8), and counts those that have a newer version (ARCHIVE-15). */
export class ArchiveNewsKeeper {
  readonly #core: Core;
  readonly #left = new BehaviorSubject<readonly LeftArchive[]>([]);
  readonly #changed = new Subject<void>();
  readonly #loaded: Promise<void>;

  constructor(core: Core) {
    this.#core = core;
    this.#loaded = this.#load();
  }

  /** News for the signed-in person. `offered`: the archives of their server, null while unknown. */
  news(offered: Observable<readonly OfferedArchive[] | null>): Observable<ArchiveNews> {
    const records = this.#changed.pipe(
      startWith(undefined),
      switchMap(() => this.#records()),
    );
    return combineLatest([this.#core.session.state, offered, records, this.#left]).pipe(
      map(([{ server, user }, offers, all, left]) => ({
        outdated: all.filter((one) => one.fetching === null && isOutdated(one, server, offers)).length,
        left: left.filter((one) => one.server === server && one.userid === user?.userid),
      })),
    );
  }

  /** To be called after each change of the archives' records. */
  look(): void {
    this.#changed.next();
  }

  /** Remembers, across restarts, that an archive was removed from this device. */
  async remember({ archiveid, origin }: ArchiveRecord, title: string): Promise<void> {
    const { server, user } = this.#core.session.current();
    if (server === null || user === null) return;
    const name = origin.kind === 'server' && !origin.private ? origin.name : null;
    const at = this.#core.environment.now();
    const left: LeftArchive = { archiveid, title, server, userid: user.userid, name, at };
    await this.#loaded;
    await this.#core.journal.append([{ op: 'put', collection: 'meta', id: prefix + archiveid, value: left }]);
    this.#left.next([...this.#left.value.filter((one) => one.archiveid !== archiveid), left]);
  }

  /** Forgets a removed archive: the person has seen the notice. */
  async dismiss(archiveid: string): Promise<void> {
    await this.#core.journal.forget('meta', [prefix + archiveid]);
    this.#left.next(this.#left.value.filter((one) => one.archiveid !== archiveid));
  }

  async #load(): Promise<void> {
    const { meta } = await this.#core.journal.entries();
    const found = [...meta].flatMap(([id, value]) => {
      const parsed = id.startsWith(prefix) ? leftArchive.safeParse(value) : undefined;
      return parsed?.data === undefined ? [] : [parsed.data];
    });
    if (found.length > 0) this.#left.next(found);
  }

  /** Reads the journal only, so that a device without archives does not open their files and index. */
  async #records(): Promise<ArchiveRecord[]> {
    const { meta } = await this.#core.journal.entries();
    return recordsIn(meta);
  }
}

function isOutdated(
  { origin }: ArchiveRecord,
  server: string | null,
  offered: readonly OfferedArchive[] | null,
): boolean {
  if (origin.kind !== 'server' || origin.private || origin.server !== server) return false;
  return offered?.some(({ name, path }) => name === origin.name && path !== origin.path) === true;
}
