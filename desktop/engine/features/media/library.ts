import {
  type Observable,
  BehaviorSubject,
  Subscription,
  combineLatest,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  map,
  skip,
  take,
} from 'rxjs';

import { Problem } from '#shared/api/problem.ts';
import type { ImageRef } from '#shared/model/image.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import type { OfflineChoice, RemovalObstacle } from '#desktop/engine/api/offline-records.ts';
import { sha256 } from '#desktop/engine/journal/bytes.ts';
import { serialQueue } from '#desktop/engine/platform/serial-queue.ts';
import { patientFetch } from '#desktop/engine/sync/patient-fetch.ts';
import { NamedMedia } from '../leaving/named-media.ts';
import type { GuideIndex } from '../records/guide-index.ts';
import type { Sources } from '../records/sources.ts';
import { chosenGuides } from './chosen-guides.ts';
import { FileSizes } from './file-sizes.ts';
import { type Closure, GuideFiles } from './guide-files.ts';
import { type DownloadDeps, fetchFile } from './download.ts';
import { type KnownFiles, type MediaNeed, knownFilesOf, pictureNeed } from './needs.ts';
import { OfflineSettings } from './offline-setting.ts';
import { OpenedGuides } from './opened-guides.ts';
import { Pace } from './pace.ts';
import { Pins } from './pins.ts';
import { type Policy, policyOf } from './policy.ts';
import { type IsSpared, MediaCache } from './queue.ts';

/** For files that could not be listed: the next guide that needs media lists them again. */
const triedAgain = (): void => undefined;

/** Delay until it is found out what is needed, ms: the first screen comes first. */
const firstMs = 1000;
/** A tab that does not lead looks this often for files that the leading one stored, ms. */
const lookMs = 30_000;
/** Delay after a failure to find out what is needed, such as a store that cannot be listed, ms. */
const againMs = 30_000;
/** Delay until other tabs are told of removed files, ms. */
const tellMs = 500;
/** By this word other tabs list their files again. */
const removedWord = 'media-removed';
/** How often it is tried to find out what must stay, while records arrive. */
const mostTurns = 20;
/** Longest time for which a person waits for the original of a picture, ms. */
const originalMs = 20_000;
/** Longest uninterrupted work, ms. */
const chunkMs = 16;

const reasons: Record<RemovalObstacle, string> = {
  unknown: 'It is still being found out which files this device needs. Try again in a moment.',
  incomplete:
    'The server has not sent all guides yet, so it is not known which files this device needs. Try again after that.',
  unread:
    'What you chose to keep on this device could not be read, so nothing is removed. Choose again what to keep.',
};

/** The guides that this device keeps, with their files. */
export interface KeptGuides {
  chosen: readonly string[];
  /** Guides that stay although nobody chose them (CARRY-3). */
  others: readonly string[];
  /** Chosen guides and all prerequisites. */
  all: ReadonlySet<string>;
  needs: MediaNeed[];
  /** Whether all records are on this device, so that no guides are missing here. */
  isComplete: boolean;
}

/** Decides which media are stored for offline use (CARRY-1 to CARRY-3), and loads them. */
export class MediaLibrary {
  readonly cache: MediaCache;
  readonly sizes: FileSizes;
  readonly pace: Pace;
  readonly settings: OfflineSettings;
  readonly #core: Core;
  readonly #downloads: DownloadDeps;
  readonly #sources: Sources;
  readonly #index: GuideIndex;
  readonly #pins: Pins;
  readonly #files: GuideFiles;
  readonly #opened: OpenedGuides;
  /** The versions of the guides in each group of guides that this device keeps. */
  readonly #wanted = new Map<string, string>();
  readonly #subscriptions = new Subscription();
  readonly #isAppKept = new BehaviorSubject(true);
  readonly #policy = new BehaviorSubject<Policy | null>(null);
  readonly #applied = new BehaviorSubject<Policy | null>(null);
  readonly #inOrder = serialQueue();
  #known: KnownFiles = new Map();
  /** Files that homes name which are not open now; they do not change meanwhile. Null: not read yet. */
  #namedElsewhere: Promise<NamedMedia> | null = null;
  #removing = Subscription.EMPTY;
  #endLook: (() => void) | null = null;
  #endAgain: (() => void) | null = null;
  #endTelling: (() => void) | null = null;

