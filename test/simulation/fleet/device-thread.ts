import { serveCalls } from '../worker-calls.ts';
import { EventTime } from './event-time.ts';
import { chanceOf, takeOver, giveSource } from './stillness.ts';

giveSource({ time: new EventTime(0), random: chanceOf(0) });
takeOver();
const { FleetDevice } = await import('./device.ts');
// Loaded before a run: how long that takes must not matter to it.
await import('#desktop/engine/platform/argon2-here.ts');

// RxDB does not await its writes of checkpoints, which nothing needs (mirror README, MIRROR-3): a full database
// rejects them.
process.on('unhandledRejection', (error) => {
  if (!(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error;
});

serveCalls(new FleetDevice());
