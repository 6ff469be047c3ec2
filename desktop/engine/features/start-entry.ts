import type { EntryContext } from '../outbox/kinds/work-orders.ts';
import { type ActionContext, bodyId, impossible, newTemporaryId } from './action-context.ts';

/**
 * What is started. `seen`: the version of the guide that the worker sees, if it is not the present one.
 * `planned_orderid`: the planned order that it is to fulfil; `occurrence`: which order of a series that is.
 */
export interface EntryStart {
  guideid: string;
  workorderid: string;
  seen?: number | undefined;
  planned_orderid?: string | undefined;
  occurrence?: { seriesid: number; occurrence: number } | undefined;
}

/** Starts a work order. Returns its temporary entryid. Throws `Problem` without a number. */
export async function startEntry(context: ActionContext, start: EntryStart): Promise<string> {
  const workorderid = start.workorderid.trim();
  if (workorderid === '') throw impossible('Enter a work order number');
  const { outbox, clock, mirror } = context.sources.core;
  const guideid = context.resolve(start.guideid);
  const record = guideid.startsWith('tmp:') ? null : await mirror.get('guides', guideid);
  const { key, id } = newTemporaryId(context);
  const revisionid = start.seen ?? record?.facts.guide_revisionid;
  const planned = start.planned_orderid === undefined ? undefined : context.resolve(start.planned_orderid);
  await outbox.add([
    {
      id: key,
      kind: 'entry-create',
      lane: `entry:${key}`,
      method: 'POST',
      path: '/work_log',
      body: {
        guideid: bodyId(guideid),
        workorderid,
        ...(revisionid === undefined ? {} : { guide_revisionid: revisionid }),
        ...(planned === undefined ? {} : { planned_orderid: bodyId(planned) }),
        ...(start.occurrence === undefined ? {} : { planned_occurrence: start.occurrence }),
        ...clock.moment(),
      },
      target: { collection: 'workLog', id },
      subject: workorderid,
      context: {
        guideid,
        workorderid,
        ...(planned === undefined ? {} : { planned_orderid: planned }),
      } satisfies EntryContext,
    },
  ]);
  return id;
}
