import type { Context } from '#server/core/context.ts';
import { contains, jsonText } from '#server/storage/dialect.ts';
import type { Db } from '#server/storage/tables.ts';
import { newUuid } from '#server/platform/random.ts';

import type { TrainingActivity } from '../package.ts';
import { at, textAt, type Json, type JsonObject } from './json.ts';
import { statesOf } from './progress.ts';
import type { PlaySession } from './sessions.ts';
import { storeStatement } from './store-statement.ts';

const adl = 'http://adlnet.gov/expapi/verbs/';
const ofLms = 'https://w3id.org/xapi/adl/verbs/';
const extensions = 'https://w3id.org/xapi/cmi5/context/extensions/';
const categoryId = 'https://w3id.org/xapi/cmi5/context/categories/cmi5';
const types = 'https://w3id.org/xapi/cmi5/activitytype/';

/** The part of a cmi5 defined statement that the rules use. */
export interface DefinedStatement {
  verb: string;
  /** Id of its object. */
  about: string;
  /** The launch of the unit to which it belongs. */
  launch: string;
  storedMs: number;
}

/** The id of a cmi5 unit in statements (cmi5 8.1). It is unique, whereas many packages may use the publisher's id. */
export function lmsIdOf(
  session: Pick<PlaySession, 'importid'>,
  { id }: Pick<TrainingActivity, 'id'>,
): string {
  return `${courseIdOf(session)}:${encodeURIComponent(id)}`;
}

/** The unit with this id in statements. */
export function unitOf(session: PlaySession, about: string): TrainingActivity | undefined {
  return session.package.activities.find((one) => lmsIdOf(session, one) === about);
}

function courseIdOf({ importid }: Pick<PlaySession, 'importid'>): string {
  return `urn:benchbook:import:${importid}`;
}

/** Whether a statement is marked as cmi5 defined. Other statements are recorded without effect (cmi5 7.1.3). */
export function isDefined(statement: Json): boolean {
  const found = at(statement, 'context', 'contextActivities', 'category') ?? [];
  return (Array.isArray(found) ? found : [found]).some((one) => textAt(one, 'id') === categoryId);
}

/** The short name of the verb. */
export function verbOf(statement: Json): string {
  const id = textAt(statement, 'verb', 'id') ?? '';
  return [adl, ofLms].reduce(
    (text, prefix) => (text.startsWith(prefix) ? text.slice(prefix.length) : text),
    id,
  );
}

/** The launch that a statement names as its cmi5 session. */
export function launchOf(statement: Json): string | undefined {
  return textAt(statement, 'context', 'extensions', `${extensions}sessionid`);
}

/** The cmi5 defined statements of a registration, in order. */
export async function definedStatements(
  db: Db,
  { registrationid }: PlaySession,
): Promise<DefinedStatement[]> {
  const rows = await db
    .selectFrom('training_statements')
    .select(['body', 'stored_ms'])
    .where('registrationid', '=', registrationid)
    .where(contains(db, 'body', categoryId))
    .orderBy('number')
    .execute();
  return rows
    .map(({ body, stored_ms }) => ({ statement: JSON.parse(body) as Json, stored_ms }))
    .filter(({ statement }) => isDefined(statement))
    .map(({ statement, stored_ms }) => ({
      verb: verbOf(statement),
      about: textAt(statement, 'object', 'id') ?? '',
      launch: launchOf(statement) ?? '',
      storedMs: stored_ms,
    }));
}

/** The context of every statement of a launch. `publisherId`: the publisher's id of the statement's object. */
export function contextOf({ uuid }: PlaySession, publisherId: string, launch: string) {
  return {
    registration: uuid,
    contextActivities: { grouping: [{ objectType: 'Activity', id: publisherId }] },
    extensions: { [`${extensions}sessionid`]: launch },
  };
}

function definedContext(
  session: PlaySession,
  publisherId: string,
  launch: string,
  more: JsonObject = {},
): JsonObject {
  const context = contextOf(session, publisherId, launch);
  const category = [{ objectType: 'Activity', id: categoryId }];
  return {
    ...context,
    contextActivities: { ...context.contextActivities, category },
    extensions: { ...context.extensions, ...more },
  };
}

/** The facts of a launch besides its ids (cmi5 9.6.3). */
interface LaunchFacts {
  launch: string;
  url: string;
  launchMode: string;
}

