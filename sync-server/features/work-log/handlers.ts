import { workLog } from '#shared/api/work-log.ts';
import type { Moment, WorkLogEntry } from '#shared/model/work-log.ts';
import type { EntryMove } from '#shared/rules/work-log.ts';
import type { Context, Remembered } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';

import { mustSeeGuide } from '../guides/policy.ts';
import { confirmAsCaller, confirmAsColleague } from './confirm.ts';
import { decideRevision } from './decide-revision.ts';
import { listEntries, listSuspended } from './list.ts';
import { mustAct, mustConfirm, mustConfirmHere, mustRemove, mustSeeEntry, mustSign } from './policy.ts';
import { recordFile } from './seal.ts';
import { signRecord } from './sign.ts';
import { createEntry, finishEntry, moveEntry, recordData, removeEntry, representEntry } from './store.ts';

interface MoveCall {
  params: { entryid: number };
  body: Moment;
}

function moveHandler(move: EntryMove) {
  return {
    allow: ({ params }: Pick<MoveCall, 'params'>, ctx: Context): Promise<void> =>
      mustAct(ctx, params.entryid, move),
    run: ({ params, body }: MoveCall, ctx: Context): Promise<Remembered<WorkLogEntry>> =>
      moveEntry(ctx, params.entryid, move, body),
  };
}

export const workLogHandlers = handle(
  workLog,
  {
    list: ({ query }, ctx) => listEntries(ctx, query),
    read: ({ params }, ctx) => representEntry(ctx, params.entryid),
    record: async ({ params }, ctx) => recordFile(ctx, await mustSeeEntry(ctx, params.entryid)),
    create: ({ body, query }, ctx) => createEntry(ctx, body, query),
    finish: {
      allow: moveHandler('finish').allow,
      run: ({ params, body }, ctx) => finishEntry(ctx, params.entryid, body),
    },
    cancel: moveHandler('cancel'),
    pause: moveHandler('pause'),
    resume: moveHandler('resume'),
    suspend: {
      allow: moveHandler('suspend').allow,
      run: ({ params, body: { note, ...moment } }, ctx) =>
        moveEntry(ctx, params.entryid, 'suspend', moment, note),
    },
    assume: moveHandler('assume'),
    step: moveHandler('step'),
    stepData: {
      allow: ({ params }, ctx) => mustAct(ctx, params.entryid, 'data'),
      run: ({ params, body }, ctx) => recordData(ctx, params.entryid, body),
    },
    revision: {
      allow: ({ params }, ctx) => mustAct(ctx, params.entryid, 'data'),
      run: ({ params, body }, ctx) => decideRevision(ctx, params.entryid, body),
    },
    confirm: {
      allow: ({ params }, ctx) => mustConfirm(ctx, params.entryid),
      run: ({ params, body }, ctx) => confirmAsCaller(ctx, params.entryid, body),
    },
    confirmHere: {
      allow: ({ params }, ctx) => mustConfirmHere(ctx, params.entryid),
      run: ({ params, body }, ctx) => confirmAsColleague(ctx, params, body),
    },
    sign: {
      allow: ({ params }, ctx) => mustSign(ctx, params.entryid),
      run: ({ params, body }, ctx) => signRecord(ctx, params.entryid, body),
    },
    remove: {
      allow: ({ params }, ctx) => mustRemove(ctx, params.entryid),
      run: ({ params }, ctx) => removeEntry(ctx, params.entryid),
    },
    suspended: {
      allow: async ({ params }, ctx) => void (await mustSeeGuide(ctx, params.guideid)),
      run: ({ params }, ctx) => listSuspended(ctx, params.guideid),
    },
  },
  {
    entry: (ctx, id) => representEntry(ctx, Number(id)),
    workRecord: async (ctx, id) => recordFile(ctx, await mustSeeEntry(ctx, Number(id))),
  },
);
