import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startServer, type TestServer } from '#test/support/server.ts';

/** A real server whose data folder can be copied and restored, like an administrator would. */
export interface RestorableServer extends AsyncDisposable {
  /** The running server. */
  readonly now: TestServer;
  /** Its address; null while it is down. */
  readonly url: string | null;
  backUp(): Promise<void>;
  /** Stops the server, restores the last backup, and starts it on another port. */
  restore(): Promise<void>;
}

export async function startRestorableServer(): Promise<RestorableServer> {
  const root = mkdtempSync(join(tmpdir(), 'benchbook-restore-'));
  const [dataDir, backup] = [join(root, 'data'), join(root, 'backup')];
  let server = await startServer({ dataDir });
  let isUp = true;
  const restart = async (before: () => void): Promise<void> => {
    isUp = false;
    await server[Symbol.asyncDispose]();
    before();
    server = await startServer({ dataDir });
    isUp = true;
  };
  const replace = (from: string, to: string): void => {
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true });
  };
  return {
    get now() {
      return server;
    },
    get url() {
      return isUp ? server.url : null;
    },
    backUp: () => restart(() => replace(dataDir, backup)),
    restore: () => restart(() => replace(backup, dataDir)),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
