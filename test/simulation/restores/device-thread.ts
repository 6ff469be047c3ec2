import { workerData } from 'node:worker_threads';

import { must } from '#shared/must.ts';
import { plantHere, type PlantedFault } from '#test/support/planted-fault.ts';

import { serveCalls } from '../worker-calls.ts';
import type { RestoredDevice as Device } from './device.ts';

const { fault, device: number } = workerData as { fault: PlantedFault | null; device: number };
if (fault?.where === 'app') plantHere(fault);
const { RestoredDevice } = await import('./device.ts');

let device: Device | null = null;
const open = (): Device => must(device, 'a device');

const methods = {
  /** Gives the person a new device. */
  async begin(seed: number, server: string, email: string): Promise<void> {
    await device?.end();
    device = new RestoredDevice(number);
    await device.begin(seed);
    await device.start(server, email, 'a long password');
  },
  write: (...args: Parameters<Device['write']>) => open().write(...args),
  settle: () => open().settle(),
  decideAll: (...args: Parameters<Device['decideAll']>) => open().decideAll(...args),
  kept: () => open().kept(),
  connect: () => open().connect([], null),
  disconnect: () => open().disconnect(),
  deafen: () => open().deafen(),
  restart: () => open().restart(),
};
export type RestoredDeviceThread = typeof methods;

serveCalls(methods);
