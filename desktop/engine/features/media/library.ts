import { type Observable, BehaviorSubject, Subscription, combineLatest, filter, firstValueFrom } from 'rxjs';

import type { ImageRef } from '#shared/model/image.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import type { OfflineChoice } from '#desktop/engine/api/offline-records.ts';
import { sha256 } from '#desktop/engine/journal/bytes.ts';
import { serialQueue } from '#desktop/engine/platform/serial-queue.ts';
import { patientFetch } from '#desktop/engine/sync/patient-fetch.ts';
import { NamedMedia } from '../leaving/named-media.ts';
import type { GuideIndex } from '../records/guide-index.ts';
import { sampled } from '../records/sampled.ts';
import type { Sources } from '../records/sources.ts';
import { chosenGuides } from './chosen-guides.ts';
import { FileSizes } from './file-sizes.ts';
import { type Closure, GuideFiles } from './guide-files.ts';
import { mustKeep } from './must-keep.ts';
import { type KnownFiles, type MediaNeed, isVideoKey, knownFilesOf } from './needs.ts';
import { OfflineSettings } from './offline-setting.ts';
import { Pace } from './pace.ts';
import { Pins } from './pins.ts';
import { type Policy, choiceSourcesIn, earlierTexts } from './policy.ts';
import { MediaCache } from './queue.ts';

/** For files that could not be listed: the next guide that needs media lists them again. */
const triedAgain = (): void => undefined;

/** Number of recently opened guides whose media are all fetched. */
const openedGuides = 20;
/** Delay until it is found out what is needed, ms: the first screen comes first. */
const firstMs = 1000;
/** A tab that does not lead looks this often for files that the leading one stored, ms. */
const lookMs = 30_000;
/** How often it is tried to find out what must stay, while records arrive. */
const mostTurns = 20;
/** Longest uninterrupted work, ms. */
const chunkMs = 16;

/** The guides that this device keeps, with their files. */
export interface KeptGuides {
  chosen: readonly string[];
  /** Guides that stay although nobody chose them (CARRY-3). */
  others: readonly string[];
  /** Chosen guides and all prerequisites. */
  all: ReadonlySet<string>;
  needs: MediaNeed[];
}

/** Decides which media are stored for offline use (CARRY-1 to CARRY-3), and loads them. */
export class MediaLibrary {
  readonly cache: MediaCache;
  readonly sizes: FileSizes;
  readonly pace: Pace;
  readonly settings: OfflineSettings;
  readonly #core: Core;
  readonly #sources: Sources;
  readonly #index: GuideIndex;
  readonly #pins: Pins;
  readonly #files: GuideFiles;
  readonly #opened: string[] = [];
  /** The versions of the guides in each group of guides that this device keeps. */
  readonly #wanted = new Map<string, string>();
  readonly #subscriptions = new Subscription();
  readonly #isAppKept = new BehaviorSubject(true);
  readonly #policy = new BehaviorSubject<Policy | null>(null);
  readonly #applied = new BehaviorSubject<Policy | null>(null);
  readonly #inOrder = serialQueue();
  #endLook: (() => void) | null = null;

