import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import type { UpdateArtefact } from '#shared/model/desktop-update.ts';

import { unlessMissing } from '../disk-errors.ts';
import { UpdateFailed } from './failure.ts';
import { noLink, plainFiles, syncFolder } from './plain-files.ts';
import type { UpdateSource } from './source.ts';

const PRIVATE = 0o600;
const pieceSize = 1024 * 1024;

/** Reads a whole file of a source. Undefined: it does not exist. @throws UpdateFailed if it has more than `most` bytes */
export async function readSmall(
  source: UpdateSource,
  name: string,
  most: number,
): Promise<Uint8Array | undefined> {
  const part = await source.read(name, 0);
  if (part === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of part.chunks) {
    size += chunk.length;
    if (size > most) throw new UpdateFailed('malformed', `${name} is too long`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The folder of downloaded packages. What is in it under the name of a package was verified when it got that name. */
export class PackageFolder {
  readonly #folder: string;
  constructor(folder: string) {
    this.#folder = folder;
  }

  path({ file }: UpdateArtefact): string {
    return join(this.#folder, file);
  }

  /**
   * Stores a package, and resolves when exactly the signed bytes are durable. A download that broke off continues.
   * `progress`: bytes so far.
   * @throws UpdateFailed
   */
  async fetch(
    source: UpdateSource,
    artefact: UpdateArtefact,
    progress: (bytes: number) => void,
  ): Promise<void> {
    await plainFiles.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    if (await this.has(artefact)) return;
    const temporary = join(this.#folder, `${artefact.sha256}.part`);
    let stored = await this.#fetchInto(temporary, source, artefact, progress);
    // What was stored before may come from another server.
    if (!stored.isGenuine && stored.began > 0) {
      await plainFiles.rm(temporary, { force: true });
      stored = await this.#fetchInto(temporary, source, artefact, progress);
    }
    if (!stored.isGenuine) {
      await plainFiles.rm(temporary, { force: true });
      throw new UpdateFailed('package', `${artefact.file} is not the package that was signed`);
    }
    await plainFiles.rename(temporary, this.path(artefact));
    await syncFolder(this.#folder);
  }

  /** Whether the package is stored, and is the signed one. */
  async has(artefact: UpdateArtefact): Promise<boolean> {
    try {
      await using _ = await this.open(artefact);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Opens a stored package after reading all of it through the same descriptor.
   * @throws UpdateFailed package
   */
  async open(artefact: UpdateArtefact): Promise<FileHandle> {
    const file = await plainFiles.open(this.path(artefact), noLink.read).catch((cause: unknown) => {
      throw new UpdateFailed('package', 'The package is gone', { cause });
    });
    try {
      for await (const _ of checkedBytes(file, artefact));
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Removes everything, except these packages and what was already stored of them. */
  async clear(keep: readonly UpdateArtefact[] = []): Promise<void> {
    const kept = keep.flatMap(({ file, sha256 }) => [file, `${sha256}.part`]);
    for (const name of (await plainFiles.readdir(this.#folder).catch(unlessMissing)) ?? [])
      if (!kept.includes(name))
        await plainFiles.rm(join(this.#folder, name), { recursive: true, force: true });
  }

  async #fetchInto(
    path: string,
    source: UpdateSource,
    { file: name, size, sha256 }: UpdateArtefact,
    progress: (bytes: number) => void,
  ): Promise<{ isGenuine: boolean; began: number }> {
    await using file = await plainFiles.open(path, noLink.write, PRIVATE);
    await file.chmod(PRIVATE);
    const before = Math.min((await file.stat()).size, size);
    const part = await source.read(name, before === size ? 0 : before);
    if (part === undefined) throw new UpdateFailed('unreachable', `${name} does not exist`);
    const began = part.from;
    const hash = createHash('sha256');
    for await (const bytes of bytesOf(file, began)) hash.update(bytes);
    await file.truncate(began);
    let at = began;
    for await (const bytes of part.chunks) {
      if (at + bytes.length > size) return { isGenuine: false, began };
      await writeAll(file, bytes, at);
      hash.update(bytes);
      at += bytes.length;
      progress(at);
    }
    if (at < size) throw new UpdateFailed('unreachable', `${name} ended early`);
    await file.sync();
    return { isGenuine: hash.digest('hex') === sha256, began };
  }
}

/**
 * The bytes of an open package. Throws after the last one if they are not those that were signed, so whoever uses them
 * must read to the end before anything counts.
 * @throws UpdateFailed package
 */
export async function* checkedBytes(
  file: FileHandle,
  { size, sha256 }: UpdateArtefact,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256');
  const found = await file.stat();
  if (found.isFile() && found.size === size) {
    for await (const bytes of bytesOf(file, size)) {
      hash.update(bytes);
      yield bytes;
    }
    if (hash.digest('hex') === sha256) return;
  }
  throw new UpdateFailed('package', 'The package was changed after it was verified');
}

/** The first `length` bytes; fewer if the file is shorter. */
async function* bytesOf(file: FileHandle, length: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < length;) {
    const piece = new Uint8Array(Math.min(pieceSize, length - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
