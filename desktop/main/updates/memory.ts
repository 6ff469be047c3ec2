import { z } from 'zod';

import {
  compareVersions,
  desktopVersion,
  updateFileName,
  type UpdateManifest,
} from '#shared/model/desktop-update.ts';

import { unlessMissing } from '../disk-errors.ts';
import { plainFiles, replaceFile } from './plain-files.ts';

/**
 * `state.json`. `highest`: the newest version that was offered with a valid signature. `latest`: the latest release date
 * among them, ms since 1970. `expiresAt`: when the last one expires. `broken`: versions that did not start.
 */
const remembered = z.object({
  highest: desktopVersion,
  latest: z.int().nonnegative(),
  expiresAt: z.int().nonnegative().nullable(),
  broken: z.array(desktopVersion).max(1000),
  checkedAt: z.int().nonnegative().nullable(),
});

export type Remembered = z.output<typeof remembered>;

const stateName = 'state.json';

/** What the app remembers about updates, in a folder of its own. */
export class UpdateMemory {
  readonly #folder: string;
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * What was remembered. A file that is damaged counts as none: the installed version still is a lower limit, and a device
   * that never updates again would be worse.
   */
  async read(installed: string): Promise<Remembered> {
    const none: Remembered = { highest: installed, latest: 0, expiresAt: null, broken: [], checkedAt: null };
    const text = await plainFiles.readFile(`${this.#folder}/${stateName}`, 'utf8').catch(() => '');
    const found = remembered.safeParse(jsonOf(text));
    if (!found.success) return none;
    const { highest } = found.data;
    return { ...found.data, highest: compareVersions(highest, installed) > 0 ? highest : installed };
  }

  async write(state: Remembered): Promise<void> {
    await this.#write(stateName, `${JSON.stringify(state)}\n`);
  }

  /** The `update.json` whose package is stored. */
  async readUpdate(): Promise<Uint8Array | undefined> {
    return plainFiles.readFile(`${this.#folder}/${updateFileName}`).catch(unlessMissing);
  }

  async writeUpdate(file: Uint8Array): Promise<void> {
    await this.#write(updateFileName, file);
  }

  async forgetUpdate(): Promise<void> {
    await plainFiles.rm(`${this.#folder}/${updateFileName}`, { force: true });
  }

  async #write(name: string, content: string | Uint8Array): Promise<void> {
    await plainFiles.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await replaceFile(this.#folder, name, content);
  }
}

/** What is remembered after a manifest with a valid signature was seen. */
export function withOffer(remembered: Remembered, manifest: UpdateManifest | undefined): Remembered {
  if (manifest === undefined) return remembered;
  const { highest, latest } = remembered;
  return {
    ...remembered,
    highest: compareVersions(manifest.version, highest) > 0 ? manifest.version : highest,
    latest: Math.max(latest, Date.parse(manifest.releasedAt)),
    expiresAt: Date.parse(manifest.expiresAt),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
