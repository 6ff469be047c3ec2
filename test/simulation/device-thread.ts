import { workerData } from 'node:worker_threads';

import { plantHere, type PlantedFault } from '#test/support/planted-fault.ts';

import { serveCalls } from './worker-calls.ts';

const { fault, device } = workerData as { fault: PlantedFault | null; device: number };
if (fault?.where === 'app') plantHere(fault);
const { SimulatedDevice } = await import('./device.ts');

serveCalls(new SimulatedDevice(device));
