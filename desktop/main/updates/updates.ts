import { readFile, realpath } from 'node:fs/promises';
import { inspect } from 'node:util';

import type { Dialog } from '../electron.ts';
import type { IpcHandlers } from '../ipc.ts';
import { writeLog } from '../log.ts';
import { findInstallation } from './linux-folder.ts';
import { type After, folderSource, serverSource } from './source.ts';
import { Updater } from './updater.ts';
import { publisherKeys } from './verify.ts';

type UpdateCalls = Pick<IpcHandlers, Extract<keyof IpcHandlers, `update${string}`>>;

interface UpdatesOptions {
  app: {
    getVersion(): string;
    /** Starts a program when this one has ended. */
    relaunch(options: { execPath: string; args: string[] }): void;
    quit(): void;
  };
  dialog: Dialog;
  fetch: typeof fetch;
  /** Folder for packages and what is remembered. */
  folder: string;
  /** `update-keys.json` of the package. */
  keysFile: string;
}

/** Updates of the running app: the real time, files and program. */
export class Updates {
  readonly #options: UpdatesOptions;
  readonly #updater: Promise<Updater>;

  constructor(options: UpdatesOptions) {
    this.#options = options;
    this.#updater = this.#open();
    this.#updater.catch(report);
  }

  readonly handlers: UpdateCalls = {
    updateState: async (known) => (await this.#updater).state(known),
    updateFollow: async (server) => {
      (await this.#updater).follow(server);
      return undefined;
    },
    updateLook: async () => this.#start((updater) => updater.look()),
    updateFromFolder: async ({ title }) => {
      const { canceled, filePaths } = await this.#options.dialog.showOpenDialog({
        title,
        filters: [],
        properties: ['openDirectory'],
      });
      const [folder] = filePaths;
      if (canceled || folder === undefined) return false;
      this.#start((updater) => updater.lookInFolder(folderSource(folder)));
      return true;
    },
    updateInstall: async () => this.#start((updater) => updater.install()),
    updateAnswer: async (question, hold) => {
      (await this.#updater).answer(question, hold);
      return undefined;
    },
    updateConfirm: async () => {
      await (await this.#updater).confirm();
      return undefined;
    },
  };

  /** The app was not closed for an update, because the page could not save everything. */
  keptOpen(): void {
    this.#start(async (updater) => updater.keptOpen());
  }

  close(): void {
    this.#start(async (updater) => updater.close());
  }

  /** Begins something that shows its result in the state. */
  #start(work: (updater: Updater) => Promise<void>): undefined {
    this.#updater.then(work).catch(report);
  }

  async #open(): Promise<Updater> {
    const { app, fetch, folder, keysFile } = this.#options;
    const keys = publisherKeys(await readFile(keysFile, 'utf8').catch(() => ''));
    const program = await realpath(process.execPath);
    const updater = new Updater({
      folder,
      installed: app.getVersion(),
      keys,
      platform: process.platform,
      arch: process.arch,
      installation: await findInstallation({ program, platform: process.platform }),
      serverSource: (server) => serverSource(server.replace(/\/+$/, ''), fetch, after),
      now: () => Date.now(),
      random: () => Math.random(),
      after,
      restart: (execPath) => {
        // Files that were opened at the start are not opened again.
        app.relaunch({ execPath, args: process.argv.slice(1).filter((one) => one.startsWith('--')) });
        app.quit();
      },
      report,
    });
    void updater.resume();
    return updater;
  }
}

const after: After = (ms) => {
  const done = Promise.withResolvers<void>();
  const timer = setTimeout(done.resolve, ms);
  return { elapsed: done.promise, cancel: () => clearTimeout(timer) };
};

function report(error: unknown): void {
  writeLog(`update: ${inspect(error)}`);
}
