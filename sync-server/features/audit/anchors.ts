// oxlint-disable-next-line no-restricted-imports -- a secret key
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

import pLimit from 'p-limit';
import { z } from 'zod';

import type { Head } from '#server/storage/audit/recorder.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /** The heads of the audit log, stored outside of the database. */
    anchors: Anchors;
  }
}

/** Files beside the database: earlier heads of the log, and the key that seals them. */
export const anchorFiles = { anchors: 'audit-anchors', key: 'audit-key' } as const;

const anchor = z.strictObject({
  /** `begin` invalidates all earlier anchors, because the database was replaced; the log says so. */
  kind: z.enum(['head', 'begin']),
  seq: z.int(),
  hash: z.string(),
  /** UNIX milliseconds. */
  at: z.int(),
  mac: z.string(),
});
export type Anchor = z.infer<typeof anchor>;

/** Longer files are shortened to the anchors that still count. */
const mostBytes = 64 * 1024;

/** The content of the file of anchors. `flaws`: the numbers of lines that are invalid or sealed with another key. */
export interface AnchorsRead {
  anchors: Anchor[];
  flaws: number[];
}

/**
 * Stores heads of the log outside of the database. Anyone who truncates or rewrites the log must change these files
 * too. Removing the newest lines needs no key; writing other lines does.
 */
export class Anchors {
  readonly #path: string;
  readonly #keyPath: string;
  readonly #inTurn = pLimit(1);

  constructor(dataDir: string) {
    this.#path = join(dataDir, anchorFiles.anchors);
    this.#keyPath = join(dataDir, anchorFiles.key);
  }

  /** An id of the key that does not reveal it; null if there is no key. */
  keyId(): string | null {
    const key = this.#key();
    return key === null
      ? null
      : createHash('sha256').update(`benchbook audit key ${key}`).digest('hex').slice(0, 16);
  }

  /** Creates the key if there is none. */
  makeKey(): void {
    try {
      writeFileSync(this.#keyPath, `${randomBytes(32).toString('hex')}\n`, {
        flag: 'wx',
        mode: 0o600,
        flush: true,
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }

  /** Reads the anchors since the last `begin`. */
  read(): AnchorsRead {
    const lines = existsSync(this.#path) ? readFileSync(this.#path, 'utf8').split('\n') : [];
    const found: AnchorsRead = { anchors: [], flaws: [] };
    for (const [index, line] of lines.entries()) {
      if (line === '') continue;
      const one = this.#sound(line);
      if (one?.kind === 'begin') Object.assign(found, { anchors: [], flaws: [] });
      if (one === undefined) found.flaws.push(index + 1);
      else found.anchors.push(one);
    }
    return found;
  }

  /** Appends a head; resolves when it is on disk. Does nothing without a key. */
  add(kind: Anchor['kind'], { seq, hash }: Head, at: number): Promise<void> {
    return this.#inTurn(() => this.#append(kind, { seq, hash }, at));
  }

  async #append(kind: Anchor['kind'], { seq, hash }: Head, at: number): Promise<void> {
    const key = this.#key();
    if (key === null) return;
    const line = `${JSON.stringify({ kind, seq, hash, at, mac: sealOf(key, { kind, seq, hash, at }) })}\n`;
    await using file = await open(this.#path, 'a', 0o600);
    await file.write(line);
    await file.sync();
  }

  /** Shortens a long file to the anchors that still count. */
  async shorten(): Promise<void> {
    if (!existsSync(this.#path) || readFileSync(this.#path).length < mostBytes) return;
    const { anchors, flaws } = this.read();
    // A file with flaws stays unchanged for an investigation.
    if (flaws.length > 0) return;
    const kept = [...new Set([anchors[0], anchors.at(-1)])].flatMap((one) =>
      one === undefined ? [] : [one],
    );
    const next = `${this.#path}.next`;
    {
      await using file = await open(next, 'w', 0o600);
      await file.write(kept.map((one) => `${JSON.stringify(one)}\n`).join(''));
      await file.sync();
    }
    await rename(next, this.#path);
  }

  #key(): string | null {
    return existsSync(this.#keyPath) ? readFileSync(this.#keyPath, 'utf8').trim() : null;
  }

  #sound(line: string): Anchor | undefined {
    const key = this.#key();
    try {
      const one = anchor.parse(JSON.parse(line));
      if (key === null) return undefined;
      const [mac, right] = [Buffer.from(one.mac, 'hex'), Buffer.from(sealOf(key, one), 'hex')];
      return mac.length === right.length && timingSafeEqual(mac, right) ? one : undefined;
    } catch {
      return undefined;
    }
  }
}

function sealOf(key: string, { kind, seq, hash, at }: Omit<Anchor, 'mac'>): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([kind, seq, hash, at]))
    .digest('hex');
}
