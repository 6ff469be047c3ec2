import {
  type Observable,
  combineLatest,
  concat,
  defer,
  from,
  map,
  merge,
  of,
  startWith,
  switchMap,
} from 'rxjs';

import type {
  FileSum,
  OfflineChoice,
  OfflineOffer,
  OfflinePreview,
  OfflineState,
  StorageSpace,
  StorageUse,
} from '../api/offline-records.ts';
import type { ActionContext } from '../features/action-context.ts';
import { toLive } from '../features/live.ts';
import type { JournalFile } from '../journal/journal.ts';
import { kindOf, sumOfFiles } from '../features/media/file-sizes.ts';
import { isOpen } from '../features/records/overlay/applies.ts';
import { sampled } from '../features/records/sampled.ts';
import type { Services } from '../features/services.ts';

/** Live reads of what this device keeps offline, and of the storage in use. */
export function offlineViews(services: Services) {
  return {
    /** What this device should keep, and how far it is. */
    offline: () => toLive(offline(services)),
    /** What a choice means; null while that is being found out. */
    offlinePreview: (choice: OfflineChoice) => toLive(preview(services, choice)),
    /** Tags and teams that can be chosen. */
    offlineOffer: () => toLive(offer(services)),
    /** What takes how much on this device. */
    storageUse: () => toLive(storageUse(services)),
  };
}

