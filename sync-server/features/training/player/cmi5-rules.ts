import { Problem } from '#shared/api/problem.ts';
import type { Context } from '#server/core/context.ts';

import type { TrainingActivity } from '../package.ts';
import { isDefined, launchOf, definedStatements, unitOf, verbOf, type DefinedStatement } from './cmi5.ts';
import { at, numberAt, textAt, type JsonObject } from './json.ts';
import type { PlaySession } from './sessions.ts';

/** Time after `terminated` in which late statements of a unit are accepted (cmi5 9.3.8), ms. */
const graceMs = 10_000;

/** The verbs of units; the server uses the other verbs of cmi5. */
type UnitVerb = 'initialized' | 'completed' | 'passed' | 'failed' | 'terminated';
const unitVerbs: readonly string[] = ['initialized', 'completed', 'passed', 'failed', 'terminated'];

/** Throws 403 for a statement that a unit must not make, or not now (cmi5 6.3, 7.1.3, 9.3). */
export async function mustConform(ctx: Context, session: PlaySession, statement: JsonObject): Promise<void> {
  if (verbOf(statement) === 'voided') throw refused('A unit voids no statements');
  const said = await definedStatements(ctx.db, session);
  const named = launchOf(statement);
  const launched = said.findLast(({ verb, launch }) => verb === 'launched' && launch === (named ?? launch));
  if (launched === undefined) throw refused('The statement is of a session that was not launched');
  const own = said.filter(({ launch }) => launch === launched.launch);
  const ended = own.find(({ verb }) => verb === 'abandoned' || verb === 'terminated');
  const grace = ended?.verb === 'terminated' ? graceMs : 0;
  if (ended !== undefined && ctx.services.now() >= ended.storedMs + grace)
    throw refused(`The session of the unit has ended: it was ${ended.verb}`);
  if (!isDefined(statement)) return;
  const verb = verbOf(statement);
  if (!isUnitVerb(verb)) throw refused(`A unit does not say ${verb.slice(0, 200)}`);
  if (textAt(statement, 'object', 'id') !== launched.about)
    throw refused('The statement is not about the unit that was launched');
  if (textAt(statement, 'actor', 'account', 'name') !== String(session.userid))
    throw refused('The statement is not about the learner of this session');
  const flaw =
    orderFlaw(verb, own, said, launched.about) ?? scoreFlaw(verb, statement, unitOf(session, launched.about));
  if (flaw !== undefined) throw refused(flaw);
}

function isUnitVerb(verb: string): verb is UnitVerb {
  return unitVerbs.includes(verb);
}

function refused(message: string): Problem {
  return new Problem('forbidden', message);
}

/** Why the order of verbs in a session and a registration forbids a statement (cmi5 9.3); undefined if it does not. */
function orderFlaw(
  verb: UnitVerb,
  own: DefinedStatement[],
  all: DefinedStatement[],
  about: string,
): string | undefined {
  const has = (list: DefinedStatement[], ...verbs: UnitVerb[]): boolean =>
    list.some((one) => one.about === about && verbs.some((name) => name === one.verb));
  if (has(own, 'terminated')) return 'The unit said already that it has ended';
  if (verb !== 'initialized' && !has(own, 'initialized')) return `The unit says ${verb} before initialized`;
  if (has(own, verb)) return `The unit said ${verb} already in this session`;
  if ((verb === 'completed' || verb === 'passed') && has(all, verb)) return `The unit said ${verb} already`;
  if (verb === 'failed' && has(all, 'passed')) return 'The unit said passed already';
  if (verb === 'passed' && has(own, 'failed')) return 'The unit said failed already in this session';
  return undefined;
}

/** Why a score contradicts the verb and the mastery score (cmi5 9.3.4, 9.3.5, 9.5.1); undefined if it does not. */
function scoreFlaw(
  verb: UnitVerb,
  statement: JsonObject,
  unit: TrainingActivity | undefined,
): string | undefined {
  const score = at(statement, 'result', 'score');
  if (score === undefined) return undefined;
  if (verb !== 'passed' && verb !== 'failed') return `A statement ${verb} has no score`;
  const scaled = numberAt(score, 'scaled');
  if (scaled === undefined) return undefined;
  if (scaled < 0) return 'The scaled score is not between 0 and 1';
  const mastery = unit?.masteryScore ?? null;
  // The mastery score is stored as percent.
  if (mastery === null || (verb === 'passed') === scaled * 100 >= mastery - 1e-9) return undefined;
  return `The score does not fit ${verb}: the mastery score is ${mastery / 100}`;
}
