import { randomUUID } from 'node:crypto';

import { Problem } from '#shared/api/problem.ts';
import type { Context, Services } from '#server/http/context.ts';
import { contextForJob } from '#server/jobs/context.ts';

import { untouched, type Outcome } from '../outcome.ts';
import type { TrainingActivity } from '../package.ts';
import { at, isObject, numberAt, textAt, type Json, type JsonObject } from './json.ts';
import { recordState, statesOf, type ActivityState } from './progress.ts';
import type { PlaySession } from './sessions.ts';

/** A module that says more than this is out of its mind. */
const mostStatements = 20_000;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const verbs = 'http://adlnet.gov/expapi/verbs/';

/** Records statements (xAPI 1.0.3, part 2 section 2) and what follows from them. Returns their ids. */
export async function recordStatements(
  services: Services,
  session: PlaySession,
  statements: Json[],
): Promise<string[]> {
  const sound = statements.map((statement) => soundStatement(statement));
  const ids = sound.map((statement) => textAt(statement, 'id') ?? randomUUID());
  if (new Set(ids).size < ids.length) throw new Problem('invalid', 'Two statements have the same id');
  await contextForJob(services, session.userid, async (ctx) => {
    for (const [index, statement] of sound.entries())
      await recordStatement(ctx, session, { ...statement, id: ids[index] ?? '' });
  });
  return ids;
}

function soundStatement(statement: Json): JsonObject {
  const flaw = flawOf(statement);
  if (flaw !== undefined) throw new Problem('invalid', `The statement ${flaw}`);
  return statement as JsonObject;
}

function flawOf(statement: Json): string | undefined {
  if (!isObject(statement)) return 'is no object';
  const id = at(statement, 'id');
  if (id !== undefined && (typeof id !== 'string' || !uuid.test(id))) return 'has an id that is no UUID';
  if (!isObject(at(statement, 'actor'))) return 'has no actor';
  if (!URL.canParse(textAt(statement, 'verb', 'id') ?? '')) return 'has no verb';
  if (!isObject(at(statement, 'object'))) return 'has no object';
  const scaled = at(statement, 'result', 'score', 'scaled');
  if (scaled !== undefined && (typeof scaled !== 'number' || Math.abs(scaled) > 1))
    return 'has a scaled score that is not between -1 and 1';
  return undefined;
}

const added = new Set(['id', 'stored', 'authority', 'version', 'timestamp']);

/** What of a statement is the sender's; the rest is added when it is stored. */
function ownPart(statement: Json): string {
  if (!isObject(statement)) return '';
  return JSON.stringify(Object.entries(statement).filter(([name]) => !added.has(name)));
}

async function recordStatement(ctx: Context, session: PlaySession, statement: JsonObject): Promise<void> {
  const { registrationid } = session;
  const statementid = textAt(statement, 'id') ?? '';
  const known = await findStatement(ctx, session, statementid);
  if (known !== undefined) {
    if (ownPart(known) === ownPart(statement)) return;
    throw new Problem('conflict', `There is another statement ${statementid}`);
  }
  const { count } = await ctx.db
    .selectFrom('training_statements')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('registrationid', '=', registrationid)
    .executeTakeFirstOrThrow();
  if (count >= mostStatements) throw new Problem('forbidden', 'There are too many statements');
  const now = ctx.services.now();
  const stored = new Date(now).toISOString();
  const body = {
    version: '1.0.0',
    timestamp: stored,
    ...statement,
    stored,
    authority: {
      objectType: 'Agent',
      name: 'Benchbook',
      account: { homePage: 'urn:benchbook', name: 'lrs' },
    },
  };
  await storeStatement(ctx, session, { ...body, id: statementid });
  await followStatement(ctx, session, body);
}

async function storeStatement(
  ctx: Context,
  { registrationid }: PlaySession,
  statement: JsonObject & { id: string },
): Promise<void> {
  const row = { statementid: statement.id, body: JSON.stringify(statement), stored_ms: ctx.services.now() };
  await ctx.db
    .insertInto('training_statements')
    .values({ registrationid, ...row })
    .execute();
}

/** A statement of the registration by its id. */
export async function findStatement(
  ctx: Pick<Context, 'db'>,
  { registrationid }: PlaySession,
  statementid: string,
): Promise<Json | undefined> {
  const row = await ctx.db
    .selectFrom('training_statements')
    .select('body')
    .where('registrationid', '=', registrationid)
    .where('statementid', '=', statementid)
    .executeTakeFirst();
  return row === undefined ? undefined : (JSON.parse(row.body) as Json);
}