  constructor(core: Core, sources: Sources, index: GuideIndex) {
    this.#core = core;
    this.#sources = sources;
    this.#index = index;
    this.#pins = new Pins(core);
    this.settings = new OfflineSettings(core);
    this.#files = new GuideFiles(core.mirror);
    this.#opened = new OpenedGuides(core);
    const { environment } = core;
    this.pace = new Pace(() => environment.monotonic());
    const known = (): KnownFiles => this.#known;
    this.#downloads = {
      request: (path, init) => core.request(path, init),
      fetch: patientFetch(environment.fetch, environment),
      sha256,
      known,
    };
    this.cache = new MediaCache({
      ...this.#downloads,
      store: core.media,
      setTimer: (run, ms) => environment.setTimer(run, ms),
      spared: () => this.#spared(),
      stored: (bytes) => this.pace.note(bytes),
      removed: () => this.#tellRemoved(),
    });
    this.sizes = new FileSizes({
      files: this.cache.files,
      known,
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
    const policy = this.#policy.value;
    return policy !== null && policy.isComplete && this.#applied.value === policy;
  }

  /** Why no file can be removed now; null: files can be removed. */
  get obstacle(): RemovalObstacle | null {
    const policy = this.#policy.value;
    if (policy === null) return 'unknown';
    if (!policy.isComplete) return 'incomplete';
    if (policy.setting.isUnread || !policy.pins.isRead) return 'unread';
    return this.#applied.value === null ? 'unknown' : null;
  }

  /** Whether the files of the app itself are on this device. */
  get isAppKept(): boolean {
    return this.#isAppKept.value;
  }

  /** Guides that were downloaded one by one. */
  get pins(): Observable<readonly string[]> {
    return this.#pins.state.pipe(map(({ guideids }) => guideids));
  }

  /** Pins guides for offline use. Resolves when that is journalled. */
  async pin(guideids: readonly string[]): Promise<void> {
    await this.#pins.add(guideids.map((id) => this.#sources.resolve(id)));
  }

  /** Unpins all guides. Resolves when that is journalled; what nothing needs then is removed as soon as possible. */
  async unpin(): Promise<void> {
    await this.#pins.clear();
    this.#removeSoon();
  }

  /**
   * Changes what this device keeps. Resolves when that is journalled; what is not needed any more is removed as soon as
   * possible.
   */
  async choose(choice: OfflineChoice): Promise<void> {
    await this.settings.change({ choice, isPaused: false });
    this.#removeSoon();
  }

  /**
   * Removes all files that nothing needs. Resolves to how many stay because other accounts or tabs need them. Throws
   * `Problem` with the reason when they cannot be removed now.
   *
   * - CARRY-6 Only pictures, documents and videos that the server has are removed, and only once it is known what must stay
   *   (CARRY-15). Until then the person is told why nothing can be removed. Waiting work, drafts and texts are never
   *   touched.
   */
  async removeUnneeded(): Promise<number> {
    for (let turn = 0; turn < mostTurns; turn += 1) {
      const { obstacle } = this;
      if (obstacle !== null) throw new Problem('unavailable', reasons[obstacle]);
      if (!this.isSettled) await this.#apply();
      const isSpared = await this.#spared();
      if (isSpared === null) continue;
      await this.cache.keepOnly((key) => this.cache.isNeeded(key) || isSpared(key));
      const left = [...this.cache.files.entries()].filter(([key]) => !this.cache.isNeeded(key));
      if (this.isSettled) return left.length;
    }
    throw new Problem('unavailable', reasons.unknown);
  }

  /** Removes what nothing needs when it is known. If that fails, the person can still remove it. */
  #removeSoon(): void {
    this.#removing.unsubscribe();
    this.#removing = this.#applied
      .pipe(
        filter(() => this.isSettled && this.obstacle === null),
        take(1),
      )
      .subscribe(() => void this.removeUnneeded().catch(() => undefined));
  }

