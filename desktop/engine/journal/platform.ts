import type { BehaviorSubject, Observable } from 'rxjs';
import type { RxStorage } from 'rxdb';

import type { StorageSpace } from '../api/offline-records.ts';
import type { ArchiveFiles } from './archive-files.ts';
import type { Journal } from './journal.ts';
import type { StorageAreas } from '../platform/storage-buckets.ts';
import type { Cipher } from '../platform/cipher.ts';
import type { Environment, SecretStore } from '../platform/ports.ts';

/** A cache of pictures, documents and videos, which can all be fetched again. Never the only copy. */
export interface MediaStore {
  get(key: string): Promise<Blob | undefined>;
  put(key: string, blob: Blob): Promise<void>;
  remove(key: string): Promise<void>;
  /** Keys and sizes of all files. */
  list(): Promise<{ key: string; bytes: number }[]>;
}

/** The space that this app has on the device. */
export interface SpaceOfDevice {
  read(): Promise<StorageSpace>;
  /** Asks the platform to keep the data when the disk is nearly full; whether it does. */
  persist(): Promise<boolean>;
}

/** Broadcasts short messages to the other tabs of this app. */
export interface TabWords {
  tell(word: string): void;
  heard: Observable<string>;
}

/** Everything that the engine needs from the machine it runs on. */
export interface Platform {
  environment: Environment;
  /** Opens the fsynced journal of this device. Every tab opens it; the store of the leading tab writes it. */
  openJournal(): Promise<Journal>;
  /** The RxDB storage of mirror, outbox and drafts. */
  storage: RxStorage<unknown, unknown>;
  /** How many reads of databases wait because the disk is full (DATABASE-1). Absent if they never wait. */
  diskWaits?: BehaviorSubject<number>;
  /** Gives each home a storage bucket of its own, used instead of `storage`. Absent if the platform has none. */
  places?: StorageAreas | undefined;
  /**
   * Joins a shared lock of this name, until the returned function is called. If no other tab holds it, runs `alone`
   * first. Absent where there can be no other tab.
   */
  sit?: (name: string, alone: () => Promise<void>) => Promise<() => void>;
  /** Whether other tabs may have the same database open. */
  multiInstance: boolean;
  /** Absent where there can be no other tab. */
  tabs?: TabWords;
  /** Runs `run` under an exclusive lock of this name, across all tabs. */
  lock: <T>(name: string, run: () => Promise<T>) => Promise<T>;
  secrets: SecretStore;
  /**
   * Encrypts journal, secrets and copies (CIPHER-1). The journal that is opened uses it already; for `secrets` and for the
   * copies in `storage` and `places` the engine does, which knows whether they may still be clear. Absent in browsers.
   */
  cipher?: Cipher | undefined;
  media: MediaStore;
  /** Absent if the platform does not say how much space there is. */
  space?: SpaceOfDevice;
  /** Opens the files of archives, which are beside the journal. */
  openArchiveFiles(): Promise<ArchiveFiles>;
  /** The server that is offered before one was chosen. */
  defaultServer: string | null;
  /** The server that was given when the app was started. It takes precedence over that of the last session. */
  askedServer?: string | null;
  /** The version of this app, as stations report it; absent if unknown. */
  appVersion?: string;
  /** The id of this app, for servers that require one. */
  appId: string | null;
  /** Settles when the files of the app itself are on this device. Absent where they always are. */
  appKept?: Promise<void>;
  /** Whether the origin may store nothing (an insecure page). */
  insecure: boolean;
}
