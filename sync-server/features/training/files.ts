import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { wasWritten } from '#server/platform/was-written.ts';
import type { ByteSource } from '#shared/formats/omanual/source.ts';
import { syncFolder } from '#server/media/sync-folder.ts';
import type { Db } from '#server/storage/tables.ts';

/**
 * Packages and their unpacked files. Names on disk are numbers of imports and files; no name in a package ever becomes
 * a path.
 */
export class TrainingFiles {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<TrainingFiles> {
    await mkdir(folder, { recursive: true });
    return new TrainingFiles(folder);
  }

  #packagePath(name: string): string {
    return join(this.#folder, `${name}.zip`);
  }

  /** The path of an unpacked file. */
  path(importid: number, number: number): string {
    return join(this.#folder, String(importid), String(number));
  }

  /** Stores a package under `{importid}-…`; resolves when it is on disk. */
  async keepPackage(name: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
    const path = this.#packagePath(name);
    await using file = await open(`${path}.part`, 'w');
    await write(file);
    await file.sync();
    await rename(`${path}.part`, path);
    await syncFolder(this.#folder);
  }

  async hasPackage(name: string): Promise<boolean> {
    return (await readdir(this.#folder)).includes(`${name}.zip`);
  }

  /** A stored package for random access, until it is disposed of. */
  async openPackage(name: string): Promise<ByteSource & AsyncDisposable> {
    const file = await open(this.#packagePath(name), 'r');
    const { size } = await file.stat();
    return {
      size,
      read: async (offset, length) => {
        const bytes = new Uint8Array(length);
        const { bytesRead } = await file.read(bytes, 0, length, offset);
        if (bytesRead < length) throw new RangeError('Beyond the end of the package');
        return bytes;
      },
      [Symbol.asyncDispose]: () => file.close(),
    };
  }

  /** Fills a folder under a temporary name and then renames it. */
  async unpack(importid: number, fill: (write: WriteFile) => Promise<void>): Promise<void> {
    const folder = join(this.#folder, String(importid));
    const temporary = `${folder}.part`;
    for (const stale of [temporary, folder]) await rm(stale, { recursive: true, force: true });
    await mkdir(temporary);
    await fill(async (number, pieces) => {
      await using file = await open(join(temporary, String(number)), 'wx');
      for await (const piece of pieces) await file.writeFile(piece);
      await file.sync();
    });
    await syncFolder(temporary);
    await rename(temporary, folder);
    await syncFolder(this.#folder);
  }

  /** Deletes a package after it was unpacked or refused. */
  async dropPackage(name: string): Promise<void> {
    await rm(this.#packagePath(name), { force: true });
  }

  /** Removes all files of an import. */
  async clear(importid: number): Promise<void> {
    await this.#removeAll((owner) => owner === importid);
  }

  /**
   * Removes, at startup, files that belong to no complete or continuing import. `before`: only files that were written
   * before that time, UNIX ms: another node may be writing later ones.
   */
  async sweep(db: Db, before = Infinity): Promise<void> {
    const rows = await db.selectFrom('training_imports').select(['importid', 'status', 'package']).execute();
    const statusOf = new Map(
      rows.map((row) => [
        row.importid,
        row.package === null && row.status === 'complete' ? 'deleted' : row.status,
      ]),
    );
    await this.#removeAll((importid, isPackage, isWhole) => {
      const status = statusOf.get(importid);
      return !isWhole || status !== (isPackage ? 'running' : 'complete');
    }, before);
  }

  async #removeAll(
    isMeant: (importid: number, isPackage: boolean, isWhole: boolean) => boolean,
    before = Infinity,
  ): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const isMeantByName = isMeant(Number.parseInt(name, 10), name.includes('-'), !name.endsWith('.part'));
      if (isMeantByName && (await wasWritten(join(this.#folder, name), before)))
        await rm(join(this.#folder, name), { recursive: true, force: true });
    }
  }
}

type WriteFile = (number: number, pieces: AsyncIterable<Uint8Array>) => Promise<void>;
