import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { PlantedFault } from '#test/support/planted-fault.ts';

import { startThread, type Remote } from '../worker-calls.ts';
import { bundleDevice, type DeviceBundle } from './device-bundle.ts';
import type { FleetDevice } from './device.ts';
import type { ServerWorld } from './server-world.ts';

export type RemoteServer = Remote<Pick<ServerWorld, keyof ServerWorld>>;
export type RemoteDevice = Remote<Pick<FleetDevice, keyof FleetDevice>>;

/** Threads for a server and its devices; used for one run after the other. */
export class FleetWorld implements AsyncDisposable {
  readonly server: RemoteServer;
  readonly #devices: { thread: RemoteDevice; end: () => Promise<void> }[] = [];
  readonly #bundle: DeviceBundle;
  readonly #endServer: () => Promise<void>;
  readonly #root: string;

  private constructor(fault: PlantedFault | null, bundle: DeviceBundle) {
    this.#bundle = bundle;
    this.#root = mkdtempSync(join(tmpdir(), 'benchbook-fleet-'));
    const program = new URL('server-thread.ts', import.meta.url);
    const { thread, end } = startThread<RemoteServer>(program, { fault, root: this.#root });
    this.server = thread;
    this.#endServer = end;
  }

  /** Starts the thread of the server. `fault` is planted into the sources of the server or of the devices. */
  static async open(fault: PlantedFault | null = null): Promise<FleetWorld> {
    return new FleetWorld(fault, await bundleDevice(fault?.where === 'app' ? fault : null));
  }

  /** The first `count` devices. */
  devices(count: number): RemoteDevice[] {
    while (this.#devices.length < count)
      this.#devices.push(startThread<RemoteDevice>(this.#bundle.program, {}));
    return this.#devices.slice(0, count).map(({ thread }) => thread);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#devices.map(({ end }) => end()), this.#endServer()]);
    await this.#bundle.remove();
    rmSync(this.#root, { recursive: true, force: true });
  }
}
