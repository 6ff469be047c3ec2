import type { Actions, Live, Views } from '#desktop/engine/engine.ts';
import { openEngine } from '#desktop/engine/open.ts';

import { type Disk, platformOn, serverAddress } from './device.ts';
import { testEnvironment } from './environment.ts';

type Seen<V extends keyof Views> = ReturnType<Views[V]> extends Live<infer T> ? T : never;

/** A device as screens use it, with a real server that may move to another port. */
export interface WholeDevice extends AsyncDisposable {
  actions: Actions;
  /** Signs in with the password of the test people. */
  signIn(name: string): Promise<void>;
  /** The current value of a view. */
  look<V extends keyof Views>(name: V, ...args: Parameters<Views[V]>): Promise<Seen<V>>;
  /** Resolves when a view satisfies a condition. */
  shows<V extends keyof Views>(
    isSo: (value: Seen<V>) => boolean,
    name: V,
    ...args: Parameters<Views[V]>
  ): Promise<Seen<V>>;
  /** Waits until everything is pulled and sent. */
  inSync(): Promise<void>;
}

/**
 * `url`: the current address of the server; null while offline for a path. `late`: how far the server's clock is
 * behind, ms.
 */
export function startWholeDevice(
  url: (path: string) => string | null,
  disk: Disk,
  late = 0,
): Promise<WholeDevice> {
  const fetchThere: typeof fetch = async (input, init) => {
    const asked = input instanceof Request ? input.url : String(input);
    const target = url(new URL(asked).pathname);
    if (target === null) {
      // A network never fails synchronously.
      await new Promise((resolve) => setTimeout(resolve, 0));
      throw new TypeError('fetch failed');
    }
    return fetch(asked.replace(serverAddress, target), init);
  };
  return openWholeDevice(fetchThere, disk, late);
}

/** A device whose requests use `fetchThere`. */
export async function openWholeDevice(fetchThere: typeof fetch, disk: Disk, late = 0): Promise<WholeDevice> {
  const environment = testEnvironment(fetchThere, 1);
  const past = { ...environment, now: () => environment.now() - late };
  const engine = await openEngine(platformOn(disk, past));
  const { actions, views } = engine;
  const shows: WholeDevice['shows'] = (isSo, name, ...args) => {
    const view = views[name] as (...given: Parameters<Views[typeof name]>) => Live<Seen<typeof name>>;
    return new Promise((resolve, reject) => {
      let stop = (): void => undefined;
      stop = view(...args).subscribe((value) => {
        if (!isSo(value)) return;
        resolve(value);
        queueMicrotask(() => stop());
      }, reject);
    });
  };
  return {
    actions,
    shows,
    look: (name, ...args) => shows(() => true, name, ...args),
    signIn: (name) => actions.signIn(serverAddress, `${name.toLowerCase()}@example.com`, 'a long password'),
    async inSync() {
      await shows(
        ({ phase, connection, pending, lastSyncedAt }) =>
          phase === 'idle' && connection === 'online' && pending === 0 && lastSyncedAt !== null,
        'syncState',
      );
    },
    [Symbol.asyncDispose]: () => engine.close(),
  };
}