/** Changes of what this device keeps offline. */
export function offlineActions({ media, sources }: ActionContext) {
  return {
    /** Keeps this from now on; what is not needed any more is removed. Resolves when it is journalled. */
    keepOffline: (choice: OfflineChoice) => media.choose(choice),
    /** Pauses or continues the loading of what is kept. It stays so after a restart. */
    pauseOffline: (isPaused: boolean) => media.settings.change({ isPaused }),
    /**
     * Removes pictures, documents and videos that nothing needs. Resolves to how many stay because other accounts or tabs
     * need them. Throws `Problem` when they cannot be removed now.
     */
    removeUnneeded: () => media.removeUnneeded(),
    /** Gives up the guides that were downloaded one by one, and removes what nothing needs then. */
    removeSingles: () => media.unpin(),
    /** Asks the browser to keep the data when the disk is nearly full; whether it does. */
    askToPersist: async () => (await sources.core.space?.persist()) ?? false,
  };
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function offline({ media, sources }: Services): Observable<OfflineState> {
  const { environment, sync } = sources.core;
  const moved = merge(media.changed, media.applied, media.sizes.changed).pipe(sampled(environment, 1000));
  return combineLatest([media.settings.setting, media.pins, sync.leads, environment.online, moved]).pipe(
    map(([{ choice, isPaused, isUnread }, pins, leads, online]) => {
      const needs = media.cache.needs();
      const sizes = media.sizes.of(needs);
      const here = sizes.filter(({ key }) => media.cache.has(key));
      const gone = sizes.filter(({ key }) => media.cache.isGone(key) && !media.cache.has(key));
      const left = sizes.filter(({ key }) => !media.cache.has(key) && !media.cache.isGone(key));
      const whole = sumOfFiles([...here, ...left]);
      const state = stateOf();
      function stateOf(): OfflineState['state'] {
        if (media.obstacle === 'incomplete') return 'incomplete';
        if (!media.isSettled) return 'unknown';
        if (left.length === 0) return 'ready';
        if (isPaused) return 'paused';
        if (!online) return 'offline';
        if (!leads) return 'elsewhere';
        return media.cache.isFull ? 'full' : 'loading';
      }
      return {
        choice,
        isUnread,
        isPaused,
        singles: pins.length,
        have: here.length,
        of: needs.length,
        gone: gone.length,
        bytes: { have: sumOfFiles(here).bytes, of: whole.bytes, isEstimate: whole.isEstimate },
        state,
        remainingMs: state === 'loading' ? media.pace.remaining(sumOfFiles(left).bytes) : null,
      };
    }),
  );
}

/**
 * What a choice means. Computed once as it is known, and again when the server told the sizes of documents and videos.
 */
function preview(services: Services, choice: OfflineChoice): Observable<OfflinePreview | null> {
  const { media, sources } = services;
  const read = async (isAsked: boolean): Promise<OfflinePreview | null> => {
    const kept = await media.keptWith(choice);
    if (kept === null) return null;
    if (isAsked) await media.sizes.ask(kept.needs);
    const space = await spaceOf(services);
    const isAlone = (await sources.core.homes.count()) <= 1;
    const sizes = media.sizes.of(kept.needs);
    const needed = new Set(sizes.map(({ key }) => key));
    const left = sizes.filter(({ key }) => !media.cache.has(key) && !media.cache.isGone(key));
    const gone = [...media.cache.files.entries()].filter(([key]) => !needed.has(key));
    const ofKind = Object.groupBy(sizes, ({ key }) => kindOf(key));
    return {
      guides: kept.chosen.length,
      prerequisites: kept.all.size - kept.chosen.length,
      others: kept.others.length,
      pictures: sumOfFiles(ofKind.pictures ?? []),
      documents: sumOfFiles(ofKind.documents ?? []),
      videos: sumOfFiles(ofKind.videos ?? []),
      toLoad: sumOfFiles(left),
      toRemove: isAlone && kept.isComplete ? exact(gone.map(([, bytes]) => bytes)) : null,
      isComplete: kept.isComplete,
      free: space?.free ?? null,
    };
  };
  const { online } = sources.core.environment;
  return concat(
    of(null),
    media.applied.pipe(
      switchMap(() =>
        concat(
          defer(() => from(read(false))),
          online.pipe(switchMap((on) => read(on))),
        ),
      ),
    ),
  );
}

function offer({ sources }: Services): Observable<OfflineOffer> {
  return combineLatest([sources.guideTags, sources.people]).pipe(
    map(([tags, { teams }]) => {
      const counts = new Map<string, number>();
      for (const tag of [...tags.values()].flat()) counts.set(tag, (counts.get(tag) ?? 0) + 1);
      const sorted = [...counts].toSorted(([a], [b]) => collator.compare(a, b));
      return {
        tags: sorted.map(([tag, guides]) => ({ tag, guides })),
        teams: teams
          .map(({ teamid, name }) => ({ teamid, name }))
          .toSorted((a, b) => collator.compare(a.name, b.name)),
      };
    }),
  );
}

async function spaceOf({ sources }: Services): Promise<StorageSpace | null> {
  return (await sources.core.space?.read().catch(() => null)) ?? null;
}

function storageUse(services: Services): Observable<StorageUse> {
  const { media, sources, drafts, archives } = services;
  const { core } = sources;
  const moved = merge(media.changed, media.applied).pipe(sampled(core.environment, 2000));
  const space = moved.pipe(
    switchMap(() => spaceOf(services)),
    startWith<StorageSpace | null>(null),
  );
  const files = sources.calls.pipe(switchMap(() => core.journal.listFiles().catch((): JournalFile[] => [])));
  return combineLatest([
    sources.rows,
    core.mirror.all('wikis'),
    core.mirror.all('workLog'),
    sources.calls,
    drafts.drafts,
    files.pipe(startWith<JournalFile[]>([])),
    archives.store.archives,
    moved,
    space,
  ]).pipe(
    map(([rows, wikis, orders, calls, open, waiting, archived, , room]) => {
      const stored = [...media.cache.files.entries()];
      const sum = (isCounted: (key: string) => boolean): FileSum =>
        exact(stored.filter(([key]) => isCounted(key)).map(([, bytes]) => bytes));
      return {
        guides: rows.length,
        pages: wikis.length,
        recordBytes: room?.records ?? null,
        pictures: sum((key) => kindOf(key) === 'pictures'),
        documents: sum((key) => kindOf(key) === 'documents'),
        videos: sum((key) => kindOf(key) === 'videos'),
        unneeded: media.obstacle ?? sum((key) => !media.cache.isNeeded(key)),
        archives: exact(archived.map(({ bytes }) => bytes)),
        waiting: {
          changes: calls.filter(isOpen).length,
          drafts: [...open.values()].filter((one) => drafts.hasUnsaved(one)).length,
          files: exact(waiting.map(({ size }) => size)),
        },
        workOrders: orders.length,
        space: room,
      };
    }),
  );
}

function exact(sizes: readonly number[]): FileSum {
  return { count: sizes.length, bytes: sizes.reduce((sum, one) => sum + one, 0), isEstimate: false };
}
