import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Installation, PreparedVersion } from '#desktop/main/updates/installer.ts';
import { folderSource, type UpdateSource } from '#desktop/main/updates/source.ts';
import { Updater, type UpdaterOptions } from '#desktop/main/updates/updater.ts';
import type { UpdateManifest } from '#shared/model/desktop-update.ts';

import { manifestFor, newPublisher, signed, today } from './signed.ts';

/** The package of the tests. */
export const packageBytes = new Uint8Array(300_000).map((_, index) => (index * 7) % 251);

/** An installer that records what it got. */
export class RecordingInstaller {
  readonly program = '/opt/app/benchbook-desktop';
  readonly did: string[] = [];
  left: string | null = null;
  /** Runs while a version is prepared. */
  meanwhile: () => Promise<void> = async () => undefined;

  async prepare(version: string, chunks: AsyncIterable<Uint8Array>): Promise<PreparedVersion> {
    let size = 0;
    await this.meanwhile();
    for await (const chunk of chunks) size += chunk.length;
    this.did.push(`prepare ${version} ${size}`);
    return {
      activate: async () => void this.did.push(`activate ${version}`),
      discard: async () => void this.did.push(`discard ${version}`),
    };
  }

  async confirm(): Promise<string | null> {
    return this.left;
  }
}

export const publisher = newPublisher();

/** A device with an updater, a folder as the source of updates, and time that stands still. */
export class UpdateWorld {
  readonly folder: string;
  readonly usb: string;
  readonly installer = new RecordingInstaller();
  readonly reported: unknown[] = [];
  readonly restarts: string[] = [];
  readonly timers: { ms: number; elapse: () => void; isCancelled: boolean }[] = [];
  now = today;
  /** What the page answers. */
  hold: 'order' | 'unsaved' | null | undefined = null;

  constructor(path: string) {
    this.folder = join(path, 'updates');
    this.usb = join(path, 'usb');
  }

  /** A new start of the app. */
  start(change: Partial<UpdaterOptions> = {}): Updater {
    const installation: Installation = { by: 'app', kind: 'folder', installer: this.installer };
    const updater = new Updater({
      folder: this.folder,
      installed: '0.1.0',
      keys: [publisher.publicKey],
      platform: 'linux',
      arch: 'x64',
      installation,
      serverSource: () => this.source(),
      now: () => this.now,
      random: () => 0.5,
      after: (ms) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = { ms, elapse: resolve, isCancelled: false };
        this.timers.push(timer);
        return { elapsed: promise, cancel: () => void (timer.isCancelled = true) };
      },
      restart: (program) => void this.restarts.push(program),
      report: (error) => void this.reported.push(error),
      ...change,
    });
    void this.#answerQuestions(updater);
    return updater;
  }

  source(): UpdateSource {
    return folderSource(this.usb);
  }

  /** Puts an update into the folder. */
  async offer(
    change: Partial<UpdateManifest> = {},
    bytes: Uint8Array = packageBytes,
  ): Promise<UpdateManifest> {
    const manifest = manifestFor(packageBytes, change);
    await mkdir(this.usb, { recursive: true });
    await writeFile(join(this.usb, 'update.json'), signed(manifest, [publisher.privateKey]));
    for (const { file } of manifest.artefacts) await writeFile(join(this.usb, file), bytes);
    return manifest;
  }

  async #answerQuestions(updater: Updater): Promise<void> {
    for (let number = 0; ;) {
      const state = await updater.state(number);
      number = state.number;
      if (state.status.phase === 'asking' && this.hold !== undefined)
        updater.answer(state.status.question, this.hold);
    }
  }
}
