import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

import type { Decision } from '#desktop/engine/api/conflict-records.ts';
import type { Engine } from '#desktop/engine/engine.ts';
import type { openJournal } from '#desktop/engine/journal/local-journal.ts';
import type { openEngine } from '#desktop/engine/open.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';
import type { Disk } from '#test/desktop/engine/support/device.ts';
import type { WholeDevice } from '#test/desktop/engine/support/whole-device.ts';
import { memoryStorage, type MemoryStorage } from '#test/support/memory-storage.ts';

/** The engine of protocol 5, with the device of its tests. */
export interface OldEngine {
  openEngine: (...args: Parameters<typeof openEngine>) => Promise<OldOpened>;
  openJournal: typeof openJournal;
  newDisk: () => Disk;
  startWholeDevice: (url: () => string | null, disk: Disk) => Promise<OldDevice>;
}

type OldOpened = Omit<Engine, 'actions'> & { actions: OldActions };
/** A device of protocol 5: it decides one conflict with each call. */
type OldDevice = Omit<WholeDevice, 'actions'> & { actions: OldActions };
type OldActions = Omit<Engine['actions'], 'resolveConflicts'> & {
  resolveConflict(guideid: string, conflictid: string, choice: Decision['choice']): Promise<void>;
};

/** Documents of a device's collections as RxDB stores them, by its name for each collection. */
export type StoredCollections = Record<string, StoredDocument[]>;
type StoredDocument = Parameters<StorageInstance['bulkWrite']>[0][number]['document'];
type StorageInstance = Awaited<ReturnType<Platform['storage']['createStorageInstance']>>;

/** Everything that the old engine stored; files are base64, by name. */
export interface OldProfile {
  /** ms since 1970. */
  recordedAt: number;
  journal: Record<string, string>;
  secrets: Record<string, string>;
  collections: StoredCollections;
  /** The server's data folder, by path. */
  server: Record<string, string>;
  /** The views of the old engine at the end. */
  shown: {
    activity: { id: string; kind: string; state: string; subject: string }[];
    drafts: Record<string, unknown>;
  };
}

const folder = new URL('../../fixtures/engine-protocol-5/', import.meta.url);

/** An unpacked file of the fixture. */
function unpacked(name: string): Buffer {
  return brotliDecompressSync(readFileSync(new URL(name, folder)));
}

let loaded: Promise<OldEngine> | null = null;

/** The old engine, loaded once. It has its own copies of all libraries. */
export function oldEngine(): Promise<OldEngine> {
  loaded ??= loadEngine(unpacked('engine.mjs.br'));
  return loaded;
}

/** Loads an engine from its code. */
export async function loadEngine(code: Buffer): Promise<OldEngine> {
  const place = mkdtempSync(join(tmpdir(), 'benchbook-old-engine-'));
  try {
    const file = join(place, 'engine.mjs');
    writeFileSync(file, code);
    return (await import(pathToFileURL(file).href)) as OldEngine;
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** The recorded profile. */
export function oldProfile(): OldProfile {
  return JSON.parse(unpacked('profile.json.br').toString()) as OldProfile;
}

/** The files of a recording, by name. */
export function filesOf(recorded: Record<string, string>): Map<string, Uint8Array> {
  return new Map(
    Object.entries(recorded).map(([name, text]) => [name, new Uint8Array(Buffer.from(text, 'base64'))]),
  );
}

/** A storage with the recorded documents; each collection is filled when it is first opened. */
export function storageHolding(recorded: StoredCollections): MemoryStorage {
  const storage = memoryStorage();
  const left = new Map(Object.entries(recorded));
  return {
    ...storage,
    async createStorageInstance(params) {
      const instance = await storage.createStorageInstance(params);
      const { databaseName, collectionName, schema } = params;
      const key = [databaseName, 'memory', collectionName, 'memory', schema.version].join('--');
      const documents = left.get(key) ?? [];
      left.delete(key);
      const rows = documents.map((document) => ({ document }));
      const { error } = await instance.bulkWrite(
        rows as Parameters<typeof instance.bulkWrite>[0],
        'recorded',
      );
      if (error.length > 0) throw new Error(`${key} could not be filled`, { cause: error[0] });
      return instance;
    },
  };
}
