import { firstValueFrom } from 'rxjs';

import { serialLimit, serialsLimit } from '#shared/api/work-log.ts';
import type { NamedRelease } from '#shared/model/release-facts.ts';
import type { WorkedRevision } from '#shared/model/revision.ts';

import { type EntryContext, seenInCall, type WorkedVersion } from '../outbox/kinds/work-orders.ts';
import { type ActionContext, bodyId, impossible, newTemporaryId } from './action-context.ts';
import { localGuide } from './records/guide.ts';
import { boundTo } from './records/worked-revision.ts';

/**
 * What is started. `seen`: the revision of the guide that the worker sees, if it is not the present one, and `version` its
 * text; `release`: the release that this is. `planned_orderid`: the planned order that it is to fulfil; `occurrence`: which
 * order of a series that is. `serials`: serial or lot numbers of what is worked on; those of a planned order are known to the
 * server.
 */
export interface EntryStart {
  guideid: string;
  workorderid: string;
  seen?: WorkedRevision | undefined;
  version?: WorkedVersion | undefined;
  release?: NamedRelease | undefined;
  planned_orderid?: string | undefined;
  occurrence?: { seriesid: number; occurrence: number } | undefined;
  serials?: readonly string[] | undefined;
}

/** Starts a work order. Returns its temporary entryid. Throws `Problem` without a number. */
export async function startEntry(context: ActionContext, start: EntryStart): Promise<string> {
  const workorderid = start.workorderid.trim();
  if (workorderid === '') throw impossible('Enter a work order number');
  const serials = readSerials(start.serials ?? []);
  const { outbox, clock } = context.sources.core;
  const guideid = context.resolve(start.guideid);
  const { key, id } = newTemporaryId(context);
  const bound = await boundOf(context, guideid, start);
  const planned = start.planned_orderid === undefined ? undefined : context.resolve(start.planned_orderid);
  await outbox.add([
    {
      id: key,
      kind: 'entry-create',
      lane: `entry:${key}`,
      method: 'POST',
      path: '/work_log',
      ...seenInCall(bound.revision, {
        guideid: bodyId(guideid),
        workorderid,
        ...(planned === undefined ? {} : { planned_orderid: bodyId(planned) }),
        ...(start.occurrence === undefined ? {} : { planned_occurrence: start.occurrence }),
        ...(planned !== undefined || serials.length === 0 ? {} : { serials }),
        ...clock.moment(),
      }),
      target: { collection: 'workLog', id },
      subject: workorderid,
      context: {
        guideid,
        workorderid,
        ...bound,
        ...(planned === undefined ? {} : { planned_orderid: planned }),
        ...(serials.length === 0 ? {} : { serials }),
        ...(start.release === undefined ? {} : { release: start.release }),
      } satisfies EntryContext,
    },
  ]);
  return id;
}

/** Serial or lot numbers as the server takes them. Throws `Problem` for what it would refuse. */
function readSerials(given: readonly string[]): string[] {
  const serials = given.map((one) => one.trim()).filter((one) => one !== '');
  if (serials.length > serialsLimit || serials.some((one) => one.length > serialLimit))
    throw impossible(`Enter at most ${serialsLimit} numbers with at most ${serialLimit} characters each`);
  return serials;
}

/** What an order on a guide is bound to; nothing if the guide is not here. */
async function boundOf(
  context: ActionContext,
  guideid: string,
  { seen, version: text }: EntryStart,
): Promise<Pick<EntryContext, 'revision' | 'version'>> {
  if (seen !== undefined) return { revision: seen, ...(text === undefined ? {} : { version: text }) };
  const { sources } = context;
  const local = await firstValueFrom(localGuide({ sources }, guideid));
  if (local === null) return {};
  const { revision, version } = await firstValueFrom(boundTo(sources, local));
  return { revision, ...(version === null ? {} : { version }) };
}
