import type { DoingKind } from '../plan.ts';
import type { Acting, Perform } from './acting.ts';

/** What people at a station do there only. */
export const stationDoings = { 'leave-station': leaveStation } satisfies Partial<Record<DoingKind, Perform>>;

/** The person signs out. Their running orders pause, are handed over with a note, or go on. */
async function leaveStation(acting: Acting): Promise<void> {
  const station = await acting.look('station');
  const person = station?.person ?? null;
  if (station === null || person === null) return;
  const own = station.running.filter(({ userid }) => userid === person.userid);
  const numbers = own.map(({ workorderid }) => workorderid);
  const way = acting.one(['pause', 'hand-over', 'keep-running'] as const, 1) ?? 'pause';
  acting.say(`leave-station, ${way} ${numbers.join(', ')}`);
  const move = way === 'pause' ? 'pause' : 'suspend';
  if (way !== 'keep-running')
    acting.done.facts.moves = numbers.map((number): [string, string] => [number, move]);
  if (way !== 'hand-over') return acting.actions.signOutOfStation({ orders: way });
  const word = own.length === 0 ? '' : acting.word('handover');
  // The note is in each of the orders.
  acting.done.joined.push(...numbers.slice(1).map(() => word));
  await acting.actions.signOutOfStation({ orders: way, note: `For the next one: ${word}` });
}
