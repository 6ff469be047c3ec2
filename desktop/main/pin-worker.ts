import { parentPort, workerData } from 'node:worker_threads';

import { argon2id } from '@noble/hashes/argon2.js';

import type { PinHashing } from './pin-hash.ts';

// The thread that `hashPin` starts.
const { pin, salt, memory, passes } = workerData as PinHashing;
parentPort?.postMessage(argon2id(pin, salt, { m: memory, t: passes, p: 1, dkLen: 32 }));
