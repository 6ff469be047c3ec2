import { filter, firstValueFrom } from 'rxjs';

import { memoryStorage, type MemoryStorage } from '#test/support/memory-storage.ts';
import { openCore } from '#desktop/engine/open-core.ts';
import { memoryArchiveFiles, type MemoryFiles } from '#desktop/engine/journal/archive-files.ts';
import type { Core } from '#desktop/engine/account/core.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { memoryMediaStore } from '#desktop/engine/features/media/store.ts';
import type { MediaStore, Platform } from '#desktop/engine/journal/platform.ts';
import type { Cipher } from '#desktop/engine/platform/cipher.ts';
import type { NewCall, OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { SyncState } from '#desktop/engine/api/sync-records.ts';

import { testEnvironment, type TestEnvironment } from './environment.ts';
import type { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

export const serverAddress = 'http://bench.test';

/** The parts of a device that survive a restart: its disk, its database, its secrets. */
export interface Disk {
  journal: Map<string, Uint8Array>;
  storage: MemoryStorage;
  /** The cache of pictures, documents and videos. */
  media: MediaStore;
  secrets: Map<string, string>;
  archives: MemoryFiles;
  /** Exported files, by name. */
  given: MemoryFiles;
  /** Encrypts what is stored, as in the desktop app. */
  cipher?: Cipher;
}

export function newDisk(): Disk {
  return {
    journal: new Map(),
    storage: memoryStorage(),
    media: memoryMediaStore(),
    secrets: new Map(),
    archives: new Map(),
    given: new Map(),
  };
}

export interface Device {
  core: Core;
  environment: TestEnvironment;
  close(): Promise<void>;
}

/** Starts the engine's core on `disk`, with a connection to a server. */
export async function startDevice(server: Pick<StandInServer, 'fetch'>, disk: Disk): Promise<Device> {
  const environment = testEnvironment(server.fetch);
  const { core, close } = await openCore(platformOn(disk, environment));
  let closing: Promise<void> | undefined;
  return { core, environment, close: () => (closing ??= close()) };
}

/** A platform with this disk and one window. */
export function platformOn(disk: Disk, environment: TestEnvironment): Platform {
  let locked: Promise<unknown> = Promise.resolve();
  return {
    environment,
    openJournal: () => openJournal(memoryStore({}, disk.journal), { ...environment, cipher: disk.cipher }),
    storage: disk.storage,
    multiInstance: false,
    lock: (_, run) => {
      const result = locked.then(run);
      locked = result.catch(() => undefined);
      return result;
    },
    secrets: {
      read: async (name) => disk.secrets.get(name),
      write: async (name, secret) => void disk.secrets.set(name, secret),
      remove: async (name) => void disk.secrets.delete(name),
    },
    cipher: disk.cipher,
    openArchiveFiles: async () =>
      memoryArchiveFiles(disk.archives, (name, bytes) => disk.given.set(name, bytes)),
    media: disk.media,
    defaultServer: serverAddress,
    appId: null,
    insecure: false,
  };
}

export function signIn({ core }: Device, email = 'ada@bench.test'): Promise<void> {
  return core.session.signIn(serverAddress, { email, password: 'secret' });
}

export function syncState({ core }: Device, isSo: (state: SyncState) => boolean): Promise<SyncState> {
  return firstValueFrom(core.sync.state.pipe(filter(isSo)));
}

/** Waits until everything is pulled and sent. */
export function inSync(device: Device): Promise<SyncState> {
  return syncState(
    device,
    (state) =>
      state.phase === 'idle' &&
      state.connection === 'online' &&
      state.pending === 0 &&
      state.lastSyncedAt !== null,
  );
}

export function callsOf({ core }: Device): Promise<readonly OutboxCall[]> {
  return firstValueFrom(core.outbox.calls);
}

export function whenCalls(
  { core }: Device,
  isSo: (calls: readonly OutboxCall[]) => boolean,
): Promise<readonly OutboxCall[]> {
  return firstValueFrom(core.outbox.calls.pipe(filter(isSo)));
}

export function commentOn(guideid: string, text: string): NewCall {
  return {
    kind: 'comment-add',
    lane: `comment/${guideid}/${text}`,
    method: 'POST',
    path: `/comments/guide/${guideid}`,
    body: { text },
    target: { collection: 'comments', id: 'new' },
    subject: 'Guide',
  };
}

export function saveOf(guideid: string, body: object, revisionid: string, base = 1): NewCall {
  return {
    kind: 'guide-save',
    lane: `guide/${guideid}`,
    method: 'PATCH',
    path: `/guides/${guideid}`,
    query: { revisionid },
    body,
    target: { collection: 'guides', id: guideid },
    subject: 'Guide',
    context: { base: { revisionid: base } },
  };
}

/** The part of a conflict handler about restores, doing nothing. */
export const noHistory = {
  isMistaken: async () => false,
  overwriting: async () => new Set<string>(),
  meetHistory: async () => undefined,
};
