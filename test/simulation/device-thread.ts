import { workerData } from 'node:worker_threads';

import { plant, type PlantedFault } from './planted-faults.ts';
import { serveCalls } from './worker-calls.ts';

const { fault, device } = workerData as { fault: PlantedFault | null; device: number };
if (fault?.on === 'device') plant(fault);
const { SimulatedDevice } = await import('./device.ts');

serveCalls(new SimulatedDevice(device));
