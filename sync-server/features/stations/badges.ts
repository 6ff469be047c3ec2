import type { Selectable } from 'kysely';
import type { z } from 'zod';

import type { stationBadges } from '#shared/api/stations.ts';
import { forbidden, invalid, notFound, Problem } from '#shared/api/problem.ts';
import type { StationAccess, StationBadge } from '#shared/model/station.ts';
import { badgeNumber, stationPinRefusal, type StationPinRefusal } from '#shared/rules/stations.ts';
import { mustUserid, type Context, type Remembered } from '#server/core/context.ts';
import { hashToken } from '#server/core/sessions.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { givenFlaw, type GivenFacts } from '../approvals/password.ts';
import { countAttempt } from '../tokens/attempts.ts';
import { mustBeProved, withProof } from '../tokens/proof.ts';
import { asTry } from '../tokens/throttle.ts';
import { can } from './access.ts';
import { mustBePerson, mustIssue, mustSeeAccess } from './policy.ts';
import { badgeHash, sealedHash } from './verifiers.ts';

type Row = Selectable<Tables['station_badges']>;

/** Numbers that turned out to be taken before a wait is required; one is forgotten every 5 minutes. */
const takenLimit = { free: 20, forgetEachSeconds: 300 } as const;

function recordOf({ number_hash: _number, sealed: _sealed, ...row }: Row): StationBadge {
  return row;
}

/** How a person signs in at stations. */
export async function representAccess(ctx: Context, userid: number): Promise<StationAccess> {
  const { db } = ctx;
  const pin = await db
    .selectFrom('station_pins')
    .select('set_date')
    .where('userid', '=', userid)
    .executeTakeFirst();
  const badges = await db
    .selectFrom('station_badges')
    .selectAll()
    .where('userid', '=', userid)
    .orderBy('station_badgeid')
    .execute();
  const stations = await db
    .selectFrom('station_members')
    .innerJoin('users', 'users.userid', 'station_members.stationid')
    .select(['stationid', 'username as name'])
    .where('station_members.userid', '=', userid)
    .where('until', 'is', null)
    .orderBy('stationid')
    .execute();
  return { userid, pin_date: pin?.set_date ?? null, badges: badges.map(recordOf), stations };
}

const refusals: Record<StationPinRefusal, string> = {
  digits: 'Use 4 to 12 digits',
  repeated: 'Use a PIN that does not repeat one digit',
  run: 'Use a PIN whose digits do not just count up or down',
};

/**
 * Sets the PIN of a person. Throws 422 for one that is easily guessed, and for a missing or wrong proof.
 *
 * - STATION-14 People set their own PIN with their own password (USER-13). So do administrators for others, and leads for
 *   members of a team of theirs that is at a station of the member: whoever founds a team and adds people to it gets no say
 *   in how they sign in. Nobody can read a PIN or the number of a badge again: argon2id of them is encrypted with the key of the server, for
 *   the person it belongs to.
 */
export async function setPin(
  ctx: Context,
  userid: number,
  { pin, current_password, sign_on_token }: z.output<typeof stationBadges.setPin.body>,
): Promise<void> {
  const refusal = stationPinRefusal(pin);
  if (refusal !== null) throw invalid('pin', refusals[refusal]);
  await mustBePerson(ctx, userid, 'userid');
  const use = {
    action: 'PUT /users/{userid}/station_pin',
    flaw: (_: unknown, account: GivenFacts) => givenFlaw(account),
  };
  const sealed = await sealedHash(ctx, 'pin', pin, userid);
  await withProof(ctx, { current_password, sign_on_token }, use, async (write, isProved) => {
    mustBeProved(isProved);
    const set = {
      sealed,
      set_date: write.seconds,
      set_by: mustUserid(write),
    };
    await write.db
      .insertInto('station_pins')
      .values({ userid, ...set })
      .onConflict((conflict) => conflict.column('userid').doUpdateSet(set))
      .execute();
  });
}

/** Removes the PIN of a person, if there is one. */
export async function removePin({ db }: Context, userid: number): Promise<void> {
  await db.deleteFrom('station_pins').where('userid', '=', userid).execute();
}

/**
 * Throws 403 for callers who lead nobody, and 404 or 403 unless the caller issues badges to all people whom the body names;
 * other values are ignored here.
 */
export async function mayIssue(ctx: Context, asked: unknown): Promise<void> {
  const { leads } = ctx.viewer;
  if (!can(ctx.viewer, 'stationAccess.issue', { teams: leads, stationTeams: leads }))
    throw forbidden('Only administrators and leads issue badges', ['Admin']);
  if (!Array.isArray(asked)) return;
  const userids = asked.slice(0, 50).flatMap((one: unknown) => {
    const userid = typeof one === 'object' && one !== null && 'userid' in one ? one.userid : undefined;
    return typeof userid === 'number' && Number.isSafeInteger(userid) ? [userid] : [];
  });
  for (const userid of new Set(userids)) await mustIssue(ctx, userid);
}

