import {
  BehaviorSubject,
  combineLatest,
  distinctUntilChanged,
  filter,
  map,
  type Observable,
  Subscription,
} from 'rxjs';

import { notFound, Problem } from '#shared/api/problem.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import type { AskedGuides, ComingArchive } from '#desktop/engine/api/archives.ts';
import { askForArchive, type Collection, type OfferedArchive, readCollection } from './collection.ts';
import { ArchiveFetcher } from './fetcher.ts';
import {
  type ArchiveOrigin,
  type ArchiveRecord,
  type Fetching,
  nothingFetched,
  recordsIn,
} from '#desktop/engine/storage/archive-record.ts';
import type { ArchiveStore } from './archive-store.ts';

/** Interval between two requests for the server's collection, ms. */
const lookMs = 120_000;
/** The interval while the server is making an archive that has no version yet, ms. */
const soonMs = 15_000;

/** Begins, pauses and resumes fetches of archives, and looks for new versions. */
export class ArchiveDownloads {
  readonly #core: Core;
  readonly #store: ArchiveStore;
  readonly #offered = new BehaviorSubject<OfferedArchive[] | null>(null);
  readonly #coming = new BehaviorSubject<ComingArchive[]>([]);
  readonly #fetcher: ArchiveFetcher;
  readonly #subscriptions = new Subscription();
  #followed = false;
  #cancel: (() => void) | null = null;

  constructor(core: Core, store: ArchiveStore) {
    this.#core = core;
    this.#store = store;
    this.#fetcher = new ArchiveFetcher(core, store);
  }

  /** The archives that the session's server offers; null while unknown. Begins to ask the server. */
  get offered(): Observable<OfferedArchive[] | null> {
    this.follow();
    return this.#offered;
  }

  /** The archives that the server is making or could not make; empty while unknown. Begins to ask the server. */
  get coming(): Observable<ComingArchive[]> {
    this.follow();
    return this.#coming;
  }

  /** The archives that the server offers, as far as known. Does not ask the server. */
  get known(): Observable<OfferedArchive[] | null> {
    return this.#offered;
  }

