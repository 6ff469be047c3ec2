import { join } from 'node:path';

import pLimit from 'p-limit';

import type { UpdateHold, UpdateState, UpdateStatus } from '#shared/model/update-state.ts';
import {
  mostUpdateFileBytes,
  type UpdateArtefact,
  updateFileName,
  type UpdateManifest,
} from '#shared/model/desktop-update.ts';

import { failureKind, UpdateFailed, type UpdateFailureKind, UpdateRefused } from './failure.ts';
import type { Installation } from './installer.ts';
import { type Remembered, UpdateMemory, withOffer } from './memory.ts';
import { checkedBytes, PackageFolder, readSmall } from './packages.ts';
import { ShownState } from './shown-state.ts';
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
}

interface Look {
  isFolder: boolean;
  isAskedFor: boolean;
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
  readonly #shown: ShownState;
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
    this.#shown = new ShownState(options.installed, status, options.after);
  }

  /** The state, as soon as its number is not `known`; also after an hour. */
  state(known: number): Promise<UpdateState> {
    return this.#shown.next(known);
  }

  /** Takes up an update that was stored before the app was started. */
  async resume(): Promise<void> {
    await this.#run(async () => {
      const { checkedAt } = await this.#remembered();
      this.#shown.show({ phase: 'current', checkedAt });
      const stored = await this.#stored();
      if (stored !== null) return this.#offer(stored);
      // It is installed, or must not be installed any more.
      await this.#memory.forgetUpdate();
      await this.#packages.clear();
    });
  }

  /** The update that was stored, if it may still be installed. */
  async #stored(): Promise<Ready | null> {
    try {
      const stored = await this.#verifyStored();
      return stored !== null && (await this.#packages.has(stored.artefact)) ? stored : null;
    } catch (error) {
      if (error instanceof UpdateRefused) return null;
      throw error;
    }
  }

  /**
   * Verifies the stored manifest again. A later version that was offered since, and is not stored yet, does not take this
   * one away. Null: there is none, or none for this computer.
   * @throws UpdateRefused
   */
  async #verifyStored(): Promise<Ready | null> {
    const file = await this.#memory.readUpdate();
    if (file === undefined) return null;
    const highest = this.#options.installed;
    const { manifest, isNewer } = this.#verify(file, { ...(await this.#remembered()), highest });
    const artefact = isNewer ? this.#storedArtefact(manifest) : undefined;
    return artefact === undefined ? null : { manifest, artefact };
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

  /** Looks for an update. Who delivers updates is not trusted: no answer takes away what was verified before. */
  async #lookAt(source: UpdateSource, look: Look): Promise<void> {
    await this.#run(async () => {
      const before = this.#shown.status;
      this.#shown.show({ phase: 'looking' });
      try {
        await this.#find(source, before, look);
      } catch (error) {
        const kept = await this.#keptAfter(failureKind(error), before, look);
        if (kept === null) throw error;
        this.#options.report(error);
        this.#shown.show(kept);
      }
    });
  }

  /** What is shown after a failed look; null: the failure. */
  async #keptAfter(
    reason: UpdateFailureKind,
    before: UpdateStatus,
    { isAskedFor }: Look,
  ): Promise<UpdateStatus | null> {
    if (before.phase === 'ready' || before.phase === 'administrator')
      return (await this.#stored()) === null ? null : { ...before, lookFailed: isAskedFor ? reason : null };
    // Nobody waits for the answer of a daily look.
    return isAskedFor || before.phase === 'current' || reason !== 'unreachable' ? null : before;
  }

  /** Finds an update, verifies it and stores its package. */
  async #find(source: UpdateSource, before: UpdateStatus, { isFolder, isAskedFor }: Look): Promise<void> {
    const file = await readSmall(source, updateFileName, mostUpdateFileBytes);
    if (file === undefined && isFolder) throw new UpdateFailed('no-folder', 'There is no update in it');
    const known = await this.#remembered();
    const checkedAt = this.#options.now();
    // Otherwise a server could withhold a later version by removing the file.
    if (file === undefined && known.expiresAt !== null && known.expiresAt <= checkedAt)
      throw new UpdateRefused('expired', 'The last update has expired, and there is none');
    // A version that did not start may only have been interrupted, so a person may try it again.
    const tried = isAskedFor ? { ...known, broken: [] } : known;
    const found = file === undefined ? undefined : this.#verify(file, tried);
    const broken = known.broken.filter((one) => !isAskedFor || one !== found?.manifest.version);
    await this.#memory.write({ ...withOffer(known, found?.manifest), broken, checkedAt });
    if (file !== undefined && found?.isNewer === true) return this.#store(source, file, found.manifest);
    // A server without the update of a USB drive does not take it away.
    if (before.phase === 'ready' || before.phase === 'administrator')
      return this.#shown.show({ ...before, lookFailed: null });
    return this.#shown.show({ phase: 'current', checkedAt });
  }

  /** Installs what is ready, if the page agrees, and starts the app again. */
  async install(): Promise<void> {
    await this.#run(async () => {
      const ready = this.#ready;
      const { installation } = this.#options;
      if (ready === undefined || installation.by !== 'app' || this.#shown.status.phase !== 'ready') return;
      const { artefact } = ready;
      const { version } = ready.manifest;
      const mayClose = async (): Promise<boolean> => {
        const hold = await this.#ask(version);
        if (hold !== null) this.#offer(ready, hold);
        return hold === null;
      };
      if (!(await mayClose())) return;
      this.#shown.show({ phase: 'installing', version });
      if (version === this.#activated?.manifest.version)
        return this.#options.restart(installation.installer.program);
      // It may have expired since, and what is stored may be another update.
      const stored = await this.#verifyStored();
      if (stored?.manifest.version !== version || stored.artefact.sha256 !== artefact.sha256)
        throw new UpdateFailed('package', `The stored manifest is not that of version ${version}`);
      await using file = await this.#packages.open(artefact);
      const prepared = await installation.installer.prepare(version, checkedBytes(file, artefact));
      // An order may have begun meanwhile.
      if (!(await mayClose())) return prepared.discard();
      await prepared.activate();
      this.#activated = ready;
      this.#ready = undefined;
      this.#shown.show({ phase: 'installing', version });
      this.#options.restart(installation.installer.program);
    });
  }

  /** The app was not closed for the update, because the page could not save everything. */
  keptOpen(): void {
    if (this.#activated !== undefined) this.#offer(this.#activated, 'unsaved');
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
      this.#shown.show({ phase: 'failed', reason: 'broken', version: left }, left);
    }).catch(report);
  }

  /** Looks no more, and answers who waits for a change. */
  close(): void {
    this.#timer?.cancel();
    this.#server = null;
    this.#shown.tell();
  }

  async #store(source: UpdateSource, file: Uint8Array, manifest: UpdateManifest): Promise<void> {
    const { installation } = this.#options;
    if (installation.by === 'person') {
      const artefact = installation.kinds
        .map((kind) => this.#artefact(manifest, kind))
        .find((one) => one !== undefined);
      const { version, notes } = manifest;
      const address = artefact === undefined ? null : source.address(artefact.file);
      return this.#shown.show({ phase: 'download', version, notes, address });
    }
    const artefact = this.#storedArtefact(manifest);
    if (artefact === undefined) throw new UpdateFailed('no-package', 'None is for this computer');
    const { version } = manifest;
    this.#shown.show({ phase: 'downloading', version, percent: 0 });
    // The package of an earlier update stays until this one is stored.
    await this.#packages.clear([artefact, ...(this.#ready === undefined ? [] : [this.#ready.artefact])]);
    await this.#packages.fetch(source, artefact, (bytes) => {
      const percent = Math.floor((100 * bytes) / artefact.size);
      const { status } = this.#shown;
      if (status.phase !== 'downloading' || status.percent !== percent)
        this.#shown.show({ phase: 'downloading', version, percent });
    });
    await this.#memory.writeUpdate(file);
    await this.#packages.clear([artefact]);
    this.#offer({ manifest, artefact });
  }

  #offer(ready: Ready, hold: UpdateHold | null = null): void {
    this.#ready = ready;
    const { manifest, artefact } = ready;
    const offered = { version: manifest.version, notes: manifest.notes, lookFailed: null };
    if (this.#options.installation.by === 'app')
      return this.#shown.show({ phase: 'ready', ...offered, hold });
    const path = this.#packages.path(artefact);
    this.#shown.show({ phase: 'administrator', ...offered, path, sha256: artefact.sha256 });
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
    this.#shown.show({ phase: 'asking', version, question: this.#questions });
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
      this.#shown.show({ phase: 'failed', reason: failureKind(error), version: null });
    });
  }
}
