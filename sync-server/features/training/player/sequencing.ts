import { Problem } from '#shared/api/problem.ts';
import type { Services } from '#server/core/services.ts';
import { contextForJob } from '#server/core/job.ts';
import type { Db } from '#server/storage/tables.ts';

import type { Outcome } from '../outcome.ts';
import {
  sequencingReport,
  sequencingState,
  type SequencingReport,
  type SequencingState,
} from '../sequencing.ts';
import { storeWhole } from './progress.ts';
import type { PlaySession } from './sessions.ts';

/** The key of the state among the documents of a registration; no document of the LRS has this resource. */
const place = { resource: 'sequencing', activity: '', documentid: 'state' } as const;

/** The learner's position in the tree of the module; null at the beginning. */
export async function readSequencingState(
  db: Db,
  { registrationid }: PlaySession,
): Promise<SequencingState | null> {
  const row = await db
    .selectFrom('training_documents')
    .select('body')
    .where('registrationid', '=', registrationid)
    .where('resource', '=', place.resource)
    .executeTakeFirst();
  return row === undefined ? null : sequencingState.parse(JSON.parse(Buffer.from(row.body).toString('utf8')));
}

/** Stores a report of the player's engine. Throws 422 for an invalid report, 404 for a module without sequencing. */
export async function keepSequencing(services: Services, session: PlaySession, body: unknown): Promise<void> {
  if (session.package.sequencing === undefined)
    throw new Problem('not-found', 'The module has no sequencing');
  const parsed = sequencingReport.safeParse(body);
  if (!parsed.success) throw new Problem('invalid', 'The report of the player cannot be read');
  const { engine, current, root } = parsed.data;
  const { registrationid } = session;
  await contextForJob(services, session.userid, async (ctx) => {
    const row = {
      type: 'application/json',
      body: Buffer.from(JSON.stringify({ engine, current } satisfies SequencingState)),
      modified_date: ctx.seconds,
    };
    await ctx.db
      .insertInto('training_documents')
      .values({ registrationid, ...place, ...row })
      .onConflict((conflict) =>
        conflict.columns(['registrationid', 'resource', 'activity', 'documentid']).doUpdateSet(row),
      )
      .execute();
    await storeWhole(ctx, session, outcomeOfRoot(root));
  });
}

function outcomeOfRoot({ completion, success, score }: SequencingReport['root']): Outcome {
  return {
    // The engine reports `unknown` for a started tree with missing parts.
    completion: completion === 'completed' ? 'completed' : 'incomplete',
    success: success === 'passed' || success === 'failed' ? success : 'unknown',
    score: score === null ? null : Math.round(Math.max(0, score) * 10_000) / 100,
  };
}
