import { workerData } from 'node:worker_threads';

import { plantHere, type PlantedFault } from '#test/support/planted-fault.ts';

import { serveCalls } from '../worker-calls.ts';
import type { RestoredDevice as Device } from './device.ts';

const { fault, device: number } = workerData as { fault: PlantedFault | null; device: number };
if (fault?.where === 'app') plantHere(fault);
const { RestoredDevice } = await import('./device.ts');

let device: Device | null = null;

/** The device in hand; `begin` gives its person a new one. */
const methods = new Proxy(
  {
    async begin(seed: number, server: string, email: string): Promise<void> {
      await device?.end();
      device = new RestoredDevice(number);
      await device.begin(seed);
      await device.start(server, email, 'a long password');
    },
  },
  {
    get(own, name: string) {
      if (name === 'begin') return own.begin;
      const method = device?.[name as keyof Device] as unknown as (...args: unknown[]) => unknown;
      return method.bind(device);
    },
  },
);

serveCalls(methods);
