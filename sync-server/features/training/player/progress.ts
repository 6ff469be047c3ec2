import { completionStatus, successStatus } from '#shared/model/training.ts';
import type { Context } from '#server/core/context.ts';
import { completeDocument } from '#server/features/courses/progress.ts';
import type { Db } from '#server/storage/tables.ts';

import { isDone, untouched, wholeOf, type DataModel, type Outcome } from '../outcome.ts';
import type { TrainingActivity } from '../package.ts';
import type { PlaySession } from './sessions.ts';

/** The stored data and result of a part of a module for a person. */
export interface ActivityState {
  data: DataModel;
  outcome: Outcome;
}

/** The stored states of the parts of a module, by their id. */
export async function statesOf(db: Db, { registrationid }: PlaySession): Promise<Map<string, ActivityState>> {
  const rows = await db
    .selectFrom('training_activities')
    .selectAll()
    .where('registrationid', '=', registrationid)
    .execute();
  return new Map(
    rows.map((row) => [
      row.activityid,
      {
        data: JSON.parse(row.data) as DataModel,
        outcome: {
          completion: completionStatus.parse(row.completion),
          success: successStatus.parse(row.success),
          score: row.score,
        },
      },
    ]),
  );
}

/**
 * Stores the state of a part, and updates the result of the module and, unless it is a preview, the stages of courses
 * that the person is assigned.
 */
export async function recordState(
  ctx: Context,
  session: PlaySession,
  { id }: TrainingActivity,
  { data, outcome }: ActivityState,
): Promise<void> {
  const row = { ...outcome, data: JSON.stringify(data), modified_date: ctx.seconds };
  await ctx.db
    .insertInto('training_activities')
    .values({ registrationid: session.registrationid, activityid: id, ...row })
    .onConflict((conflict) => conflict.columns(['registrationid', 'activityid']).doUpdateSet(row))
    .execute();
  // With sequencing, the engine in the player reports the result of the module.
  if (session.package.sequencing !== undefined) return;
  const states = await statesOf(ctx.db, session);
  const whole = wholeOf(
    session.package.activities.map(
      (activity) => states.get(activity.id)?.outcome ?? startOf(session, activity),
    ),
  );
  await storeWhole(ctx, session, whole);
}

/** The initial result of a part: a cmi5 unit with `moveOn` `NotApplicable` is complete (cmi5 13.1.4). */
function startOf(session: PlaySession, { moveOn }: TrainingActivity): Outcome {
  const isDoneByItself = session.package.standard === 'cmi5' && moveOn === 'NotApplicable';
  return isDoneByItself ? { ...untouched, completion: 'completed' } : untouched;
}

/** Stores the result of the module and, unless it is a preview, completes the stages of courses about it. */
export async function storeWhole(ctx: Context, session: PlaySession, whole: Outcome): Promise<void> {
  const { registrationid, preview, userid, moduleid } = session;
  const done = isDone(whole);
  const known = await ctx.db
    .selectFrom('training_registrations')
    .select('completed_date')
    .where('registrationid', '=', registrationid)
    .executeTakeFirstOrThrow();
  const completed_date = known.completed_date ?? (done ? ctx.seconds : null);
  await ctx.db
    .updateTable('training_registrations')
    .set({ ...whole, modified_date: ctx.seconds, completed_date })
    .where('registrationid', '=', registrationid)
    .execute();
  if (done && !preview)
    await completeDocument(ctx, {
      userid,
      doctype: 'external_training_module',
      docid: moduleid,
      score: whole.score,
    });
}