/** Records `launched` for a unit, after `abandoned` for a launch that has not ended (cmi5 9.3.1, 9.3.6). */
export async function recordLaunched(
  ctx: Context,
  session: PlaySession,
  activity: TrainingActivity,
  actor: JsonObject,
  { launch, url, launchMode }: LaunchFacts,
): Promise<JsonObject> {
  await abandonOpen(ctx, session, actor);
  const { masteryScore, moveOn, launchData } = activity;
  const facts: Record<string, Json> = { launchmode: launchMode, launchurl: url, moveon: moveOn };
  if (masteryScore !== null) facts['masteryscore'] = masteryScore / 100;
  if (launchData !== '') facts['launchparameters'] = launchData;
  const more = Object.fromEntries(Object.entries(facts).map(([name, value]) => [extensions + name, value]));
  const statement: JsonObject = {
    actor,
    verb: { id: `${adl}launched`, display: { en: 'launched' } },
    object: { objectType: 'Activity', id: lmsIdOf(session, activity) },
    context: definedContext(session, activity.id, launch, more),
  };
  await storeStatement(ctx, session, { ...statement, id: newUuid(ctx.services) });
  return statement;
}

async function abandonOpen(ctx: Context, session: PlaySession, actor: JsonObject): Promise<void> {
  const said = await definedStatements(ctx.db, session);
  const ended = new Set(
    said.filter(({ verb }) => verb === 'abandoned' || verb === 'terminated').map(({ launch }) => launch),
  );
  for (const { about, launch, storedMs } of said.filter(
    (one) => one.verb === 'launched' && !ended.has(one.launch),
  )) {
    const { last } = await ctx.db
      .selectFrom('training_statements')
      .select((eb) => eb.fn.max('stored_ms').as('last'))
      .where('registrationid', '=', session.registrationid)
      .where(jsonText(ctx.db, 'body', ['context', 'extensions', `${extensions}sessionid`]), '=', launch)
      .executeTakeFirstOrThrow();
    const seconds = Math.max(0, (last - storedMs) / 1000);
    await storeStatement(ctx, session, {
      id: newUuid(ctx.services),
      actor,
      verb: { id: `${ofLms}abandoned`, display: { en: 'abandoned' } },
      object: { objectType: 'Activity', id: about },
      result: { duration: `PT${seconds}S` },
      context: definedContext(session, unitOf(session, about)?.id ?? about, launch),
    });
  }
}

/** Whether the stored results of a unit satisfy its `moveOn` (cmi5 13.1.4). */
export function isSatisfied(
  { moveOn }: Pick<TrainingActivity, 'moveOn'>,
  data: Record<string, string>,
): boolean {
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

/** Records `satisfied` for each block, and for the course, that is satisfied for the first time (cmi5 9.3.9). */
export async function recordSatisfied(
  ctx: Context,
  session: PlaySession,
  { actor = null, context = null }: JsonObject,
): Promise<void> {
  const states = await statesOf(ctx.db, session);
  const open = session.package.activities.filter((one) => !isSatisfied(one, states.get(one.id)?.data ?? {}));
  const said = await definedStatements(ctx.db, session);
  const launch = launchOf({ context }) ?? said.findLast(({ verb }) => verb === 'launched')?.launch ?? '';
  const recorded = new Set(said.filter(({ verb }) => verb === 'satisfied').map(({ about }) => about));
  for (const { id, publisherId, type, holds } of wholesOf(session)) {
    if (open.some(holds) || recorded.has(id)) continue;
    await storeStatement(ctx, session, {
      id: newUuid(ctx.services),
      actor,
      verb: { id: `${ofLms}satisfied`, display: { en: 'satisfied' } },
      object: { objectType: 'Activity', id, definition: { type: types + type } },
      context: definedContext(session, publisherId, launch),
    });
  }
}

interface Whole {
  id: string;
  publisherId: string;
  type: 'block' | 'course';
  holds: (unit: TrainingActivity) => boolean;
}

function wholesOf(session: PlaySession): Whole[] {
  const course = courseIdOf(session);
  const blocks = new Set(session.package.activities.flatMap((unit) => unit.blocks ?? []));
  return [
    ...[...blocks].toReversed().map((publisherId): Whole => ({
      id: `${course}:block:${encodeURIComponent(publisherId)}`,
      publisherId,
      type: 'block',
      holds: (unit) => unit.blocks?.includes(publisherId) === true,
    })),
    { id: course, publisherId: session.package.id, type: 'course', holds: () => true },
  ];
}

/** The document `LMS.LaunchData` for a unit (cmi5 10). */
export function launchDataOf(
  session: PlaySession,
  activity: TrainingActivity,
  { launch, launchMode, returnURL }: { launch: string; launchMode: string; returnURL: string },
): JsonObject {
  const { moveOn, masteryScore, launchData, launchMethod = 'AnyWindow', entitlementKey } = activity;
  return {
    contextTemplate: contextOf(session, activity.id, launch),
    launchMode,
    launchMethod,
    moveOn,
    ...(masteryScore === null ? {} : { masteryScore: masteryScore / 100 }),
    ...(launchData === '' ? {} : { launchParameters: launchData }),
    ...(entitlementKey === undefined ? {} : { entitlementKey: { courseStructure: entitlementKey } }),
    returnURL,
  };
}
