import { readAnswer } from '#shared/api/client.ts';
import { rootedPath } from '#shared/api/endpoint.ts';
import { Problem } from '#shared/api/problem.ts';
import { stations } from '#shared/api/stations.ts';
import { enrolmentCode } from '#shared/rules/stations.ts';

import type { Journal } from '#desktop/engine/journal/journal.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';
import { ForeignAnswer } from '#desktop/engine/sync/connection-errors.ts';
import { recordIn, withOwnRefusal } from '#desktop/engine/sync/own-answer.ts';
import { patientFetch } from '#desktop/engine/sync/patient-fetch.ts';
import type { Home } from '../home.ts';
import { type Granted, requestSession, unreachableMessage } from '../sign-in-request.ts';
import { type StationRecord, StationStore } from './station-store.ts';
import { StationTries } from './tries.ts';

/**
 * Enrols this device at the server at `server` as the station that `code` belongs to. The code is used up by that.
 * @throws Problem with the server's words, or `unavailable` when the server does not answer
 */
export async function requestEnrolment(
  { environment, appId, appVersion = '' }: Platform,
  server: string,
  code: string,
): Promise<{ granted: Granted; record: StationRecord }> {
  const path = rootedPath(stations.enroll);
  const body = { code: enrolmentCode(code), ...(appVersion === '' ? {} : { app_version: appVersion }) };
  const enrolled = await askServer(server, async () => {
    const response = await patientFetch(environment.fetch, environment)(server + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(appId === null ? {} : { 'X-App-Id': appId }) },
      body: JSON.stringify(body),
      redirect: 'manual',
    });
    const own = await withOwnRefusal(response, path);
    if (own.ok) return recordIn(own, stations.enroll.result, path);
    await readAnswer(own);
    throw new Problem('unavailable', unreachableMessage(server));
  });
  const { authToken, account, station, secret } = enrolled;
  const { userid, username, privileges, accountid, serverid } = account;
  const identity =
    accountid === undefined || serverid === undefined ? null : { account: accountid, server: serverid };
  return {
    granted: {
      server,
      user: { userid, username, privileges },
      token: authToken,
      identity,
    },
    record: { secret, self: station, at: environment.now(), former: [] },
  };
}

/** Stores what makes a home that of a station, and begins the count of wrong tries anew. */
export async function keepStation(
  deps: { platform: Platform; journal: Journal; home: string },
  record: StationRecord,
): Promise<void> {
  await new StationStore(deps.platform, deps.home).write(record);
  await new StationTries(deps).reset();
}

/**
 * A session of an administrator at the server of `home`, which shows who they are.
 * @throws Problem with the server's words, forbidden when the person is not an administrator
 */
export async function grantedToAdministrator(
  platform: Platform,
  { origin, server }: Home,
  proof: { email: string; password: string },
): Promise<Granted> {
  const granted = await requestSession(platform, origin, proof, null);
  const { privileges } = granted.user;
  if (server !== null && granted.identity?.server !== server)
    throw new Problem('unavailable', 'Another server answered. Try again');
  if (!privileges.includes('Admin') || privileges.includes('Kiosk'))
    throw new Problem('forbidden', 'Only an administrator ends a station');
  return granted;
}

async function askServer<T>(server: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    const words = cause instanceof ForeignAnswer ? cause.message : unreachableMessage(server);
    throw new Problem('unavailable', words, { cause });
  }
}
