import type { Observable } from 'rxjs';
import type { RxStorage } from 'rxdb';

import type { ArchiveFiles } from './archive-files.ts';
import type { Journal } from './journal.ts';
import type { Places } from '../platform/storage-buckets.ts';
import type { Environment, SecretStore } from '../platform/ports.ts';

/** Bytes of pictures, documents and videos that can be fetched again: a cache, never the only copy. */
export interface MediaStore {
  get(key: string): Promise<Blob | undefined>;
  put(key: string, blob: Blob): Promise<void>;
  remove(key: string): Promise<void>;
  /** Keys and sizes of what is kept. */
  list(): Promise<{ key: string; bytes: number }[]>;
}

/** Short words from one tab of this app to all others. */
export interface TabWords {
  tell(word: string): void;
  heard: Observable<string>;
}

/** Everything the engine asks of the machine it runs on. */
export interface Platform {
  environment: Environment;
  /** Opens the fsynced journal of this device; every tab gets one, written by the leading tab's store. */
  openJournal(): Promise<Journal>;
  /** Where RxDB keeps mirror, outbox and drafts. */
  storage: RxStorage<unknown, unknown>;
  /** Where each home gets a place of its own in `storage`'s stead; absent where the platform has none. */
  places?: Places | undefined;
  /**
   * Takes a seat of this name beside those of other tabs, until the returned function is called. Before that it runs
   * `alone`, if no other tab has such a seat. Absent where no other tab can be.
   */
  sit?: (name: string, alone: () => Promise<void>) => Promise<() => void>;
  /** Whether other tabs may have the same database open. */
  multiInstance: boolean;
  /** Absent where no other tab can be. */
  tabs?: TabWords;
  /** Runs `run` while no other tab runs something under the same name. */
  lock: <T>(name: string, run: () => Promise<T>) => Promise<T>;
  secrets: SecretStore;
  media: MediaStore;
  /** Opens where archives are kept, beside the journal. */
  openArchiveFiles(): Promise<ArchiveFiles>;
  /** The server offered before any was chosen. */
  defaultServer: string | null;
  /** The server that whoever started the app asked for: it outranks the last session's. */
  askedServer?: string | null;
  /** Names this app to servers that ask for it. */
  appId: string | null;
  /** Settles when the files of the app itself are on this device. Absent where they always are. */
  appKept?: Promise<void>;
  /** This origin may keep nothing (an insecure page). */
  insecure: boolean;
}