  /** What must stay although no group needs it (`MediaDeps.spared`). It counts for the present policy only. */
  async #spared(): Promise<IsSpared | null> {
    const policy = this.#policy.value;
    if (!this.isSettled || this.obstacle !== null) return null;
    const named = await this.#readElsewhere();
    const open = new Set<string>();
    for (const id of [...this.#opened.own, ...this.#opened.elsewhere])
      for (const { key } of (await this.#files.closureOf(id)).needs) open.add(key);
    return (key) => this.#policy.value !== policy || open.has(key) || named.has(key);
  }

  #readElsewhere(): Promise<NamedMedia> {
    const { homes } = this.#core;
    const read = async (): Promise<NamedMedia> => {
      const named = new NamedMedia();
      if ((await homes.count()) > 1) await homes.readOthers((body) => named.note(body));
      return named;
    };
    this.#namedElsewhere ??= read().catch((error: unknown) => {
      this.#namedElsewhere = null;
      throw error;
    });
    return this.#namedElsewhere;
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
    const others = [...new Set([...policy.pins.guideids, ...policy.kept])].filter((id) => !all.has(id));
    for (const id of [...others, ...this.#opened.own])
      for (const need of (await this.#files.closureOf(id)).needs) needs.set(need.key, need);
    return { chosen, others, all, needs: [...needs.values()], isComplete: policy.isComplete };
  }

  /** To be called when a person opens a guide. Fetches its media, and reads those that are stored (CARRY-7). */
  opened(guideid: string): void {
    const check = (): Promise<void> => this.cache.check(openGroup(guideid));
    const again = (): void => this.#applyLater();
    if (this.#opened.own.at(-1) === guideid) {
      check().catch(again);
      return;
    }
    const old = this.#opened.add(guideid);
    if (old !== undefined) this.cache.release(openGroup(old));
    this.#open(guideid).then(check).catch(again);
  }

  /** A picture that a guide shows, or that is in the media index. */
  async imageOf(guid: string): Promise<ImageRef | undefined> {
    const indexed = this.#index.imageOf(guid);
    if (indexed !== undefined) return indexed;
    const images = await firstValueFrom(this.#sources.images);
    return [...images.values()].find((image) => image.guid === guid);
  }

  /**
   * The original of a picture, from this device or, while online, from the server; undefined if it cannot be had. It is
   * not stored: only guides decide what is.
   */
  async original(image: ImageRef): Promise<Blob | undefined> {
    const { environment } = this.#core;
    const need = pictureNeed(image, 'original');
    const stored = await this.cache.read(need.key);
    if (stored !== undefined || !(await firstValueFrom(environment.online))) return stored;
    const abort = new AbortController();
    const cancel = environment.setTimer(() => abort.abort(), originalMs);
    try {
      const found = await fetchFile(need, this.#downloads, abort.signal);
      return typeof found === 'string' ? undefined : found;
    } catch {
      return undefined;
    } finally {
      cancel();
    }
  }

  close(): void {
    this.#subscriptions.unsubscribe();
    this.#removing.unsubscribe();
    for (const end of [this.#endLook, this.#endAgain, this.#endTelling]) end?.();
    this.#policy.complete();
    this.settings.close();
    this.#pins.close();
    this.#opened.close();
    this.cache.close();
  }

  #follow(): void {
    const { mirror, sync, environment, session, tabs } = this.#core;
    const homes = session.state.pipe(
      map(({ home }) => home),
      distinctUntilChanged(),
      skip(1),
    );
    this.#subscriptions.add(homes.subscribe(() => this.#forgetHome()));
    this.#subscriptions.add(
      mirror.all('media').subscribe((records) => {
        this.#known = knownFilesOf(records.map(({ facts }) => facts));
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
    this.#subscriptions.add(
      tabs?.heard.subscribe((word) => {
        if (word === removedWord) void this.cache.look().catch(triedAgain);
      }),
    );
  }

  #followPolicy(): void {
    this.#subscriptions.add(
      policyOf(this.#core, { settings: this.settings, pins: this.#pins }).subscribe((policy) => {
        this.#policy.next(policy);
        if (policy === null) return this.#applied.next(null);
        this.#files.rows = policy.choosing.rows;
        this.#files.earlier = policy.earlier;
        this.#apply().catch(() => this.#applyLater());
      }),
    );
  }

  /** The files of the person who was signed in are neither needed nor requested any more. */
  #forgetHome(): void {
    this.#removing.unsubscribe();
    this.#namedElsewhere = null;
    this.#wanted.clear();
    this.cache.releaseAll();
  }

  #applyLater(): void {
    this.#endAgain ??= this.#core.environment.setTimer(() => {
      this.#endAgain = null;
      this.#apply().catch(() => this.#applyLater());
    }, againMs);
  }

  /** Tells other tabs that files were removed, once for many. */
  #tellRemoved(): void {
    const { tabs, environment } = this.#core;
    if (tabs === undefined) return;
    this.#endTelling ??= environment.setTimer(() => {
      this.#endTelling = null;
      tabs.tell(removedWord);
    }, tellMs);
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
      const kept = new Set([...policy.pins.guideids, ...policy.kept]);
      const rest = this.#rester();
      for (const id of kept) {
        if (this.#policy.value !== policy) return;
        await this.#want(id, false);
      }
      for (const id of chosen) {
        if (this.#policy.value !== policy) return;
        if (!kept.has(id)) await this.#want(id, true);
        await rest();
      }
      const next = new Set([...kept, ...chosen]);
      const old = [...this.#wanted.keys()].filter((id) => !next.has(id));
      for (const id of old) this.#wanted.delete(id);
      this.cache.release(...old.map(groupOf));
      // A copy, because the person may open another guide meanwhile.
      const opened = this.#opened.own.slice();
      for (const id of opened) await this.#open(id);
      if (this.#policy.value !== policy) return;
      this.#applied.next(policy);
      // Files that cannot be removed now are removed after the next download.
      void this.cache.evict().catch(() => undefined);
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
    await this.cache.want(groupOf(guideid), needs, isLater);
    this.#wanted.set(guideid, version);
  }

  async #open(guideid: string): Promise<void> {
    const { needs } = await this.#files.closureOf(guideid);
    if (this.#opened.own.includes(guideid)) await this.cache.want(openGroup(guideid), needs);
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
