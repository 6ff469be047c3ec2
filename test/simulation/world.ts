import type { PlantedFault } from '#test/support/planted-fault.ts';

import type { SimulatedDevice } from './device.ts';
import type { ServerThread } from './server-thread.ts';
import { startThread, type Remote } from './worker-calls.ts';

export type RemoteDevice = Remote<SimulatedDevice>;

/** A real server and two devices of two people, each in a thread; used for many runs. */
export interface World extends AsyncDisposable {
  server: Remote<ServerThread>;
  left: RemoteDevice;
  right: RemoteDevice;
}

/** Starts a world; `fault` is planted into the source of one of its threads. */
export async function startWorld(fault: PlantedFault | null = null): Promise<World> {
  const here = (file: string): URL => new URL(file, import.meta.url);
  const server = startThread<ServerThread>(here('server-thread.ts'), { fault });
  const devices = [1, 2].map((device) =>
    startThread<SimulatedDevice>(here('device-thread.ts'), { fault, device }),
  );
  const { url, accounts } = await server.thread.address();
  const [left, right] = await Promise.all(
    devices.map(async ({ thread }, index) => {
      const { email = '', password = '' } = accounts[index] ?? {};
      await thread.start(url, email, password);
      return thread;
    }),
  );
  if (left === undefined || right === undefined) throw new Error('Expected two devices');
  return {
    server: server.thread,
    left,
    right,
    async [Symbol.asyncDispose]() {
      await Promise.all([...devices, server].map((one) => one.end()));
    },
  };
}
