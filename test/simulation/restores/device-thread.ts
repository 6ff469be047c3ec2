import { workerData } from 'node:worker_threads';

import { plantHere, type PlantedFault } from '#test/support/planted-fault.ts';

import { serveCalls } from '../worker-calls.ts';
import type { RestoredDevice as Device } from './device.ts';

const { fault, device: number } = workerData as { fault: PlantedFault | null; device: number };
if (fault?.where === 'app') plantHere(fault);
const { RestoredDevice } = await import('./device.ts');

let device: Device | null = null;

/** Gives the person a new device. */
const begin = async (seed: number, server: string, email: string): Promise<void> => {
  await device?.end();
  device = new RestoredDevice(number);
  await device.begin(seed);
  await device.start(server, email, 'a long password');
};

/** The methods of the device in hand. */
const methods = new Proxy(
  {},
  {
    get(_, name: string) {
      if (name === 'begin') return begin;
      const method = device?.[name as keyof Device] as unknown as (...args: unknown[]) => unknown;
      return method.bind(device);
    },
  },
);

serveCalls(methods);
