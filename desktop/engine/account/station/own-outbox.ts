import { Problem } from '#shared/api/problem.ts';

import type { Outbox, OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { UserSession } from '../user-session.ts';
import type { PresentPerson, Station } from './station.ts';

/**
 * The outbox for one person at a station: what they add is recorded as theirs, and they change and discard nothing of
 * others (STATION-ENGINE-1). The same outbox on other devices.
 */
export function outboxOf(
  outbox: Outbox,
  userSession: UserSession | null,
  person: PresentPerson | null,
): Outbox {
  const station = userSession?.station ?? null;
  if (userSession === null || station === null) return outbox;
  const mustBeOwn = (id: string): void => {
    const call = outbox.get(id);
    if (call !== undefined && isOfOther(call, station, person))
      throw new Problem('forbidden', 'Only the person who recorded this can change or discard it');
  };
  return {
    ...outbox,
    add: async (calls) => userSession.outbox.add(calls, station.recorder(person)),
    change: async (id, change) => {
      if ('body' in change || 'query' in change) mustBeOwn(id);
      await outbox.change(id, change);
    },
    remove: async (id) => {
      mustBeOwn(id);
      await outbox.remove(id);
    },
  };
}

/** Whether a call was recorded by another person who still signs in here. What nobody can change otherwise, anybody may. */
function isOfOther({ recorded }: OutboxCall, station: Station, person: PresentPerson | null): boolean {
  if (recorded === undefined || recorded.for === person?.accountid) return false;
  return station.now.self.people.some(({ accountid }) => accountid === recorded.for);
}
