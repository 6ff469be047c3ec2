import type { z } from 'zod';

import type { stations } from '#shared/api/stations.ts';
import { forbidden, invalid } from '#shared/api/problem.ts';
import { imageObjectOf, type ImageRef } from '#shared/model/image.ts';
import type { StationSelf } from '#shared/model/station.ts';
import { enrolmentCode, verifierCosts, type VerifierKind } from '#shared/rules/stations.ts';
import type { Context } from '#server/core/context.ts';
import { hashToken } from '#server/core/sessions.ts';
import { teamsOf } from '#server/core/viewer.ts';
import { addressBlock } from '#server/platform/caller.ts';
import type { Db } from '#server/storage/tables.ts';

import { countAttempt } from '../tokens/attempts.ts';
import { issueToken } from '../tokens/store.ts';
import { asTry } from '../tokens/throttle.ts';
import { readOwnRecord } from '../users/store.ts';
import { settingsOf } from './record.ts';
import { verifierOf, verifierSalt } from './verifiers.ts';

type Enrolment = z.output<typeof stations.enroll.body>;
type Enrolled = z.input<typeof stations.enroll.result>;

const secretBytes = 32;

/**
 * Enrols the device that has a code. Throws 422 for a wrong or old code, 429 after too many.
 *
 * - STATION-3 Enrolling gives the device a token and a new secret, once, and ends every other session of the station. The
 *   earlier device is told why. Wrong codes are counted by address: after ten, each one has to wait, and administrators get
 *   mail.
 */
export async function enrol(ctx: Context, { code, device = '', app_version }: Enrolment): Promise<Enrolled> {
  const subject = hashToken(`enrolments of ${addressBlock(ctx.address)}`);
  const limits = [{ subject }];
  return ctx.services.passwords.inTurn(subject, () =>
    asTry(ctx, limits, async () => {
      const key = await ctx.services.identity.key();
      const code_hash = key.secretHash(`enrolment code ${enrolmentCode(code)}`);
      if ((await stationOfCode(ctx.services.storage.reader, code_hash, ctx.seconds)) === undefined) {
        await countAttempt(ctx, { limits, action: 'POST /stations/enroll', object: null });
        throw wrongCode();
      }
      const secret = Buffer.from(ctx.services.randomBytes(secretBytes));
      const { stationid, authToken } = await ctx.write(async (write) => {
        const found = await stationOfCode(write.db, code_hash, write.seconds);
        if (found === undefined) throw wrongCode();
        write.note.by = { userid: found.stationid, name: found.username };
        write.note.object = { kind: 'station', id: String(found.stationid) };
        await endSession(write, found.stationid, 'replaced');
        const token = await issueToken(write, found.stationid, device);
        await write.db
          .updateTable('stations')
          .set({
            code_hash: null,
            code_expires: null,
            token_hash: hashToken(token),
            secret: key.encrypt(
              secret.toString('base64'),
              aboutSecret(found.stationid),
              write.services.randomBytes(12),
            ),
            enrolled_date: write.seconds,
            revoked_date: null,
            device,
            app_version: app_version ?? null,
            contact_date: write.seconds,
            waiting: null,
            waiting_since: null,
            failed_tries: null,
          })
          .where('stationid', '=', found.stationid)
          .execute();
        return { stationid: found.stationid, authToken: token };
      });
      const reading = { ...ctx, db: ctx.services.storage.reader };
      return {
        authToken,
        account: await readOwnRecord(reading, stationid),
        station: await representSelf(reading, stationid),
        secret: secret.toString('base64'),
      };
    }),
  );
}

function wrongCode() {
  return invalid('code', 'This code is wrong or too old. Ask an administrator for a new one');
}

function aboutSecret(stationid: number): string {
  return `secret of station ${stationid}`;
}

function stationOfCode(db: Db, code_hash: string, seconds: number) {
  return db
    .selectFrom('stations')
    .innerJoin('users', 'users.userid', 'stations.stationid')
    .select(['stationid', 'username'])
    .where('code_hash', '=', code_hash)
    .where('code_expires', '>=', seconds)
    .where('enabled', '=', 1)
    .executeTakeFirst();
}

