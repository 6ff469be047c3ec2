import type { Context } from '#server/core/context.ts';

import { untouched, type Outcome } from '../outcome.ts';
import type { TrainingActivity } from '../package.ts';
import { isDefined, isSatisfied, lmsIdOf, recordSatisfied, verbOf } from './cmi5.ts';
import { at, numberAt, textAt, type JsonObject } from './json.ts';
import { recordState, statesOf, type ActivityState } from './progress.ts';
import type { PlaySession } from './sessions.ts';

/** Updates the state of the part that a statement is about and, for a cmi5 unit, of its blocks and course. */
export async function followStatement(
  ctx: Context,
  session: PlaySession,
  statement: JsonObject,
): Promise<void> {
  const isUnit = session.package.standard === 'cmi5';
  const activity = partOf(session, statement);
  if (activity === undefined || (isUnit && !isDefined(statement))) return;
  const states = await statesOf(ctx.db, session);
  const before = states.get(activity.id) ?? { data: {}, outcome: untouched };
  await recordState(ctx, session, activity, stateAfter(before, statement, isUnit ? activity : null));
  if (isUnit) await recordSatisfied(ctx, session, statement);
}

/** Recomputes the state of a part from its remaining statements, after some were voided. */
export async function recompute(
  ctx: Context,
  session: PlaySession,
  { about, statements }: { about: JsonObject; statements: readonly JsonObject[] },
): Promise<void> {
  const activity = partOf(session, about);
  if (activity === undefined) return;
  const own = statements.filter((one) => partOf(session, one) === activity);
  const start: ActivityState = { data: {}, outcome: untouched };
  const state = own.reduce((before, one) => stateAfter(before, one, null), start);
  await recordState(ctx, session, activity, state);
}

function partOf(session: PlaySession, statement: JsonObject): TrainingActivity | undefined {
  const about = textAt(statement, 'object', 'id');
  return session.package.activities.find((one) => one.id === about || lmsIdOf(session, one) === about);
}

/**
 * The state after a statement: completed, passed or failed by its verb; complete parts stay complete. `unit`: a cmi5
 * unit, whose `moveOn` decides.
 */
export function stateAfter(
  { data, outcome }: ActivityState,
  statement: JsonObject,
  unit: TrainingActivity | null,
): ActivityState {
  const verb = verbOf(statement);
  const said = {
    completed: verb === 'completed' || at(statement, 'result', 'completion') === true,
    passed: verb === 'passed' || at(statement, 'result', 'success') === true,
    failed: verb === 'failed' || at(statement, 'result', 'success') === false,
  };
  const score = scoreOf(statement) ?? outcome.score;
  const success = said.passed ? 'passed' : said.failed ? 'failed' : outcome.success;
  if (unit === null) {
    const isComplete = said.completed || said.passed || said.failed || outcome.completion === 'completed';
    return { data, outcome: { completion: isComplete ? 'completed' : 'incomplete', success, score } };
  }
  const known = {
    ...data,
    ...(said.completed ? { completed: '1' } : {}),
    ...(said.passed ? { passed: '1' } : {}),
  };
  const completion: Outcome['completion'] = isSatisfied(unit, known) ? 'completed' : 'incomplete';
  return { data: known, outcome: { completion, success, score } };
}

function scoreOf(statement: JsonObject): number | undefined {
  const scaled = numberAt(statement, 'result', 'score', 'scaled');
  if (scaled !== undefined) return Math.round(Math.max(0, scaled) * 10_000) / 100;
  const raw = numberAt(statement, 'result', 'score', 'raw');
  if (raw === undefined) return undefined;
  const min = numberAt(statement, 'result', 'score', 'min') ?? 0;
  const max = numberAt(statement, 'result', 'score', 'max') ?? 100;
  const share = max > min ? (raw - min) / (max - min) : raw / 100;
  return Math.round(Math.min(1, Math.max(0, share)) * 10_000) / 100;
}
