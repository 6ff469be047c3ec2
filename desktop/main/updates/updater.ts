import { join } from 'node:path';

import pLimit from 'p-limit';

import type { UpdateHold, UpdateState, UpdateStatus } from '#shared/model/update-state.ts';
import {
  compareVersions,
  mostUpdateFileBytes,
  type UpdateArtefact,
  updateFileName,
  type UpdateManifest,
} from '#shared/model/desktop-update.ts';

import { failureKind, UpdateFailed, UpdateRefused } from './failure.ts';
import type { Installation, Installer } from './installer.ts';
import { type Remembered, UpdateMemory } from './memory.ts';
import { checkedBytes, PackageFolder, readSmall } from './packages.ts';
import type { After, UpdateSource } from './source.ts';
import { type PublisherKey, verifiedUpdate } from './verify.ts';

export interface UpdaterOptions {
  /** Folder for packages and what is remembered. */
  folder: string;
  installed: string;
  keys: readonly PublisherKey[];
  platform: string;
  arch: string;
  installation: Installation;
  serverSource: (server: string) => UpdateSource;
  now: () => number;
  /** From 0 to 1. */
  random: () => number;
  after: After;
  /** Ends the app and starts this program. */
  restart: (program: string) => void;
  report: (error: unknown) => void;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How long the page may take to say whether it may be closed, ms. */
const answerTime = 15_000;

/** A verified package that waits for its installation. */
interface Ready {
  manifest: UpdateManifest;
  artefact: UpdateArtefact;
  installer: Installer;
}

/**
 * Looks for updates, verifies and stores them, and installs one when the person wants it and the page agrees. One thing at a
 * time; every failure ends in a state that installs nothing.
 */
export class Updater {
  readonly #options: UpdaterOptions;
  readonly #memory: UpdateMemory;
  readonly #packages: PackageFolder;
  readonly #queue = pLimit(1);
  readonly #waiting = new Set<() => void>();
  #state: UpdateState;
  #ready: Ready | undefined;
  /** The update that the next start runs. */
  #activated: Ready | undefined;
  #server: string | null = null;
  #timer: ReturnType<After> | undefined;
  #question: { number: number; answer: (hold: UpdateHold | null) => void } | undefined;
  #questions = 0;

  constructor(options: UpdaterOptions) {
    this.#options = options;
    this.#memory = new UpdateMemory(options.folder);
    this.#packages = new PackageFolder(join(options.folder, 'packages'));
    const status: UpdateStatus =
      options.keys.length === 0 ? { phase: 'off' } : { phase: 'current', checkedAt: null };
    this.#state = { number: 1, installed: options.installed, left: null, status };
  }

  /** The state, as soon as its number is not `known`; also after an hour. */
  async state(known: number): Promise<UpdateState> {
    if (this.#state.number !== known) return this.#state;
    const changed = Promise.withResolvers<void>();
    this.#waiting.add(changed.resolve);
    const hour = this.#options.after(HOUR);
    await Promise.race([changed.promise, hour.elapsed]);
    hour.cancel();
    this.#waiting.delete(changed.resolve);
    return this.#state;
  }

  /** Takes up an update that was stored before the app was started. */
  async resume(): Promise<void> {
    await this.#run(async () => {
      const remembered = await this.#remembered();
      this.#show({ phase: 'current', checkedAt: remembered.checkedAt });
      const file = await this.#memory.readUpdate();
      const stored = file === undefined ? null : await this.#stored(file, remembered);
      if (stored !== null) return this.#offer(stored.manifest, stored.artefact);
      // It is installed, or must not be installed any more.
      await this.#memory.forgetUpdate();
      await this.#packages.clear();
    });
  }

