import { Problem } from '#shared/api/problem.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import { contextForJob } from '#server/core/job.ts';
import { jsonText } from '#server/storage/dialect.ts';
import type { Db } from '#server/storage/tables.ts';
import { newUuid } from '#server/platform/random.ts';

import { mustConform } from './cmi5-rules.ts';
import { verbOf } from './cmi5.ts';
import { at, isObject, textAt, type Json, type JsonObject } from './json.ts';
import type { PlaySession } from './sessions.ts';
import { followStatement, recompute } from './statement-outcomes.ts';
import { storeStatement, type KnownStatement } from './store-statement.ts';

/** Most statements of a registration. */
const mostStatements = 20_000;
/** Most statements in an answer; `more` leads to further ones. */
const mostListed = 500;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Records statements (xAPI 1.0.3, part 2 section 2), all or none, and applies their effects. Returns their ids. */
export async function recordStatements(
  services: Services,
  session: PlaySession,
  statements: Json[],
): Promise<string[]> {
  const sound = statements.map((statement) => soundStatement(statement));
  const ids = sound.map((statement) => textAt(statement, 'id') ?? newUuid(services));
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
  if (verbOf(statement) === 'voided' && !uuid.test(voidedBy(statement) ?? ''))
    return 'voids, and refers to no statement';
  return undefined;
}

/** The id of the statement that a statement voids (xAPI part 2, 2.3.2). */
function voidedBy(statement: Json): string | undefined {
  const isReference = textAt(statement, 'object', 'objectType') === 'StatementRef';
  return isReference ? textAt(statement, 'object', 'id') : undefined;
}

const added = new Set(['id', 'stored', 'authority', 'version', 'timestamp']);

/** The part of a statement that its sender wrote, without the fields that are added when it is stored. */
function ownPart(statement: Json): string {
  if (!isObject(statement)) return '';
  return JSON.stringify(Object.entries(statement).filter(([name]) => !added.has(name)));
}

async function recordStatement(ctx: Context, session: PlaySession, statement: KnownStatement): Promise<void> {
  const { registrationid } = session;
  const known = await statementNumbered(ctx.db, session, statement.id);
  if (known !== undefined) {
    if (ownPart(known) === ownPart(statement)) return;
    throw new Problem('conflict', `There is another statement ${statement.id}`);
  }
  const { count } = await ctx.db
    .selectFrom('training_statements')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('registrationid', '=', registrationid)
    .executeTakeFirstOrThrow();
  if (count >= mostStatements) throw new Problem('forbidden', 'There are too many statements');
  if (session.package.standard === 'cmi5') await mustConform(ctx, session, statement);
  const stored = await storeStatement(ctx, session, statement);
  if (verbOf(statement) === 'voided') await followVoid(ctx, session, voidedBy(statement) ?? '');
  else await followStatement(ctx, session, stored);
}

/** Removes the effect of a voided statement on its part; completed courses stay complete. */
async function followVoid(ctx: Context, session: PlaySession, statementid: string): Promise<void> {
  const about = await statementNumbered(ctx.db, session, statementid);
  if (about === undefined) return;
  if (verbOf(about) === 'voided') throw new Problem('invalid', 'What voids a statement is not voided itself');
  const rows = await unvoided(ctx.db, session).select('body').orderBy('number').execute();
  await recompute(ctx, session, {
    about,
    statements: rows.map((row) => JSON.parse(row.body) as JsonObject),
  });
}

function statementsOf(db: Db, { registrationid }: PlaySession) {
  return db.selectFrom('training_statements').where('registrationid', '=', registrationid);
}

async function statementNumbered(
  db: Db,
  session: PlaySession,
  statementid: string,
): Promise<JsonObject | undefined> {
  const row = await statementsOf(db, session)
    .select('body')
    .where('statementid', '=', statementid)
    .executeTakeFirst();
  return row === undefined ? undefined : (JSON.parse(row.body) as JsonObject);
}

const voided = 'http://adlnet.gov/expapi/verbs/voided';

const storedVerb = (db: Db) => jsonText(db, 'body', ['verb', 'id']);
const storedObject = (db: Db) => jsonText(db, 'body', ['object', 'id']);

/** Statements of the registration without voided ones, as a query to extend. */
function unvoided(db: Db, session: PlaySession) {
  const gone = statementsOf(db, session).select(storedObject(db).as('id')).where(storedVerb(db), '=', voided);
  return statementsOf(db, session).where((eb) => eb.not(eb('statementid', 'in', gone)));
}

/** A statement of the registration by its id, either voided or not; undefined if it does not exist. */
export async function findStatement(
  db: Db,
  session: PlaySession,
  statementid: string,
  { isVoided }: { isVoided: boolean },
): Promise<Json | undefined> {
  const found = await unvoided(db, session)
    .select('statementid')
    .where('statementid', '=', statementid)
    .executeTakeFirst();
  if ((found === undefined) !== isVoided) return undefined;
  return statementNumbered(db, session, statementid);
}

/**
 * Statements of the registration that match a query of the LRS (part 3, 2.1.3), newest first. Supports the parameters
 * that modules use. `more`: the query of the next page; '' at the end.
 */
export async function listStatements(
  db: Db,
  session: PlaySession,
  query: URLSearchParams,
): Promise<{ statements: Json[]; more: string }> {
  const registration = query.get('registration');
  if (registration !== null && registration !== session.uuid) return { statements: [], more: '' };
  const isAscending = query.get('ascending') === 'true';
  const asked = Number(query.get('limit') ?? 0);
  const limit = asked > 0 ? Math.min(asked, mostListed) : mostListed;
  const [since, until] = ['since', 'until'].map((name) => momentIn(query, name));
  const [verb, activity, after] = ['verb', 'activity', 'after'].map((name) => query.get(name));
  const rows = await unvoided(db, session)
    .select(['number', 'body'])
    .$if(since !== undefined, (select) => select.where('stored_ms', '>', since ?? 0))
    .$if(until !== undefined, (select) => select.where('stored_ms', '<=', until ?? 0))
    .$if(verb != null, (select) => select.where(storedVerb(db), '=', verb ?? null))
    .$if(activity != null, (select) => select.where(storedObject(db), '=', activity ?? null))
    .$if(after != null, (select) => select.where('number', isAscending ? '>' : '<', Number(after)))
    .orderBy('number', isAscending ? 'asc' : 'desc')
    .limit(limit + 1)
    .execute();
  const last = rows[limit - 1];
  const next = new URLSearchParams(query);
  if (rows.length > limit && last !== undefined) next.set('after', String(last.number));
  return {
    statements: rows.slice(0, limit).map((row) => JSON.parse(row.body) as Json),
    more: rows.length > limit ? `?${next}` : '',
  };
}

/** A time in a query, UNIX ms; throws 400 if it is invalid. */
function momentIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) throw new Problem('invalid', `${name} is no time`);
  return moment;
}
