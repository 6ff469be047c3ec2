import { Problem } from '#shared/api/problem.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import { type EntryMove, moveRefusal } from '#shared/rules/work-log.ts';

import type { EntryContext } from '../outbox/kinds/work-orders.ts';
import type { NewCall } from '../platform/ports.ts';
import { type ActionContext, impossible, laneOf, openCallsOf } from './action-context.ts';
import { readEntry } from './read-entry.ts';

/** The common part of calls about a work order. `id`: of the order. */
interface EntryCall {
  id: string;
  facts: EntryFacts;
  call: Pick<NewCall, 'lane' | 'target' | 'subject'>;
  context: EntryContext;
}

const moveWords: Record<EntryMove, string> = {
  step: 'worked on',
  data: 'filled in',
  pause: 'paused',
  resume: 'resumed',
  suspend: 'suspended',
  assume: 'taken over',
  finish: 'finished',
  cancel: 'cancelled',
};

/** The common part of calls about a work order. Throws when the move is not possible, as far as this device knows. */
export async function mustMove(context: ActionContext, entryid: string, move: EntryMove): Promise<EntryCall> {
  const entry = await readEntry(context, entryid);
  if (entry.frozen) throw new Problem('conflict', 'Someone else has taken over this work order');
  if (moveRefusal(entry.facts, move, context.userid()) !== null) {
    throw impossible(`This work order cannot be ${moveWords[move]} now`);
  }
  const id = entry.entryid;
  const isFirst = openCallsOf(context, 'workLog', id).length === 0;
  const { workorderid } = entry.facts;
  return {
    id,
    facts: entry.facts,
    call: {
      lane: laneOf(context, 'entry', 'workLog', id),
      target: { collection: 'workLog', id },
      subject: workorderid,
    },
    context: { guideid: entry.guideid, workorderid, ...(isFirst ? { base: entry.facts } : {}) },
  };
}