  /** The update that was stored, if it may still be installed. */
  async #stored(
    file: Uint8Array,
    remembered: Remembered,
  ): Promise<{ manifest: UpdateManifest; artefact: UpdateArtefact } | null> {
    try {
      const { manifest, isNewer } = this.#verify(file, remembered);
      const artefact = isNewer ? this.#storedArtefact(manifest) : undefined;
      return artefact !== undefined && (await this.#packages.has(artefact)) ? { manifest, artefact } : null;
    } catch (error) {
      if (error instanceof UpdateRefused) return null;
      throw error;
    }
  }

  /** Looks at this server soon, and then once a day. */
  follow(server: string | null): void {
    if (server === this.#server) return;
    this.#server = server;
    this.#lookIn((0.5 + 2 * this.#options.random()) * MINUTE);
  }

  /** Looks at the server now. */
  async look(isAskedFor = true): Promise<void> {
    this.#lookIn((22 + 4 * this.#options.random()) * HOUR);
    if (this.#server !== null)
      await this.#lookAt(this.#options.serverSource(this.#server), { isFolder: false, isAskedFor });
  }

  /** Looks for an update in a folder that a person chose. */
  async lookInFolder(source: UpdateSource): Promise<void> {
    await this.#lookAt(source, { isFolder: true, isAskedFor: true });
  }

  /** Looks for an update, verifies it and stores its package. */
  async #lookAt(
    source: UpdateSource,
    { isFolder, isAskedFor }: { isFolder: boolean; isAskedFor: boolean },
  ): Promise<void> {
    await this.#run(async () => {
      const before = this.#state.status;
      this.#show({ phase: 'looking' });
      const file = await readSmall(source, updateFileName, mostUpdateFileBytes).catch((error: unknown) => {
        // Nobody waits for the answer of a daily look; what was found before still counts.
        if (isAskedFor || before.phase === 'current') throw error;
        this.#show(before);
        return null;
      });
      if (file === null) return;
      if (file === undefined && isFolder) throw new UpdateFailed('no-folder', 'There is no update in it');
      const remembered = { ...(await this.#remembered()), checkedAt: this.#options.now() };
      // Otherwise a server could withhold a later version by removing the file.
      if (file === undefined && remembered.expiresAt !== null && remembered.expiresAt <= this.#options.now())
        throw new UpdateRefused('expired', 'The last update has expired, and there is none');
      const found = file === undefined ? undefined : this.#verify(file, remembered);
      await this.#memory.write(withOffer(remembered, found?.manifest));
      if (file === undefined || found?.isNewer !== true) {
        // A server without the update of a USB drive does not take it away.
        if (before.phase === 'ready' || before.phase === 'administrator') return this.#show(before);
        return this.#show({ phase: 'current', checkedAt: remembered.checkedAt });
      }
      await this.#store(source, file, found.manifest);
    });
  }

  /** Installs what is ready, if the page agrees, and starts the app again. */
  async install(): Promise<void> {
    await this.#run(async () => {
      const ready = this.#ready;
      if (ready === undefined || this.#state.status.phase !== 'ready') return;
      const { manifest, artefact, installer } = ready;
      const { version } = manifest;
      const mayClose = async (): Promise<boolean> => {
        const hold = await this.#ask(version);
        if (hold !== null) this.#offer(manifest, artefact, hold);
        return hold === null;
      };
      if (!(await mayClose())) return;
      this.#show({ phase: 'installing', version });
      if (ready.manifest.version === this.#activated?.manifest.version)
        return this.#options.restart(installer.program);
      // It may have expired since, or another version may have been offered.
      this.#verify((await this.#memory.readUpdate()) ?? new Uint8Array(), await this.#remembered());
      await using file = await this.#packages.open(artefact);
      const prepared = await installer.prepare(version, checkedBytes(file, artefact));
      // An order may have begun meanwhile.
      if (!(await mayClose())) return prepared.discard();
      await prepared.activate();
      this.#activated = ready;
      this.#ready = undefined;
      this.#show({ phase: 'installing', version });
      this.#options.restart(installer.program);
    });
  }

  /** The app was not closed for the update, because the page could not save everything. */
  keptOpen(): void {
    if (this.#activated !== undefined)
      this.#offer(this.#activated.manifest, this.#activated.artefact, 'unsaved');
  }

  /** The page's answer to a question. Answers to earlier questions do not count. */
  answer(question: number, hold: UpdateHold | null): void {
    if (this.#question?.number === question) this.#question.answer(hold);
  }

  /** The page shows its first screen. */
  async confirm(): Promise<void> {
    const { installation, report } = this.#options;
    if (installation.by !== 'app') return;
    await this.#queue(async () => {
      const left = await installation.installer.confirm();
      if (left === null) return;
      const remembered = await this.#remembered();
      await this.#memory.write({ ...remembered, broken: [...new Set([...remembered.broken, left])] });
      if (this.#ready?.manifest.version === left) this.#ready = undefined;
      this.#state = { ...this.#state, left };
      this.#show({ phase: 'failed', reason: 'broken', version: left });
    }).catch(report);
  }

  /** Looks no more, and answers who waits for a change. */
  close(): void {
    this.#timer?.cancel();
    this.#server = null;
    this.#tell();
  }

  async #store(source: UpdateSource, file: Uint8Array, manifest: UpdateManifest): Promise<void> {
    const { installation } = this.#options;
    if (installation.by === 'person') {
      const artefact = installation.kinds
        .map((kind) => this.#artefact(manifest, kind))
        .find((one) => one !== undefined);
      const { version, notes } = manifest;
      const address = artefact === undefined ? null : source.address(artefact.file);
      return this.#show({ phase: 'download', version, notes, address });
    }
    const artefact = this.#storedArtefact(manifest);
    if (artefact === undefined) throw new UpdateFailed('no-package', 'None is for this computer');
    const { version } = manifest;
    this.#ready = undefined;
    this.#show({ phase: 'downloading', version, percent: 0 });
    await this.#packages.clear(artefact);
    await this.#packages.fetch(source, artefact, (bytes) => {
      const percent = Math.floor((100 * bytes) / artefact.size);
      const { status } = this.#state;
      if (status.phase !== 'downloading' || status.percent !== percent)
        this.#show({ phase: 'downloading', version, percent });
    });
    await this.#memory.writeUpdate(file);
    this.#offer(manifest, artefact);
  }

  #offer(manifest: UpdateManifest, artefact: UpdateArtefact, hold: UpdateHold | null = null): void {
    const { installation } = this.#options;
    const { version, notes } = manifest;
    if (installation.by === 'app') {
      this.#ready = { manifest, artefact, installer: installation.installer };
      return this.#show({ phase: 'ready', version, notes, hold });
    }
    const path = this.#packages.path(artefact);
    this.#show({ phase: 'administrator', version, notes, path, sha256: artefact.sha256 });
  }

  /** The package that this copy of the app downloads. */
  #storedArtefact(manifest: UpdateManifest): UpdateArtefact | undefined {
    const { installation } = this.#options;
    return installation.by === 'person' ? undefined : this.#artefact(manifest, installation.kind);
  }

  #artefact({ artefacts }: UpdateManifest, kind: UpdateArtefact['kind']): UpdateArtefact | undefined {
    const { platform, arch } = this.#options;
    return artefacts.find((one) => one.platform === platform && one.arch === arch && one.kind === kind);
  }

  #verify(file: Uint8Array, { highest, broken, latest }: Remembered): ReturnType<typeof verifiedUpdate> {
    const { keys, installed, now } = this.#options;
    // A clock that was set back does not revive an update that expired.
    return verifiedUpdate(file, keys, { installed, highest, broken, now: Math.max(now(), latest) });
  }

  #remembered(): Promise<Remembered> {
    return this.#memory.read(this.#options.installed);
  }

  /** Asks the page whether the app may be closed; null: yes. */
  async #ask(version: string): Promise<UpdateHold | null> {
    this.#questions += 1;
    const { promise, resolve } = Promise.withResolvers<UpdateHold | null>();
    this.#question = { number: this.#questions, answer: resolve };
    this.#show({ phase: 'asking', version, question: this.#questions });
    const limit = this.#options.after(answerTime);
    const silence = limit.elapsed.then((): UpdateHold => 'silence');
    const hold = await Promise.race([promise, silence]);
    limit.cancel();
    this.#question = undefined;
    return hold;
  }

  #lookIn(ms: number): void {
    this.#timer?.cancel();
    if (this.#server === null || this.#options.keys.length === 0) return;
    const timer = this.#options.after(ms);
    this.#timer = timer;
    void timer.elapsed.then(() => {
      if (this.#timer === timer) return this.look(false);
    });
  }

  /** Runs one thing after the other. Without a key of the publisher nothing runs. */
  async #run(work: () => Promise<void>): Promise<void> {
    if (this.#options.keys.length === 0) return;
    await this.#queue(work).catch((error: unknown) => {
      this.#options.report(error);
      this.#ready = undefined;
      this.#show({ phase: 'failed', reason: failureKind(error), version: null });
    });
  }

  #show(status: UpdateStatus): void {
    this.#state = { ...this.#state, number: this.#state.number + 1, status };
    this.#tell();
  }

  #tell(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** What is remembered after a manifest with a valid signature was seen. */
function withOffer(remembered: Remembered, manifest: UpdateManifest | undefined): Remembered {
  if (manifest === undefined) return remembered;
  const { highest, latest } = remembered;
  return {
    ...remembered,
    highest: compareVersions(manifest.version, highest) > 0 ? manifest.version : highest,
    latest: Math.max(latest, Date.parse(manifest.releasedAt)),
    expiresAt: Date.parse(manifest.expiresAt),
  };
}
