import { BehaviorSubject, fromEvent, map, merge, of } from 'rxjs';
import { v7 } from 'uuid';

import { type ArchiveFiles, memoryArchiveFiles } from './journal/archive-files.ts';
import { opfsArchiveFiles } from './journal/opfs-archive-files.ts';
import { tabChannel } from './journal/channel.ts';
import type { Journal } from './journal/journal.ts';
import { type JournalDeps, openJournal } from './journal/local-journal.ts';
import { memoryStore } from './journal/memory.ts';
import { openOpfsStore } from './journal/opfs.ts';
import { openSharedJournal } from './journal/shared-journal.ts';
import type { JournalStore } from './journal/store.ts';
import { cacheMediaStore, memoryMediaStore } from './features/media/store.ts';
import type { Platform, SpaceOfDevice, TabWords } from './journal/platform.ts';
import type { Cipher } from './platform/cipher.ts';
import type { Environment } from './platform/ports.ts';
import { databaseSecrets } from './storage/secret-databases.ts';
import { type Disk, dexieStorage } from './platform/dexie-storage.ts';
import { bucketAreas, freeBytes } from './platform/storage-buckets.ts';
import { serialQueue } from './platform/serial-queue.ts';

const name = 'benchbook';

/** Options of a page's platform. */
export interface PageOptions {
  /** The server that the sign-in screen offers. */
  defaultServer: string;
  /** A server that takes precedence over that of the last session. */
  askedServer?: string | null;
  /** Whether other tabs may show the same app. If not, nothing is broadcast to them. */
  hasTabs?: boolean;
  /** Opens the store of the journal; by default in the private file system of this origin. */
  openStore?: (name: string) => Promise<JournalStore>;
  /** Opens the files of archives; by default in the same file system. */
  openArchiveFiles?: () => Promise<ArchiveFiles>;
  /** Fetches from other sites, where the platform can bypass the page's CORS rules. */
  fetchElsewhere?: typeof fetch;
  /** Asks the person, if an address is in a private network, whether to fetch from it. */
  allowElsewhere?: (url: string) => Promise<boolean>;
  /** Encrypts what only this device has. */
  cipher?: Cipher | undefined;
  /** The version of the app; '' (the default): unknown. */
  appVersion?: string;
  /** Settles when the browser can open the app without a network. Absent: it always can. */
  appKept?: Promise<void>;
}

/** The platform of a page: a journal shared by its tabs, IndexedDB, Web Locks, Cache API. */
export function pagePlatform({
  defaultServer,
  askedServer = null,
  hasTabs = true,
  openStore = openOpfsStore,
  openArchiveFiles = async () => opfsArchiveFiles(),
  fetchElsewhere,
  allowElsewhere,
  cipher,
  appVersion = '',
  appKept,
}: PageOptions): Platform {
  const environment: Environment = {
    ...browserEnvironment(),
    ...(fetchElsewhere !== undefined && { fetchElsewhere }),
    ...(allowElsewhere !== undefined && { allowElsewhere }),
  };
  // An insecure origin has neither a private file system nor locks, so nothing can be stored.
  const insecure = !window.isSecureContext;
  const openTabJournal = (): Promise<Journal> =>
    openSharedJournal({
      name,
      locks: navigator.locks,
      channel: tabChannel(new BroadcastChannel(`${name}-journal`)),
      openStore: () => openStore(name),
      deps: { ...worldOf(environment), cipher },
    });
  const disk: Disk = { freeBytes, waits: new BehaviorSubject(0) };
  const buckets = insecure ? undefined : bucketAreas(environment, disk);
  return {
    environment,
    openJournal: () => (insecure ? openJournal(memoryStore(), worldOf(environment)) : openTabJournal()),
    storage: dexieStorage(environment, disk),
    diskWaits: disk.waits,
    places: buckets,
    ...(insecure ? {} : { sit: sitAmongTabs }),
    multiInstance: hasTabs,
    ...(hasTabs && !insecure ? { tabs: wordsAmongTabs() } : {}),
    lock: insecure ? oneAfterAnother() : lockAmongTabs,
    secrets: databaseSecrets(name, buckets),
    cipher,
    openArchiveFiles: insecure ? async () => memoryArchiveFiles() : openArchiveFiles,
    media: insecure ? memoryMediaStore() : cacheMediaStore(caches, `${name}-media`),
    ...(insecure ? {} : { space: spaceOfPage }),
    defaultServer,
    askedServer,
    appId: null,
    appVersion,
    ...(appKept !== undefined && { appKept }),
    insecure,
  };
}

