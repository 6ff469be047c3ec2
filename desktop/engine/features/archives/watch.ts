import { combineLatest, distinctUntilChanged, filter, map, Subscription } from 'rxjs';

import type { Core } from '#desktop/engine/account/core.ts';
import type { Session } from '#desktop/engine/api/sync-records.ts';
import { sampled } from '../records/sampled.ts';
import type { ArchiveDownloads } from './downloads.ts';
import type { ArchiveNewsKeeper } from './news.ts';
import { type ArchiveRecord, ownerOf, recordsIn } from '#desktop/engine/storage/archive-record.ts';
import type { ArchiveStore } from './archive-store.ts';
import { serialQueue } from '#desktop/engine/platform/serial-queue.ts';

/** Rows arrive in batches. A guide that is missing between two batches is not lost, so the check waits, ms. */
const settledMs = 1000;

/**
 * Removes archives that the person may not keep (README, ARCHIVE-7 and ARCHIVE-8): at sign-out those that were made for
 * them alone, and while they are signed in those of the server with a guide that they can no longer see.
 */
export class ArchiveWatch {
  readonly #core: Core;
  readonly #store: ArchiveStore;
  readonly #downloads: ArchiveDownloads;
  readonly #news: ArchiveNewsKeeper;
  readonly #subscriptions = new Subscription();
  readonly #inOrder = serialQueue();

  constructor(core: Core, store: ArchiveStore, downloads: ArchiveDownloads, news: ArchiveNewsKeeper) {
    this.#core = core;
    this.#store = store;
    this.#downloads = downloads;
    this.#news = news;
    const { session, mirror, sync } = core;
    this.#subscriptions.add(
      session.state
        .pipe(
          filter(({ status }) => status !== 'restoring'),
          distinctUntilChanged((a, b) => a.server === b.server && a.user?.userid === b.user?.userid),
        )
        .subscribe((present) => this.#soon(() => this.#leave(present))),
    );
    const visible = combineLatest([mirror.guideRows(), sync.state]).pipe(
      sampled(core.environment, settledMs),
      filter(
        ([, state]) => state.phase === 'idle' && state.connection === 'online' && state.lastSyncedAt !== null,
      ),
      map(([rows]) => rows.map(({ id }) => id)),
    );
    this.#subscriptions.add(visible.subscribe((ids) => this.#soon(() => this.#check(new Set(ids)))));
  }

  async close(): Promise<void> {
    this.#subscriptions.unsubscribe();
    await this.#inOrder(async () => undefined);
  }

  /** Removes archives that were made for a person who is not signed in any more. */
  async #leave({ server, user }: Session): Promise<void> {
    const records = await this.#records();
    // New versions are announced on all screens, so the server is asked even if no archive is shown.
    if (records.some(({ origin }) => origin.kind === 'server' && !origin.private)) this.#downloads.follow();
    for (const { archiveid, origin } of records) {
      const owner = ownerOf(origin);
      if (owner === null || (owner.server === server && owner.userid === user?.userid)) continue;
      await this.#remove(archiveid);
    }
  }

  async #check(visible: ReadonlySet<string>): Promise<void> {
    const { server } = this.#core.session.current();
    for (const record of await this.#records()) {
      const { archiveid, origin, fetching } = record;
      const from = origin.kind === 'server' ? origin.server : ownerOf(origin)?.server;
      if (from === undefined || from !== server || fetching !== null) continue;
      const guides = await this.#guidesOf(archiveid);
      if (guides.every((id) => visible.has(id))) continue;
      const title = (await this.#store.find(archiveid))?.index?.title ?? record.filename;
      await this.#news.remember(record, title);
      await this.#remove(archiveid);
      await this.#downloads.look();
    }
  }

  /** The server's numbers of the guides in one of its archives. */
  async #guidesOf(archiveid: string): Promise<string[]> {
    const { entries, producer } = await this.#store.opened(archiveid);
    return entries.flatMap(({ foreignId, guideid }) => {
      const number = foreignId ?? (producer === 'benchbook' ? guideid : null);
      return number === null ? [] : [String(number)];
    });
  }

  /** Reads the journal only, so that a device without archives does not open their files and index. */
  async #records(): Promise<ArchiveRecord[]> {
    const { meta } = await this.#core.journal.entries();
    return recordsIn(meta);
  }

  async #remove(archiveid: string): Promise<void> {
    for (const own of await this.#downloads.forget(archiveid)) await this.#store.remove(own);
    await this.#store.remove(archiveid);
  }

  #soon(run: () => Promise<void>): void {
    this.#inOrder(run).catch(() => undefined);
  }
}