/**
 * Issues badges. Throws 422 for a number that another badge has, and 429 after too many of these.
 *
 * - STATION-15 A number is that of at most one badge that works. Whoever tries numbers to learn which are taken has to wait
 *   after twenty, and each try is in the audit log.
 */
export async function issueBadges(
  ctx: Context,
  { badges, current_password, sign_on_token }: z.output<typeof stationBadges.issue.body>,
): Promise<Remembered<StationBadge[]>> {
  const numbers = badges.map(({ number }) => badgeNumber(number));
  for (const [index, number] of numbers.entries()) {
    if (number === '') throw invalid('badges.number', 'Read the badge', index);
    if (numbers.indexOf(number) !== index) throw invalid('badges.number', 'This badge is named twice', index);
  }
  for (const { userid } of badges) await mustBePerson(ctx, userid, 'badges.userid');
  const subject = hashToken(`badge numbers by ${mustUserid(ctx)}`);
  const limits = [{ subject, ...takenLimit }];
  const action = 'POST /station_badges';
  const use = { action, flaw: (_: unknown, account: GivenFacts) => givenFlaw(account) };
  return asTry(ctx, limits, async () => {
    const sealed: string[] = [];
    for (const { userid, number } of badges) sealed.push(await sealedHash(ctx, 'badge', number, userid));
    try {
      return await withProof(ctx, { current_password, sign_on_token }, use, async (write, isProved) => {
        mustBeProved(isProved);
        const ids: number[] = [];
        for (const [index, badge] of badges.entries())
          ids.push(await issueBadge(write, badge, sealed[index] ?? '', index));
        return write.respondWithRecord('station_badges', ids.join(','), representBadges(write, ids));
      });
    } catch (error) {
      if (error instanceof Taken) await countAttempt(ctx, { limits, action, object: null });
      throw error;
    }
  });
}

/** A badge number that another badge has. */
class Taken extends Problem {}

async function issueBadge(
  ctx: Context,
  { userid, number, label = '' }: { userid: number; number: string; label?: string | undefined },
  sealed: string,
  index: number,
): Promise<number> {
  const { db, services, seconds } = ctx;
  const number_hash = badgeHash(await services.identity.key(), number);
  const known = await db
    .selectFrom('station_badges')
    .select('station_badgeid')
    .where('number_hash', '=', number_hash)
    .where('revoked_date', 'is', null)
    .executeTakeFirst();
  if (known !== undefined)
    throw new Taken('invalid', 'This badge is issued already. Revoke it first', {
      errors: [{ field: 'badges.number', message: 'This badge is issued already', index }],
    });
  const { station_badgeid } = await db
    .insertInto('station_badges')
    .values({
      userid,
      label,
      number_hash,
      sealed,
      issued_date: seconds,
      issued_by: mustUserid(ctx),
      revoked_date: null,
      revoked_by: null,
    })
    .returning('station_badgeid')
    .executeTakeFirstOrThrow();
  return station_badgeid;
}

/** Badges by id, in the order of their ids. */
export async function representBadges({ db }: Context, ids: readonly number[]): Promise<StationBadge[]> {
  const rows = await db
    .selectFrom('station_badges')
    .selectAll()
    .where('station_badgeid', 'in', [0, ...ids])
    .orderBy('station_badgeid')
    .execute();
  return rows.map(recordOf);
}

/** The badge; throws the same 404 if it does not exist or the caller may not see it. */
export async function mustSeeBadge(ctx: Context, station_badgeid: number): Promise<StationBadge> {
  const [row] = await badgeRow(ctx.db, { station_badgeid });
  if (row === undefined) throw notFound('Badge');
  try {
    await mustSeeAccess(ctx, row.userid);
  } catch (error) {
    throw error instanceof Problem ? notFound('Badge') : error;
  }
  return recordOf(row);
}

const badgeRow = prepared<{ station_badgeid: number }, Row>((db: Db, value) =>
  db.selectFrom('station_badges').selectAll().where('station_badgeid', '=', value('station_badgeid')),
);

/** Revokes a badge. One that was revoked before stays as it is. */
export async function revokeBadge(ctx: Context, station_badgeid: number): Promise<Remembered<StationBadge>> {
  await ctx.db
    .updateTable('station_badges')
    .set({ revoked_date: ctx.seconds, revoked_by: mustUserid(ctx) })
    .where('station_badgeid', '=', station_badgeid)
    .where('revoked_date', 'is', null)
    .execute();
  return ctx.respondWithRecord('station_badge', station_badgeid, mustSeeBadge(ctx, station_badgeid));
}
