import { workerData } from 'node:worker_threads';

import { plantHere, type PlantedFault } from '#test/support/planted-fault.ts';

import { serveCalls } from '../worker-calls.ts';
import { EventTime } from './event-time.ts';
import { chanceOf, takeOver, giveSource } from './stillness.ts';

const { fault } = workerData as { fault: PlantedFault | null };
if (fault?.where === 'app') plantHere(fault);
giveSource({ time: new EventTime(0), random: chanceOf(0) });
takeOver();
const { FleetDevice } = await import('./device.ts');

// Work that the app began by itself and that a full disk stopped: the status line tells of it.
process.on('unhandledRejection', (error) => {
  if (!isOfFullDisk(error)) throw error;
});

function isOfFullDisk(error: unknown): boolean {
  return error instanceof Error && ['JournalError', 'QuotaExceededError'].includes(error.name);
}

serveCalls(new FleetDevice());
