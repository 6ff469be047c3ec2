import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { BadSetting } from '#server/platform/config.ts';

import type { BackupCipher } from './cipher.ts';
import { siteIds, type SiteIds } from './database-facts.ts';
import { manifestText, readManifest, type Manifest } from './manifest.ts';
import { timeOf } from './retention.ts';
import type { BackupTarget } from './target.ts';

const markName = 'benchbook-backups.json';
const ownerName = 'benchbook-site.json';
const mark = z.strictObject({ format: z.literal(1), keyId: z.string().nullable() });

/** Whether a folder contains backups, or did once. */
export function holdsBackups(folder: string): boolean {
  return existsSync(join(folder, markName));
}

/** Content of a backup is damaged or missing. The message is a sentence for the administrator. */
export class DamagedBackup extends Error {
  override name = 'DamagedBackup';
}

/**
 * The backups in a target. `backups/<time>` lists the files of one backup; `objects/` has their content, named by its hash
 * and shared by all backups.
 *
 * - BACKUP-19 A target has the backups of one site. Those of another site are refused: the retention would remove backups
 *   of the first, and a restore would take the newest of either.
 * - BACKUP-18 Files of file managers and network shares in the target are ignored.
 * - BACKUP-4 With a key, nothing of the content can be read without it. Only encrypted backups contain the server's key.
 */
export class Repository {
  readonly target: BackupTarget;
  readonly cipher: BackupCipher;

  private constructor(target: BackupTarget, cipher: BackupCipher) {
    this.target = target;
    this.cipher = cipher;
  }

  /**
   * Opens the backups in a target. `make`: start them if there are none.
   * @throws BadSetting if there are none, or if they need a key or another key
   */
  static async open(
    target: BackupTarget,
    cipher: BackupCipher,
    { make }: { make: boolean },
  ): Promise<Repository> {
    if (!(await target.has(markName))) {
      if (!make) throw new BadSetting(`There are no backups in ${target.label}.`);
      await target.write(markName, bytesOf(JSON.stringify({ format: 1, keyId: cipher.keyId })));
      return new Repository(target, cipher);
    }
    const text = await textOf(target.read(markName));
    const read = mark.safeParse(jsonOf(text));
    if (!read.success)
      throw new BadSetting(
        `${markName} in ${target.label} is damaged, or was made by a newer Benchbook. Update Benchbook.`,
      );
    if (read.data.keyId === cipher.keyId) return new Repository(target, cipher);
    if (read.data.keyId === null)
      throw new BadSetting(
        `The backups in ${target.label} are not encrypted. Leave out the key, or name another folder.`,
      );
    throw new BadSetting(
      cipher.keyId === null
        ? `The backups in ${target.label} are encrypted. Name their key with --key.`
        : `The backups in ${target.label} are encrypted with another key (${read.data.keyId}).`,
    );
  }

  /**
   * Reserves the target for a site, if it is not yet.
   * @param takeOver whether another server goes on with the backups of its site, such as after its key was lost
   * @throws BadSetting if the target belongs to another site, or to another server and `takeOver` is not set
   */
  async reserveFor(site: SiteIds, takeOver: boolean): Promise<void> {
    const { target } = this;
    const owner = (await target.has(ownerName))
      ? siteIds.safeParse(jsonOf(await textOf(target.read(ownerName)))).data
      : undefined;
    if (owner !== undefined && owner.history !== site.history)
      throw new BadSetting(`The backups in ${target.label} are those of another site. Name another folder.`);
    if (owner !== undefined && owner.server !== site.server && !takeOver)
      throw new BadSetting(
        `The backups in ${target.label} are those of another server, of which this one is a copy. Name another folder. To go on with them because that server is no more, add --begin.`,
      );
    if (owner?.server !== site.server) await target.write(ownerName, bytesOf(JSON.stringify(site)));
  }

  /** Names of the backups, oldest first. A name is the time of the backup: `2026-11-26T03-00-00Z`. */
  async names(): Promise<string[]> {
    const names = (await this.target.list('backups')).map((name) => name.slice('backups/'.length));
    // File managers and network shares leave files of their own.
    return names.filter((name) => timeOf(name) !== null).toSorted();
  }

  /** @throws DamagedBackup */
  async manifest(name: string): Promise<Manifest> {
    try {
      return await readManifest(await textOf(await this.cipher.open(this.target.read(`backups/${name}`))));
    } catch (cause) {
      throw new DamagedBackup(`The list of files of the backup ${name} is damaged.`, { cause });
    }
  }

  async saveManifest(name: string, manifest: Manifest): Promise<void> {
    await this.target.write(`backups/${name}`, await this.cipher.seal(bytesOf(await manifestText(manifest))));
  }

  async removeManifest(name: string): Promise<void> {
    await this.target.remove(`backups/${name}`);
  }

  /** Names of the objects that are stored. */
  async objects(): Promise<Set<string>> {
    const names = (await this.target.list('objects')).map((name) => name.slice(name.lastIndexOf('/') + 1));
    return new Set(names.filter((name) => /^[0-9a-f]{64}$/.test(name)));
  }

  /**
   * Stores content under its hash.
   * @returns false, with nothing stored, if the content has another hash
   */
  async saveObject(sha256: string, content: AsyncIterable<Uint8Array>): Promise<boolean> {
    const hash = createHash('sha256');
    try {
      await this.target.write(
        this.#objectPath(sha256),
        await this.cipher.seal(checked(content, hash, sha256)),
      );
      return true;
    } catch (error) {
      if (error instanceof OtherContent) return false;
      throw error;
    }
  }

  /** The content with a hash. Reading to the end throws DamagedBackup if it is damaged or missing. */
  async *readObject(sha256: string): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    try {
      const content = await this.cipher.open(this.target.read(this.#objectPath(sha256)));
      yield* checked(content, hash, sha256);
    } catch (cause) {
      const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
      throw new DamagedBackup(isMissing ? 'it is missing' : 'it is damaged', { cause });
    }
  }

  async removeObject(name: string): Promise<void> {
    await this.target.remove(`objects/${name.slice(0, 2)}/${name}`);
  }

  #objectPath(sha256: string): string {
    const name = this.cipher.objectName(sha256);
    return `objects/${name.slice(0, 2)}/${name}`;
  }
}

class OtherContent extends Error {}

/** The same content; throws at the end if it has another hash. */
async function* checked(
  content: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
  sha256: string,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw new OtherContent('The content has another hash');
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
