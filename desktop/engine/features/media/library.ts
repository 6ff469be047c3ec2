import {
  type Observable,
  BehaviorSubject,
  Subscription,
  combineLatest,
  distinctUntilChanged,
  firstValueFrom,
  map,
} from 'rxjs';

import type { GuideFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import type { PlannedOrderFacts } from '#shared/model/planned-orders.ts';
import { isAssigned } from '#shared/rules/planned-orders.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import { sha256 } from '#desktop/engine/journal/bytes.ts';
import { patientFetch } from '#desktop/engine/sync/patient-fetch.ts';
import type { GuideIndex } from '../records/guide-index.ts';
import { factsOfRelease, releasedIn } from '../records/pinned-releases.ts';
import type { Sources } from '../records/sources.ts';
import { teamidsOf } from '../records/teams.ts';
import { type KnownFiles, type MediaNeed, isVideoKey, knownFilesOf, mediaNeeds } from './needs.ts';
import { Pins } from './pins.ts';
import { MediaCache } from './queue.ts';

/** For files that could not be listed: the next guide that needs media lists them again. */
const triedAgain = (): void => undefined;

/** Number of recently opened guides whose media are all fetched. */
const openedGuides = 20;

/**
 * Decides which media are stored for offline use: those of pinned guides, favourites, guides by which this person is to work
 * (PLANNED-10) and recently opened guides, with their prerequisites.
 */
export class MediaLibrary {
  readonly cache: MediaCache;
  readonly #core: Core;
  readonly #sources: Sources;
  readonly #index: GuideIndex;
  readonly #pins: Pins;
  readonly #opened: string[] = [];
  readonly #wanted = new Set<string>();
  readonly #subscriptions = new Subscription();
  readonly #isAppKept = new BehaviorSubject(true);
  #known: KnownFiles = new Map();
  #earlier: readonly GuideFacts[] = [];

  constructor(core: Core, sources: Sources, index: GuideIndex) {
    this.#core = core;
    this.#sources = sources;
    this.#index = index;
    this.#pins = new Pins(core.journal, core.session);
    const { environment } = core;
    this.cache = new MediaCache({
      store: core.media,
      request: (path, init) => core.request(path, init),
      fetch: patientFetch(environment.fetch, environment),
      setTimer: (run, ms) => environment.setTimer(run, ms),
      sha256,
    });
    void this.cache.open().catch(triedAgain);
    if (core.appKept !== undefined) {
      this.#isAppKept.next(false);
      void core.appKept.then(() => this.#isAppKept.next(true));
    }
    this.#subscriptions.add(
      core.mirror.all('media').subscribe((records) => {
        this.#known = knownFilesOf(records.map(({ facts }) => facts));
      }),
    );
    const policy = combineLatest([this.#pins.guides, sources.favorites, plannedGuides(sources)]).pipe(
      map(([pins, favorites, planned]) => [...new Set([...pins, ...favorites.on, ...planned])].toSorted()),
      distinctUntilChanged((a, b) => sameValue(a, b)),
    );
    this.#subscriptions.add(policy.subscribe((guideids) => void this.#keep(guideids).catch(triedAgain)));
    this.#subscriptions.add(
      core.mirror.arrived.subscribe((rows) => {
        const moved = rows.flatMap((row) => (row.c === 'guides' ? [row.id] : []));
        if (moved.length > 0) void this.#refresh().catch(triedAgain);
      }),
    );
    this.#subscriptions.add(
      earlierTexts(core).subscribe((texts) => {
        this.#earlier = texts;
        void this.#refresh().catch(triedAgain);
      }),
    );
  }

  /** Emits once at first, and then whenever the stored or awaited files change. */
  get changed(): Observable<unknown> {
    return combineLatest([this.cache.changed, this.#isAppKept]);
  }

  /** Whether the files of the app itself are on this device. */
  get isAppKept(): boolean {
    return this.#isAppKept.value;
  }

  /** Pins guides for offline use. Resolves when that is journalled. */
  async pin(guideids: readonly string[]): Promise<void> {
    await this.#pins.add(guideids.map((id) => this.#sources.resolve(id)));
  }

  /** To be called when a person opens a guide. Fetches its media. */
  opened(guideid: string): void {
    const before = this.#opened.indexOf(guideid);
    if (before === this.#opened.length - 1 && before >= 0) return;
    if (before >= 0) this.#opened.splice(before, 1);
    this.#opened.push(guideid);
    void this.#want(guideid).catch(triedAgain);
    if (this.#opened.length <= openedGuides) return;
    const old = this.#opened.shift();
    if (old !== undefined && !this.#wanted.has(old)) this.cache.release(groupOf(old));
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
    await this.#refresh();
  }

  get known(): KnownFiles {
    return this.#known;
  }

  close(): void {
    this.#subscriptions.unsubscribe();
    this.#pins.close();
    this.cache.close();
  }

  async #keep(guideids: readonly string[]): Promise<void> {
    const next = new Set(guideids);
    for (const id of this.#wanted) {
      if (next.has(id)) continue;
      this.#wanted.delete(id);
      if (!this.#opened.includes(id)) this.cache.release(groupOf(id));
    }
    const added = guideids.filter((id) => !this.#wanted.has(id));
    for (const id of added) this.#wanted.add(id);
    for (const id of added) await this.#want(id);
  }

  async #refresh(): Promise<void> {
    for (const id of new Set([...this.#wanted, ...this.#opened])) await this.#want(id);
  }

  async #want(guideid: string): Promise<void> {
    const needs = await this.#needsOf(guideid);
    if (this.#wanted.has(guideid) || this.#opened.includes(guideid))
      await this.cache.want(groupOf(guideid), needs);
  }

  /** The media of a guide and its prerequisites: of the present version, of releases, and of revisions of orders. */
  async #needsOf(guideid: string): Promise<MediaNeed[]> {
    const needs = new Map<string, MediaNeed>();
    const seen = new Set<string>();
    const open = [guideid];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const record = id.startsWith('tmp:') ? null : await this.#core.mirror.get('guides', id);
      if (record === null) continue;
      const texts = this.#earlier.filter((text) => String(text.guideid) === id);
      for (const facts of [record.facts, ...releasedIn(record.facts).map(factsOfRelease), ...texts])
        for (const need of mediaNeeds(contentOf(facts), facts, this.#known)) needs.set(need.key, need);
      open.push(...record.facts.prerequisites.map(String));
    }
    return [...needs.values()];
  }
}

/** The texts of other versions of guides by which this person works, or is to work. */
function earlierTexts({ mirror }: Pick<Core, 'mirror'>): Observable<GuideFacts[]> {
  return combineLatest([mirror.all('releaseTexts'), mirror.all('workVersions')]).pipe(
    map((records) => records.flat().map(({ facts: { guide } }) => ({ ...guide, prerequisites: [] }))),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

/** The guides of the planned orders that this person is to do, or is doing. */
function plannedGuides({ core, me, people }: Sources): Observable<string[]> {
  return combineLatest([core.mirror.all('plannedOrders'), me, people]).pipe(
    map(([records, { userid }, { teams }]) => {
      const own = { userid, teams: teamidsOf({ userid, teamid: null }, teams) };
      const isOwn = ({ status, holders, ...facts }: PlannedOrderFacts): boolean =>
        status === 'open' ? isAssigned(facts, own) : status === 'started' && holders.includes(userid);
      const guideids = records.flatMap(({ facts }) => (isOwn(facts) ? [String(facts.guideid)] : []));
      return [...new Set(guideids)];
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

function groupOf(guideid: string): string {
  return `guide:${guideid}`;
}
