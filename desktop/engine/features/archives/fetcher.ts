import type { Core } from '#desktop/engine/account/core.ts';
import { patientFetch } from '#desktop/engine/sync/patient-fetch.ts';
import { troubleOf } from '#desktop/engine/sync/trouble.ts';
import { askedArchive } from './collection.ts';
import { fetchRest, type FetchedPart } from './fetch-rest.ts';
import { piecesOf } from '#desktop/engine/journal/archive-files.ts';
import { type ArchiveRecord, type Fetching, nothingFetched } from '#desktop/engine/storage/archive-record.ts';
import { runningSha256 } from '#desktop/engine/platform/sha256.ts';
import type { ArchiveStore } from './archive-store.ts';

/** Waits before a broken fetch is tried again, ms. The last one is used for all further tries. */
const retryMs = [2000, 10_000, 60_000, 300_000];

/** Interval between two requests for the state of an archive that the server is making, ms. */
const makingMs = 2000;

const words = {
  unmade: 'The server could not make it. Ask for it again.',
  offline: 'The connection broke off. It goes on by itself.',
  foreign:
    'Something between this device and the server answers in its place. What is here stays, and the rest comes when that stops.',
  gone: 'This archive is not there any more. Remove it here, and look for a newer one.',
  refused: 'The server does not hand it out.',
  altered: 'What arrived is not what was offered. Go on to fetch it anew.',
  closed:
    'That site lets no other page fetch the file. Download it there, and open it here with “Open an archive”.',
  private:
    'The address is in a private network. If you know the server, select “Resume”, and allow the download.',
  elsewhere: 'It belongs to another server. Sign in there to go on.',
};

/** Fetches the files of archives: resumes fetches that broke off, and verifies the complete files. */
export class ArchiveFetcher {
  readonly #core: Core;
  readonly #store: ArchiveStore;
  readonly #running = new Map<string, AbortController>();
  readonly #timers = new Map<string, () => void>();

  constructor(core: Core, store: ArchiveStore) {
    this.#core = core;
    this.#store = store;
  }

