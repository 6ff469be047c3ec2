import { type Observable, BehaviorSubject, Subject, firstValueFrom } from 'rxjs';

import type { Core } from '#desktop/engine/account/core.ts';
import type { DraftRecord } from '#desktop/engine/drafts/guide-draft.ts';
import { OpenDraft, UnreadableDraft, isBatchId } from '#desktop/engine/drafts/open-draft.ts';
import type { OpenDrafts } from './open-drafts.ts';
import type { ServerFollower } from './server-follower.ts';

interface Deps {
  core: Core;
  open: OpenDrafts;
  follower: ServerFollower;
  /** Whether this tab edits the drafts. */
  leads: () => boolean;
}

/** Reads the stored drafts of the signed-in person into memory, and knows those that cannot be read. */
export class StoredDrafts {
  readonly #deps: Deps;
  readonly #unreadable = new BehaviorSubject<readonly string[]>([]);
  readonly #loaded = new Subject<void>();
  #loading: Promise<void> = Promise.resolve();
  /** Whether a read is due that has not begun. */
  #isStale = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Guideids of drafts that this version of the app cannot read. Their stored form stays as it is. */
  get unreadable(): Observable<readonly string[]> {
    return this.#unreadable;
  }

  /** Emits whenever the drafts of a home have been read. */
  get loaded(): Observable<void> {
    return this.#loaded;
  }

  /** Settles with the last read that was asked for. */
  get loading(): Promise<void> {
    return this.#loading;
  }

  /** Whether a draft of a guide is stored that this version of the app cannot read. */
  isUnreadable(guideid: string): boolean {
    const { open } = this.#deps;
    const wanted = open.resolve(guideid);
    return this.#unreadable.value.some((id) => open.resolve(id) === wanted);
  }

  /** Reads all drafts again. Requests that come before the read begins share it. */
  reload(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    const read = async (): Promise<void> => {
      this.#isStale = false;
      await this.#readAll();
    };
    this.#loading = this.#loading.then(read, read);
    // `ready` reports a failure to its callers; there may be none.
    this.#loading.catch(() => undefined);
  }

  /** Removes what is stored of a draft that cannot be read. False if there is none of this id. */
  async discardUnreadable(id: string): Promise<boolean> {
    if (!this.#unreadable.value.includes(id)) return false;
    const { drafts } = this.#deps.core.held();
    const ids = await firstValueFrom(drafts.ids);
    const isOf = (one: string): boolean => one === id || (isBatchId(one) && one.replace(/\+\d+$/, '') === id);
    for (const one of ids.filter(isOf)) await drafts.remove(one);
    this.#unreadable.next(this.#unreadable.value.filter((one) => one !== id));
    return true;
  }

  /**
   * Parses a draft that another device stored. `stored`: its records by id.
   * @throws UnreadableDraft when they hold no draft of that id that can be read
   */
  async parse(
    id: string,
    stored: ReadonlyMap<string, unknown>,
  ): Promise<{ record: DraftRecord; isSaved: boolean }> {
    const { drafts, environment } = this.#deps.core;
    const store = { ...drafts, get: async (one: string) => stored.get(one) };
    const read = await OpenDraft.read(id, [...stored.keys()], { store, environment }, () => undefined);
    if (read === undefined) throw new UnreadableDraft('The draft cannot be read');
    const record = read.draft.toJSON();
    const isSaved = read.saved !== null;
    read.close();
    return { record, isSaved };
  }

  close(): void {
    this.#loaded.complete();
  }

  async #readAll(): Promise<void> {
    const { open, follower } = this.#deps;
    const { environment, drafts, mustHold } = this.#deps.core.held();
    const ids = await firstValueFrom(drafts.ids);
    const wanted = ids.filter((id) => !isBatchId(id));
    const read = wanted.map((id) => {
      // A draft is written back to the home from which it was read, even if somebody else signs in meanwhile.
      const deps = { store: drafts.own(), environment };
      return OpenDraft.read(id, ids, deps, () => open.changed()).catch((error: unknown) => lost(id, error));
    });
    const all = await Promise.all(read);
    mustHold();
    const found = await this.#latest(all.filter((one) => one instanceof OpenDraft));
    mustHold();
    this.#unreadable.next(all.filter((one) => typeof one === 'string'));
    open.replaceAll(found);
    this.#loaded.next();
    for (const one of found) {
      open.watch(one);
      await follower.settle(one);
    }
  }

  /** The later one of two drafts of one guide, which exist when the app ended while a draft moved to another id. */
  async #latest(found: readonly OpenDraft[]): Promise<OpenDraft[]> {
    const { open: drafts, leads } = this.#deps;
    const latest = new Map<string, OpenDraft>();
    for (const open of found.toSorted((a, b) => a.batch - b.batch)) {
      const id = drafts.resolve(open.id);
      const earlier = latest.get(id);
      latest.set(id, open);
      earlier?.close();
      // If it cannot be removed, the next start reads it again.
      if (leads()) await earlier?.erase().catch(() => undefined);
    }
    const newest = new Set(latest.values());
    return found.filter((open) => newest.has(open));
  }
}

/** The id of a draft that cannot be read. Throws any other error again. */
function lost(id: string, error: unknown): string {
  if (error instanceof UnreadableDraft) return id;
  throw error;
}

/** The message for a draft that cannot be read. */
export const unreadableWords =
  'This app cannot read the draft of this guide: a newer version wrote it, or it is damaged. It is kept. Update the app, or export it and ask for support.';