  /** Begins to fetch an archive of the server's collection, or its next version if it is here. Resolves to its id. */
  async fromServer(name: string): Promise<string> {
    const { server, user } = this.#core.session.current();
    const offer = this.#offered.value?.find((one) => one.name === name);
    if (server === null || user === null || offer === undefined) throw notFound('Archive');
    const same = (await this.#store.records()).filter(
      ({ origin }) =>
        origin.kind === 'server' && !origin.private && origin.server === server && origin.name === name,
    );
    const underWay = same.find(({ fetching }) => fetching !== null);
    if (underWay !== undefined) {
      await this.resume(underWay.archiveid);
      return underWay.archiveid;
    }
    const { path, sha256, filename, bytes: size } = offer;
    const before = same[0];
    const origin = { kind: 'server', server, userid: user.userid, name, path, private: false } as const;
    if (before?.origin.kind === 'server' && before.origin.path === path) return before.archiveid;
    const archiveid = await this.#begin(origin, filename, {
      size,
      sha256,
      replaces: before?.archiveid ?? null,
    });
    return before?.archiveid ?? archiveid;
  }

  /** Requests an archive for this person from the server, and fetches it when it is made. Resolves to its id. */
  async onRequest(choice: AskedGuides): Promise<string> {
    const made = await askForArchive(this.#core, choice);
    const { server, user } = this.#core.session.current();
    if (server === null || user === null) throw notFound('Archive');
    const path = `/api/2.0/omanual/archives/${made.archiveid}/file`;
    const name = String(made.archiveid);
    const origin = { kind: 'server', server, userid: user.userid, name, path, private: true } as const;
    return this.#begin(origin, made.filename, { size: 0, sha256: null, replaces: null });
  }

  /** Begins to fetch an archive from an address. Resolves to its id. */
  async fromUrl(url: string): Promise<string> {
    const parsed = URL.parse(url);
    if (parsed === null || !/^https?:$/.test(parsed.protocol))
      throw new Problem('invalid', 'Enter an address that begins with http:// or https://');
    if (!(await this.#mayFetch(parsed.href)))
      throw new Problem(
        'forbidden',
        'The address is in a private network, and you did not allow the download',
      );
    const filename = nameIn(parsed.pathname) || parsed.hostname;
    return this.#begin({ kind: 'url', url: parsed.href }, filename, {
      size: 0,
      sha256: null,
      replaces: null,
    });
  }

  /** Pauses the fetch of an archive, or of its next version. */
  async pause(archiveid: string): Promise<void> {
    const record = await this.#fetchingOf(archiveid);
    if (record === null) return;
    this.#fetcher.stop(record.archiveid);
    await this.#fetcher.update(record.archiveid, { paused: true, problem: null });
  }

  async resume(archiveid: string): Promise<void> {
    const record = await this.#fetchingOf(archiveid);
    if (record === null) return;
    // Without permission, the fetch reports why it stops.
    if (record.origin.kind === 'url') await this.#mayFetch(record.origin.url);
    await this.#fetcher.update(record.archiveid, { paused: false, problem: null });
    this.#fetcher.run(record.archiveid);
  }

  /** Stops the fetches of an archive that is to be removed. Resolves to the ids of the archive and its next version. */
  async forget(archiveid: string): Promise<string[]> {
    const records = await this.#store.records();
    const own = records.filter((one) => one.archiveid === archiveid || one.fetching?.replaces === archiveid);
    for (const one of own) this.#fetcher.stop(one.archiveid);
    return own.map((one) => one.archiveid);
  }

  close(): void {
    this.#cancel?.();
    this.#subscriptions.unsubscribe();
    this.#fetcher.close();
  }

  /**
   * Asks the server for new versions regularly, while a person is signed in and online, and resumes fetches that broke
   * off.
   */
  follow(): void {
    if (this.#followed) return;
    this.#followed = true;
    const { session, environment } = this.#core;
    const presentServer = combineLatest([session.state, environment.online]).pipe(
      map(([{ status, server }, online]) => (online && status === 'signed-in' ? server : null)),
      distinctUntilChanged(),
    );
    this.#subscriptions.add(
      presentServer.subscribe((server) => {
        this.#cancel?.();
        if (server === null) this.#setCollection(null);
        else void this.#lookRegularly().catch(() => undefined);
      }),
    );
    this.#subscriptions.add(
      environment.online.pipe(filter(Boolean)).subscribe(() => {
        // If the files cannot be opened, the screens of archives report it.
        void this.#resumeAll().catch(() => undefined);
      }),
    );
  }

  /** Asks the server for its collection. */
  async look(): Promise<void> {
    const collection = await readCollection(this.#core).catch(() => null);
    this.#setCollection(collection);
    if (collection === null) return;
    await this.#restartOutdated(collection.offered);
    await this.#resumeAll();
  }

  #setCollection(collection: Collection | null): void {
    this.#coming.next(collection?.coming ?? []);
    this.#offered.next(collection?.offered ?? null);
  }

  async #lookRegularly(): Promise<void> {
    await this.look();
    this.#cancel?.();
    const isMaking = this.#coming.value.some(({ problem }) => problem === null);
    this.#cancel = this.#core.environment.setTimer(
      () => void this.#lookRegularly().catch(() => undefined),
      isMaking ? soonMs : lookMs,
    );
  }

  /**
   * Deletes the bytes of stopped fetches whose version is no longer offered. They begin again with the version that is
   * offered now, if there is one.
   */
  async #restartOutdated(offered: readonly OfferedArchive[]): Promise<void> {
    const { server } = this.#core.session.current();
    for (const record of recordsIn((await this.#core.journal.entries()).meta)) {
      const { archiveid, origin, fetching, stored } = record;
      if (origin.kind !== 'server' || origin.private || origin.server !== server) continue;
      if (fetching === null || (!fetching.paused && fetching.problem === null)) continue;
      const offer = offered.find(({ name }) => name === origin.name);
      if (offer?.path === origin.path) continue;
      this.#fetcher.stop(archiveid);
      await (await this.#store.files()).remove(stored);
      this.#store.progress.size(archiveid, 0);
      const next = offer === undefined ? { size: 0 } : { size: offer.bytes, sha256: offer.sha256 };
      await this.#store.change(archiveid, (now) => ({
        ...now,
        origin: { ...origin, path: offer?.path ?? origin.path },
        fetching: now.fetching && { ...now.fetching, ...next, ...nothingFetched },
      }));
    }
  }

  async #resumeAll(): Promise<void> {
    for (const { archiveid, fetching } of await this.#store.records())
      if (fetching !== null && !fetching.paused) this.#fetcher.run(archiveid);
  }

  async #begin(
    origin: ArchiveOrigin,
    filename: string,
    known: Pick<Fetching, 'size' | 'sha256' | 'replaces'>,
  ): Promise<string> {
    const { environment } = this.#core;
    const archiveid = environment.uuid();
    await this.#store.keep({
      archiveid,
      stored: `archive-${archiveid}`,
      filename,
      addedAt: environment.now(),
      origin,
      sha256: '',
      fetching: { ...known, ...nothingFetched, paused: false, problem: null },
    });
    this.follow();
    this.#fetcher.run(archiveid);
    return archiveid;
  }

  /** Whether an address may be fetched, or the person allows it. */
  async #mayFetch(url: string): Promise<boolean> {
    return (await this.#core.environment.allowElsewhere?.(url)) ?? true;
  }

  async #fetchingOf(archiveid: string): Promise<ArchiveRecord | null> {
    const records = await this.#store.records();
    const own = records.find(
      (one) => one.fetching !== null && (one.archiveid === archiveid || one.fetching.replaces === archiveid),
    );
    return own ?? null;
  }
}

/** The last part of a path as a file name, unescaped if possible. */
function nameIn(path: string): string {
  const last = path.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
