import { parentPort, workerData } from 'node:worker_threads';

import { makePacks, type PackWork } from './make-packs.ts';

parentPort?.postMessage(makePacks(workerData as PackWork));