  constructor(core: Core, sources: Sources, index: GuideIndex) {
    this.#core = core;
    this.#sources = sources;
    this.#index = index;
    this.#pins = new Pins(core.journal, core.session);
    this.settings = new OfflineSettings(core.journal, core.session);
    this.#files = new GuideFiles(core.mirror);
    const { environment } = core;
    this.pace = new Pace(() => environment.monotonic());
    this.cache = new MediaCache({
      store: core.media,
      request: (path, init) => core.request(path, init),
      fetch: patientFetch(environment.fetch, environment),
      setTimer: (run, ms) => environment.setTimer(run, ms),
      sha256,
      stored: (bytes) => this.pace.note(bytes),
    });
    this.sizes = new FileSizes({
      files: this.cache.files,
      request: (path, init) => core.request(path, init),
    });
    void this.cache.open().catch(triedAgain);
    if (core.appKept !== undefined) {
      this.#isAppKept.next(false);
      void core.appKept.then(() => this.#isAppKept.next(true));
    }
    this.#follow();
  }

  /** Emits once at first, and then whenever the stored or awaited files change. */
  get changed(): Observable<unknown> {
    return combineLatest([this.cache.changed, this.#isAppKept]);
  }

  /** Emits whenever the guides that this device keeps have changed, and their files are known. */
  get applied(): Observable<unknown> {
    return this.#applied;
  }

  /** Whether it is known which files this device needs. */
  get isSettled(): boolean {
    return this.#applied.value !== null && this.#applied.value === this.#policy.value;
  }

  /** Whether the files of the app itself are on this device. */
  get isAppKept(): boolean {
    return this.#isAppKept.value;
  }

  /** Guides that were downloaded one by one. */
  get pins(): Observable<readonly string[]> {
    return this.#pins.guides;
  }

  /** Pins guides for offline use. Resolves when that is journalled. */
  async pin(guideids: readonly string[]): Promise<void> {
    await this.#pins.add(guideids.map((id) => this.#sources.resolve(id)));
  }

  /** Unpins all guides, and removes what nothing needs then. Resolves when that is journalled. */
  async unpin(): Promise<void> {
    await this.#pins.clear();
    await this.removeUnneeded();
  }

  /** Changes what this device keeps. Resolves when that is journalled; then what is not needed any more is removed. */
  async choose(choice: OfflineChoice): Promise<void> {
    await this.settings.change({ choice, isPaused: false });
    void this.removeUnneeded().catch(triedAgain);
  }

  /**
   * Removes all files that nothing needs.
   *
   * - CARRY-6 Only pictures, documents and videos that the server has are removed, and only once it is known what must stay.
   *   Waiting work, drafts and texts are never touched. Files of guides that another account on this device sees stay.
   */
  async removeUnneeded(): Promise<void> {
    await this.#pins.loaded();
    await firstValueFrom(this.#policy.pipe(filter((policy) => policy !== null)));
    for (let turn = 0; turn < mostTurns && !this.isSettled; turn += 1) await this.#apply();
    const named = new NamedMedia();
    if ((await this.#core.homes.count()) > 1) await this.#core.homes.readOthers((body) => named.note(body));
    if (this.isSettled) await this.cache.keepOnly((key) => this.cache.isNeeded(key) || named.has(key));
  }

  /** The guides and files that this device would keep with another choice; null while that is not known. */
  async keptWith(choice: OfflineChoice): Promise<KeptGuides | null> {
    const policy = this.#policy.value;
    if (policy === null) return null;
    const chosen = await this.#chosen(choice, policy);
    const all = new Set<string>();
    const needs = new Map<string, MediaNeed>();
    const add = ({ guideids, needs: files }: Closure): void => {
      for (const id of guideids) all.add(id);
      for (const need of files) needs.set(need.key, need);
    };
    const rest = this.#rester();
    for (const id of chosen) {
      add(await this.#files.closureOf(id));
      await rest();
    }
    const others = [...new Set([...policy.pins, ...policy.kept])].filter((id) => !all.has(id));
    for (const id of [...others, ...this.#opened])
      for (const need of (await this.#files.closureOf(id)).needs) needs.set(need.key, need);
    return { chosen, others, all, needs: [...needs.values()] };
  }

  /** To be called when a person opens a guide. Fetches its media, and reads those that are stored (CARRY-7). */
  opened(guideid: string): void {
    const before = this.#opened.indexOf(guideid);
    if (before === this.#opened.length - 1 && before >= 0) {
      void this.cache.check(openGroup(guideid)).catch(triedAgain);
      return;
    }
    if (before >= 0) this.#opened.splice(before, 1);
    this.#opened.push(guideid);
    void this.#open(guideid)
      .then(() => this.cache.check(openGroup(guideid)))
      .catch(triedAgain);
    if (this.#opened.length <= openedGuides) return;
    const old = this.#opened.shift();
    if (old !== undefined) this.cache.release(openGroup(old));
  }

  /** A picture that a guide shows, or that is in the media index. */
  async imageOf(guid: string): Promise<ImageRef | undefined> {
    const indexed = this.#index.imageOf(guid);
    if (indexed !== undefined) return indexed;
    const images = await firstValueFrom(this.#sources.images);
    return [...images.values()].find((image) => image.guid === guid);
  }

  /**
   * To be called after the server was restored. Removes and fetches videos again, because their numbers may belong to
   * other videos now. Pictures and documents are named by guids, which are unique.
   */
  async meetHistory(): Promise<void> {
    await this.cache.keepOnly((key) => !isVideoKey(key));
    await this.#apply();
  }

  get known(): KnownFiles {
    return this.#files.known;
  }

  close(): void {
    this.#subscriptions.unsubscribe();
    this.#endLook?.();
    this.#policy.complete();
    this.settings.close();
    this.#pins.close();
    this.cache.close();
  }

  #follow(): void {
    const { mirror, sync, environment } = this.#core;
    const again = (): void => void this.#apply().catch(triedAgain);
    this.#subscriptions.add(
      mirror.all('media').subscribe((records) => {
        this.#files.known = knownFilesOf(records.map(({ facts }) => facts));
      }),
    );
    this.#subscriptions.add(
      earlierTexts(this.#core).subscribe((texts) => {
        this.#files.earlier = texts;
        again();
      }),
    );
    const cancel = environment.setTimer(() => this.#followPolicy(), firstMs);
    this.#subscriptions.add(cancel);
    this.#subscriptions.add(
      combineLatest([this.settings.setting, sync.leads, environment.online]).subscribe(
        ([{ isPaused }, leads, online]) => this.cache.hold(isPaused || !leads || !online),
      ),
    );
    this.#subscriptions.add(
      combineLatest([sync.leads, environment.online]).subscribe(([leads]) => this.#look(leads)),
    );
  }

  #followPolicy(): void {
    const { environment } = this.#core;
    this.#subscriptions.add(
      combineLatest([
        this.settings.setting,
        this.#pins.guides,
        mustKeep(this.#sources),
        choiceSourcesIn(this.#sources).pipe(sampled(environment, 1000)),
      ]).subscribe(([setting, pins, kept, choosing]) => {
        this.#files.rows = choosing.rows;
        this.#policy.next({ setting, pins, kept, choosing });
        void this.#apply().catch(triedAgain);
      }),
    );
  }

  #look(leads: boolean): void {
    this.#endLook?.();
    this.#endLook = null;
    void this.cache.look().catch(triedAgain);
    if (leads) return;
    this.#endLook = this.#core.environment.setTimer(() => this.#look(leads), lookMs);
  }

  /** Sets the groups of the cache as the policy says; one at a time, and only the latest of those that wait. */
  #apply(): Promise<void> {
    return this.#inOrder(async () => {
      const policy = this.#policy.value;
      if (policy === null) return;
      const chosen = await this.#chosen(policy.setting.choice, policy);
      const kept = new Set([...policy.pins, ...policy.kept]);
      const rest = this.#rester();
      for (const id of kept) await this.#want(id, false);
      for (const id of chosen) {
        if (this.#policy.value !== policy) return;
        if (!kept.has(id)) await this.#want(id, true);
        await rest();
      }
      const next = new Set([...kept, ...chosen]);
      const old = [...this.#wanted.keys()].filter((id) => !next.has(id));
      for (const id of old) this.#wanted.delete(id);
      this.cache.release(...old.map(groupOf));
      for (const id of this.#opened) await this.#open(id);
      this.#applied.next(policy);
    });
  }

  #chosen(choice: OfflineChoice, { choosing }: Policy): Promise<string[]> {
    const teamsOf = async (id: string): Promise<readonly number[]> => (await this.#files.of(id))?.teams ?? [];
    return chosenGuides(choice, { ...choosing, teamsOf });
  }

  async #want(guideid: string, isLater: boolean): Promise<void> {
    const { versions, needs } = await this.#files.closureOf(guideid);
    const version = `${isLater} ${versions}`;
    if (this.#wanted.get(guideid) === version) return;
    this.#wanted.set(guideid, version);
    await this.cache.want(groupOf(guideid), needs, isLater);
  }

  async #open(guideid: string): Promise<void> {
    const { needs } = await this.#files.closureOf(guideid);
    if (this.#opened.includes(guideid)) await this.cache.want(openGroup(guideid), needs);
  }

  /** A function that lets the page respond when it has worked for long. */
  #rester(): () => Promise<void> {
    const { environment } = this.#core;
    let began = environment.monotonic();
    return async () => {
      if (environment.monotonic() - began < chunkMs) return;
      await new Promise<void>((resolve) => void environment.setTimer(resolve, 0));
      began = environment.monotonic();
    };
  }
}

function groupOf(guideid: string): string {
  return `guide:${guideid}`;
}

function openGroup(guideid: string): string {
  return `open:${guideid}`;
}