/** Statements of the registration that fit a query of the LRS (part 3, 2.1.3), as far as modules ask: newest first. */
export async function listStatements(
  ctx: Pick<Context, 'db'>,
  { registrationid }: PlaySession,
  query: URLSearchParams,
): Promise<Json[]> {
  const isAscending = query.get('ascending') === 'true';
  const since = Date.parse(query.get('since') ?? '');
  const rows = await ctx.db
    .selectFrom('training_statements')
    .select('body')
    .where('registrationid', '=', registrationid)
    .$if(!Number.isNaN(since), (select) => select.where('stored_ms', '>', since))
    .orderBy('number', isAscending ? 'asc' : 'desc')
    .limit(1000)
    .execute();
  const verb = query.get('verb');
  const activity = query.get('activity');
  const fitting = rows
    .map((row) => JSON.parse(row.body) as Json)
    .filter((one) => verb === null || textAt(one, 'verb', 'id') === verb)
    .filter((one) => activity === null || textAt(one, 'object', 'id') === activity);
  const limit = Number(query.get('limit') ?? 0);
  return limit > 0 ? fitting.slice(0, limit) : fitting;
}

/** What a statement about a part of the module means for it. */
async function followStatement(ctx: Context, session: PlaySession, statement: JsonObject): Promise<void> {
  const about = textAt(statement, 'object', 'id');
  const activity = session.package.activities.find(
    (one) => one.id === about || lmsIdOf(session, one) === about,
  );
  if (activity === undefined) return;
  const states = await statesOf(ctx.db, session);
  const before = states.get(activity.id) ?? { data: {}, outcome: untouched };
  const after = stateAfter(before, statement, session.package.standard === 'cmi5' ? activity : null);
  await recordState(ctx, session, activity, after);
  const isUnit = session.package.standard === 'cmi5';
  if (isUnit && after.outcome.completion === 'completed' && before.outcome.completion !== 'completed')
    await saySatisfied(ctx, session, activity, statement);
}

/** The server itself says that a cmi5 unit is satisfied (cmi5 9.3.9). */
async function saySatisfied(
  ctx: Context,
  session: PlaySession,
  activity: TrainingActivity,
  { actor = null, authority = null }: JsonObject,
): Promise<void> {
  const stored = new Date(ctx.services.now()).toISOString();
  await storeStatement(ctx, session, {
    id: randomUUID(),
    version: '1.0.0',
    actor,
    verb: { id: 'https://w3id.org/xapi/adl/verbs/satisfied', display: { en: 'satisfied' } },
    object: { objectType: 'Activity', id: lmsIdOf(session, activity) },
    context: { registration: session.uuid },
    timestamp: stored,
    stored,
    authority,
  });
}

/** How the server calls a cmi5 unit in statements (cmi5 9.4): the publisher's id may be used by many packages. */
export function lmsIdOf({ importid }: Pick<PlaySession, 'importid'>, { id }: TrainingActivity): string {
  return `urn:benchbook:import:${importid}:${encodeURIComponent(id)}`;
}

/** Verbs say completed, passed and failed; what was complete stays so. `unit`: its cmi5 rule decides. */
export function stateAfter(
  { data, outcome }: ActivityState,
  statement: JsonObject,
  unit: TrainingActivity | null,
): ActivityState {
  const verb = (textAt(statement, 'verb', 'id') ?? '').replace(verbs, '');
  const said = {
    completed: verb === 'completed' || at(statement, 'result', 'completion') === true,
    passed: verb === 'passed' || at(statement, 'result', 'success') === true,
    failed: verb === 'failed' || at(statement, 'result', 'success') === false,
  };
  const score = scoreOf(statement) ?? outcome.score;
  // A unit must not say passed below its mastery score (cmi5 9.3.4); then it is failed.
  const mastery = unit?.masteryScore ?? null;
  if (said.passed && mastery !== null && score !== null && score < mastery)
    Object.assign(said, { passed: false, failed: true });
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

/** Whether what a cmi5 unit said satisfies its `moveOn` (cmi5 13.1.4). */
export function isSatisfied({ moveOn }: TrainingActivity, data: Record<string, string>): boolean {
  const isCompleted = data['completed'] === '1';
  const isPassed = data['passed'] === '1';
  switch (moveOn) {
    case 'Passed':
      return isPassed;
    case 'Completed':
      return isCompleted;
    case 'CompletedAndPassed':
      return isCompleted && isPassed;
    case 'CompletedOrPassed':
      return isCompleted || isPassed;
    case 'NotApplicable':
      return true;
  }
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
