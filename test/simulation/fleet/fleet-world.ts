import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { PlantedFault } from '#test/support/planted-fault.ts';

import { startThread, type Remote } from '../worker-calls.ts';
import type { FleetDevice } from './device.ts';
import type { ServerWorld } from './server-world.ts';

export type RemoteServer = Remote<Pick<ServerWorld, keyof ServerWorld>>;
export type RemoteDevice = Remote<Pick<FleetDevice, keyof FleetDevice>>;

/** Threads for a server and its devices; used for one run after the other. */
export class FleetWorld implements AsyncDisposable {
  readonly server: RemoteServer;
  readonly #devices: { thread: RemoteDevice; end: () => Promise<void> }[] = [];
  readonly #fault: PlantedFault | null;
  readonly #endServer: () => Promise<void>;
  readonly #root: string;

  /** `fault` is planted into the sources of its threads. */
  constructor(fault: PlantedFault | null = null) {
    this.#fault = fault;
    this.#root = mkdtempSync(join(tmpdir(), 'benchbook-fleet-'));
    const { thread, end } = startThread<RemoteServer>(here('server-thread.ts'), { fault, root: this.#root });
    this.server = thread;
    this.#endServer = end;
  }

  /** The first `count` devices. */
  devices(count: number): RemoteDevice[] {
    while (this.#devices.length < count)
      this.#devices.push(startThread<RemoteDevice>(here('device-thread.ts'), { fault: this.#fault }));
    return this.#devices.slice(0, count).map(({ thread }) => thread);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#devices.map(({ end }) => end()), this.#endServer()]);
    rmSync(this.#root, { recursive: true, force: true });
  }
}

function here(file: string): URL {
  return new URL(file, import.meta.url);
}
