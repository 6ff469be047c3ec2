import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import type { ByteSource } from '#shared/formats/omanual/source.ts';
import { syncFolder } from '#server/media/blobs.ts';
import type { Db } from '#server/storage/tables.ts';

/**
 * Packages and what was unpacked of them. Names on disk are numbers of imports and of files within them: no name of a
 * package ever becomes a path.
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

  /** Where an unpacked file lies. */
  path(importid: number, number: number): string {
    return join(this.#folder, String(importid), String(number));
  }

  /** Keeps a package under `{importid}-…`; resolves when it would survive a loss of power. */
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

  /** A kept package, to be read at any place; closed with its scope. */
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

  /** A folder that is filled under another name and appears at once. */
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

  /** Forgets a package, which is not needed once it is unpacked, or refused. */
  async dropPackage(name: string): Promise<void> {
    await rm(this.#packagePath(name), { force: true });
  }

  /** Removes everything of an import. */
  async clear(importid: number): Promise<void> {
    await this.#removeAll((owner) => owner === importid);
  }

  /** Removes at a start what belongs to no import that is complete or goes on. */
  async sweep(db: Db): Promise<void> {
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
    });
  }

  async #removeAll(
    isMeant: (importid: number, isPackage: boolean, isWhole: boolean) => boolean,
  ): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const isMeantByName = isMeant(Number.parseInt(name, 10), name.includes('-'), !name.endsWith('.part'));
      if (isMeantByName) await rm(join(this.#folder, name), { recursive: true, force: true });
    }
  }
}

type WriteFile = (number: number, pieces: AsyncIterable<Uint8Array>) => Promise<void>;