/**
 * A platform that stores nothing, and does not touch what other platforms of this page store. For a sign-in while the device
 * is locked.
 */
export async function volatilePlatform(defaultServer: string): Promise<Platform> {
  const { getRxStorageMemory } = await import('rxdb/plugins/storage-memory');
  const environment = browserEnvironment();
  const secrets = new Map<string, string>();
  return {
    environment,
    openJournal: () => openJournal(memoryStore(), worldOf(environment)),
    storage: getRxStorageMemory(),
    multiInstance: false,
    lock: oneAfterAnother(),
    secrets: {
      read: async (key) => secrets.get(key),
      write: async (key, secret) => void secrets.set(key, secret),
      remove: async (key) => void secrets.delete(key),
    },
    openArchiveFiles: async () => memoryArchiveFiles(),
    media: memoryMediaStore(),
    defaultServer,
    appId: null,
    insecure: false,
  };
}

/** What the browser says of the storage of this origin. */
const spaceOfPage: SpaceOfDevice = {
  async read() {
    const [{ usage = 0, quota = 0, usageDetails }, isPersistent] = await Promise.all([
      navigator.storage.estimate(),
      navigator.storage.persisted(),
    ]);
    const records = usageDetails?.indexedDB ?? null;
    return { used: usage, free: Math.max(0, quota - usage), isPersistent, records };
  },
  persist: () => navigator.storage.persist(),
};

/** Time, randomness and network of a page. */
function browserEnvironment(): Environment {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    pageSession: v7(),
    uuid: () => v7(),
    random: () => Math.random(),
    randomBytes: (size) => crypto.getRandomValues(new Uint8Array(size)),
    fetch: (...args) => fetch(...args),
    setTimer: (run, ms) => {
      // Waits that are too long for a timer end early; the callers check the clock again.
      const timer = setTimeout(run, Math.min(ms, 2 ** 31 - 1));
      return () => clearTimeout(timer);
    },
    online: merge(of(null), fromEvent(window, 'online'), fromEvent(window, 'offline')).pipe(
      map(() => navigator.onLine),
    ),
  };
}

function wordsAmongTabs(): TabWords {
  const channel = new BroadcastChannel(`${name}-words`);
  return {
    tell: (word) => channel.postMessage(word),
    heard: fromEvent<MessageEvent<unknown>>(channel, 'message').pipe(map(({ data }) => String(data))),
  };
}

function worldOf(environment: Environment): JournalDeps {
  return { now: () => environment.now(), uuid: () => environment.uuid() };
}

async function lockAmongTabs<T>(what: string, run: () => Promise<T>): Promise<T> {
  return navigator.locks.request(`${name}/${what}`, run);
}

/** Holds a shared lock for each tab. Runs `alone` under the exclusive lock first, if no tab holds it. */
async function sitAmongTabs(what: string, alone: () => Promise<void>): Promise<() => void> {
  const seat = `${name}/${what}`;
  await navigator.locks.request(seat, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await alone();
  });
  const seated = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  navigator.locks
    .request(seat, { mode: 'shared' }, () => {
      seated.resolve();
      return left.promise;
    })
    .catch((error: unknown) => seated.reject(error));
  await seated.promise;
  return () => left.resolve();
}

function oneAfterAnother(): Platform['lock'] {
  const inOrder = serialQueue();
  return (_, run) => inOrder(run);
}
