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
    /** Where the audit log ended, outside of the database. */
    anchors: Anchors;
  }
}

/** Files beside the database: what the log once ended with, and the key that seals it. */
export const anchorFiles = { anchors: 'audit-anchors', key: 'audit-key' } as const;

const anchor = z.strictObject({
  /** `begin`: what was anchored before it holds no longer: the database was another one, and the log tells so. */
  kind: z.enum(['head', 'begin']),
  seq: z.int(),
  hash: z.string(),
  /** UNIX milliseconds. */
  at: z.int(),
  mac: z.string(),
});
export type Anchor = z.infer<typeof anchor>;

/** Longer files are cut down to what still counts. */
const mostBytes = 64 * 1024;

/** What the file of anchors holds; `flaws`: lines that are none, or that another key sealed. */
export interface AnchorsRead {
  anchors: Anchor[];
  flaws: number[];
}

/**
 * Where the log ended, kept outside of the database: who cuts rows off its end or writes it anew has to change these
 * files too. Cutting their newest lines needs no key, writing others does.
 */
export class Anchors {
  readonly #path: string;
  readonly #keyPath: string;
  readonly #inTurn = pLimit(1);

  constructor(dataDir: string) {
    this.#path = join(dataDir, anchorFiles.anchors);
    this.#keyPath = join(dataDir, anchorFiles.key);
  }

  /** Names the key without telling it; null: there is none. */
  keyId(): string | null {
    const key = this.#key();
    return key === null
      ? null
      : createHash('sha256').update(`benchbook audit key ${key}`).digest('hex').slice(0, 16);
  }

  /** Makes a key where there is none. */
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

  /** Everything from the last beginning on. */
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

  /** Notes where the log ends; resolves when it is on the disk. Nothing without a key. */
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

  /** Keeps of a long file what still counts. */
  async shorten(): Promise<void> {
    if (!existsSync(this.#path) || readFileSync(this.#path).length < mostBytes) return;
    const { anchors, flaws } = this.read();
    // A file with flaws stays as it is, for whoever looks into it.
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
