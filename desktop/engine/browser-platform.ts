import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { fromEvent, map, merge, of } from 'rxjs';
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
import type { Platform, TabWords } from './journal/platform.ts';
import type { Environment } from './platform/ports.ts';
import { databaseSecrets } from './storage/secret-databases.ts';
import { bucketPlaces } from './platform/storage-buckets.ts';

const name = 'benchbook';

export interface PageOptions {
  /** What the sign-in screen offers. */
  defaultServer: string;
  /** Outranks the last session's server. */
  askedServer?: string | null;
  /** Whether other tabs may show the same app; a window of its own saves what telling them costs. */
  hasTabs?: boolean;
  /** Opens where the journal keeps its bytes; the private file system of this origin unless given. */
  openStore?: (name: string) => Promise<JournalStore>;
  /** Opens where archives are kept; that file system too unless given. */
  openArchiveFiles?: () => Promise<ArchiveFiles>;
  /** Fetches from servers that are not ours, where the page has a way around its rules. */
  fetchElsewhere?: typeof fetch;
  /** Settles when the browser opens the app without a network; always, unless given. */
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
  appKept,
}: PageOptions): Platform {
  const environment: Environment = {
    ...browserEnvironment(),
    ...(fetchElsewhere !== undefined && { fetchElsewhere }),
  };
  // Without a secure origin there is neither a private file system nor a lock: nothing can be kept.
  const insecure = !window.isSecureContext;
  const openTabJournal = (): Promise<Journal> =>
    openSharedJournal({
      name,
      locks: navigator.locks,
      channel: tabChannel(new BroadcastChannel(`${name}-journal`)),
      openStore: () => openStore(name),
      deps: worldOf(environment),
    });
  const places = insecure ? undefined : bucketPlaces();
  return {
    environment,
    openJournal: () => (insecure ? openJournal(memoryStore(), worldOf(environment)) : openTabJournal()),
    storage: getRxStorageDexie({ chromeTransactionDurability: 'strict' }),
    places,
    ...(insecure ? {} : { sit: sitAmongTabs }),
    multiInstance: hasTabs,
    ...(hasTabs && !insecure ? { tabs: wordsAmongTabs() } : {}),
    lock: insecure ? oneAfterAnother() : lockAmongTabs,
    secrets: databaseSecrets(name, places),
    openArchiveFiles: insecure ? async () => memoryArchiveFiles() : openArchiveFiles,
    media: insecure ? memoryMediaStore() : cacheMediaStore(caches, `${name}-media`),
    defaultServer,
    askedServer,
    appId: null,
    ...(appKept !== undefined && { appKept }),
    insecure,
  };
}

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
      // Longer waits than a timer can hold end early; whoever waits looks at the clock again.
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

/** A lock that is shared by whoever sits, and taken alone only when nobody does. */
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
  let last: Promise<unknown> = Promise.resolve();
  return (_, run) => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}