/** Ends every session of a station, and remembers what to tell its device. */
export async function endSession(
  ctx: Context,
  stationid: number,
  reason: 'revoked' | 'replaced',
): Promise<void> {
  const { db, seconds } = ctx;
  const { token_hash } = await db
    .selectFrom('stations')
    .select('token_hash')
    .where('stationid', '=', stationid)
    .executeTakeFirstOrThrow();
  await db.deleteFrom('tokens').where('userid', '=', stationid).execute();
  if (token_hash === null) return;
  await db
    .insertInto('ended_station_tokens')
    .values({ token_hash, stationid, ended_date: seconds, reason })
    .execute();
}

/** Shuts the device of a station out. What it has not sent stays on it. */
export async function revokeStation(ctx: Context, stationid: number): Promise<void> {
  await endSession(ctx, stationid, 'revoked');
  await ctx.db
    .updateTable('stations')
    .set({ token_hash: null, secret: null, code_hash: null, code_expires: null, revoked_date: ctx.seconds })
    .where('stationid', '=', stationid)
    .execute();
}

/** The id of the station whose device calls. Throws 403 for every other caller. */
export function mustBeStation({ viewer }: Context): number {
  if (viewer.station === undefined || viewer.station.for !== undefined)
    throw forbidden('Only the device of a station calls this');
  return viewer.station.stationid;
}

/**
 * What a station needs to let its people sign in, with verifiers that only this station can use.
 *
 * - STATION-13 A station gets nothing from which a badge or PIN follows without its own secret, and no call takes a badge or
 *   PIN. A revoked badge, a new PIN and a person who left are in the next answer.
 */
export async function representSelf(ctx: Context, stationid: number): Promise<StationSelf> {
  const { db, services, baseUrl } = ctx;
  const key = await services.identity.key();
  const row = await db
    .selectFrom('stations')
    .innerJoin('users', 'users.userid', 'stations.stationid')
    .select(['accountid', 'username', 'place', 'settings', 'secret', 'exit_sealed'])
    .where('stationid', '=', stationid)
    .executeTakeFirstOrThrow();
  const secret = row.secret === null ? null : key.decrypt(row.secret, aboutSecret(stationid));
  const verify = (
    kind: VerifierKind,
    one: { sealed: string; userid: number; accountid: string },
  ): string | null => (secret === null ? null : verifierOf(key, kind, one, Buffer.from(secret, 'base64')));
  const people = await db
    .selectFrom('station_members')
    .innerJoin('users', 'users.userid', 'station_members.userid')
    .leftJoin('station_pins', 'station_pins.userid', 'users.userid')
    .select(['users.userid', 'accountid', 'username', 'image', 'sealed'])
    .where('stationid', '=', stationid)
    .where('until', 'is', null)
    .orderBy('users.userid')
    .execute();
  const badges = await db
    .selectFrom('station_badges')
    .innerJoin('station_members', 'station_members.userid', 'station_badges.userid')
    .innerJoin('users', 'users.userid', 'station_badges.userid')
    .select(['users.userid', 'accountid', 'sealed'])
    .where('stationid', '=', stationid)
    .where('until', 'is', null)
    .where('revoked_date', 'is', null)
    .orderBy('station_badgeid')
    .execute();
  return {
    stationid,
    accountid: row.accountid,
    name: row.username,
    place: row.place,
    teams: await teamsOf(db, stationid),
    settings: settingsOf(row),
    verifiers: { salt: verifierSalt(key), ...verifierCosts },
    exit:
      row.exit_sealed === null
        ? null
        : verify('exit', { sealed: row.exit_sealed, userid: stationid, accountid: row.accountid }),
    people: people.map(({ userid, accountid, username, image, sealed }) => ({
      userid,
      accountid,
      username,
      image: image === null ? null : imageObjectOf(JSON.parse(image) as ImageRef, baseUrl),
      pin: sealed === null ? null : verify('pin', { sealed, userid, accountid }),
      badges: badges.filter((one) => one.userid === userid).flatMap((one) => verify('badge', one) ?? []),
    })),
  };
}

/** Stores what a station says about itself. */
export async function storeReport(
  ctx: Context,
  stationid: number,
  { app_version, device, waiting, oldest, failed_tries }: z.output<typeof stations.report.body>,
): Promise<void> {
  await ctx.db
    .updateTable('stations')
    .set({
      app_version,
      ...(device === undefined ? {} : { device }),
      contact_date: ctx.seconds,
      waiting,
      waiting_since: oldest == null || waiting === 0 ? null : ctx.seconds - oldest,
      ...(failed_tries === undefined ? {} : { failed_tries }),
    })
    .where('stationid', '=', stationid)
    .execute();
}