  /** Fetches the missing part of an archive, and repeats this until it is complete, paused or refused. */
  run(archiveid: string): void {
    this.#timers.get(archiveid)?.();
    this.#timers.delete(archiveid);
    if (this.#running.has(archiveid)) return;
    const abort = new AbortController();
    this.#running.set(archiveid, abort);
    void this.#core
      .lock(`archive-fetch/${archiveid}`, () => this.#fetch(archiveid, abort.signal))
      .catch(async (error: unknown) => {
        // After a stop the journal may be closed.
        if (!abort.signal.aborted) await this.#failed(archiveid, troubleOf(error).words);
      })
      .finally(() => {
        if (this.#running.get(archiveid) === abort) this.#running.delete(archiveid);
      });
  }

  stop(archiveid: string): void {
    this.#timers.get(archiveid)?.();
    this.#timers.delete(archiveid);
    this.#running.get(archiveid)?.abort();
    this.#running.delete(archiveid);
  }

  close(): void {
    for (const archiveid of [...this.#running.keys(), ...this.#timers.keys()]) this.stop(archiveid);
  }

  async #fetch(archiveid: string, signal: AbortSignal): Promise<void> {
    for (let tries = 0; !signal.aborted; tries += 1) {
      const record = (await this.#store.records()).find((one) => one.archiveid === archiveid);
      if (record === undefined || record.fetching === null || record.fetching.paused) return;
      if (record.fetching.problem !== null) await this.update(archiveid, { problem: null });
      const outcome = await this.#fetchPart(record, signal);
      if (signal.aborted) return;
      if (outcome.kind === 'whole') return this.#finish(archiveid);
      if (outcome.kind === 'refused') return this.#failed(archiveid, words[outcome.why]);
      if (outcome.kind === 'later') {
        await this.#wait(archiveid, makingMs, signal);
        continue;
      }
      await this.#failed(archiveid, outcome.kind === 'foreign' ? words.foreign : words.offline);
      await this.#wait(archiveid, retryMs[Math.min(tries, retryMs.length - 1)] ?? 0, signal);
    }
  }

  async #fetchPart(record: ArchiveRecord, signal: AbortSignal): Promise<FetchedPart> {
    const { archiveid, stored, origin, fetching } = record;
    if (fetching === null) return { kind: 'whole' };
    const { session, environment } = this.#core;
    if (origin.kind === 'server' && session.current().server !== origin.server)
      return { kind: 'refused', why: 'elsewhere' };
    if (origin.kind === 'server' && origin.private && fetching.sha256 === null) {
      const begun = await this.#checkMade(record, Number(origin.name));
      if (begun !== null) return begun;
    }
    const elsewhere = patientFetch(environment.fetchElsewhere ?? environment.fetch, environment);
    const ask = (init: RequestInit): Promise<Response> =>
      origin.kind === 'server'
        ? this.#core.request(origin.path, init)
        : elsewhere(origin.kind === 'url' ? origin.url : '', { ...init, credentials: 'omit' });
    return fetchRest({
      ask,
      isClosed: async () => origin.kind === 'url' && this.#isClosed(origin.url, signal),
      files: await this.#store.files(),
      stored,
      offered: fetching.sha256 === null || fetching.size === 0 ? null : fetching.size,
      validator: fetching.validator,
      flushed: fetching.flushed,
      now: () => environment.now(),
      signal,
      began: (about) => this.update(archiveid, about),
      written: (size) => this.#store.progress.size(archiveid, size),
      safe: async (flushed) => void (await this.#store.ledger.edit(archiveid, fetchingWith({ flushed }))),
    });
  }

  /** Whether a site can be reached, but does not let pages of other sites read its responses. */
  async #isClosed(url: string, signal: AbortSignal): Promise<boolean> {
    const { environment } = this.#core;
    if (environment.fetchElsewhere !== undefined) return false;
    const fetch = patientFetch(environment.fetch, environment);
    const abort = new AbortController();
    const stop = AbortSignal.any([signal, abort.signal]);
    try {
      const answer = await fetch(url, { mode: 'no-cors', credentials: 'omit', signal: stop });
      return answer.type === 'opaque';
    } catch {
      return false;
    } finally {
      abort.abort();
    }
  }

  /** Asks whether the server has made an archive. If so, stores size and hash and resolves to null. */
  async #checkMade(record: ArchiveRecord, asked: number): Promise<FetchedPart | null> {
    const made = await askedArchive(this.#core, asked).catch(() => undefined);
    if (made === undefined) return { kind: 'broken' };
    if (made === null) return { kind: 'refused', why: 'gone' };
    if (made.state === 'failed' || made.state === 'cancelled') return { kind: 'refused', why: 'unmade' };
    if (made.state !== 'done' || made.hash === null) {
      const { done, total } = made.progress;
      this.#store.progress.progress(record.archiveid, total > 0 ? { done, total } : null);
      return { kind: 'later' };
    }
    this.#store.progress.progress(record.archiveid, null);
    await this.update(record.archiveid, { size: made.size ?? 0, sha256: made.hash });
    return null;
  }

  /** Verifies the hash of a complete file, and lists it as an archive. */
  async #finish(archiveid: string): Promise<void> {
    const record = (await this.#store.records()).find((one) => one.archiveid === archiveid);
    if (record === undefined || record.fetching === null) return;
    const files = await this.#store.files();
    using hash = runningSha256();
    for await (const piece of piecesOf(await files.source(record.stored))) await hash.update(piece);
    const sha256 = await hash.digest();
    if (record.fetching.sha256 !== null && record.fetching.sha256 !== sha256) {
      await files.remove(record.stored);
      this.#store.progress.size(archiveid, 0);
      return this.update(archiveid, { ...nothingFetched, problem: words.altered });
    }
    await this.#store.finish(record, sha256);
  }

  #failed(archiveid: string, problem: string): Promise<void> {
    return this.update(archiveid, { problem });
  }

  /** Changes the state of a fetch in its record. */
  update(archiveid: string, change: Partial<Fetching>): Promise<void> {
    return this.#store.change(archiveid, fetchingWith(change));
  }

  #wait(archiveid: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#core.environment.setTimer(resolve, ms);
      signal.addEventListener('abort', () => resolve(), { once: true });
      this.#timers.set(archiveid, () => {
        cancel();
        resolve();
      });
    });
  }
}

/** Changes the state of a fetch in a record. Records of complete files stay as they are. */
function fetchingWith(change: Partial<Fetching>): (record: ArchiveRecord) => ArchiveRecord {
  return (record) => ({ ...record, fetching: record.fetching && { ...record.fetching, ...change } });
}
