import type { Journal } from '../journal/journal.ts';
import type { ServerConnection } from '../sync/server-connection.ts';
import type { Platform } from '../journal/platform.ts';
import { compareHistory, standingOf } from './history.ts';
import type { Home, Homes } from './home.ts';
import { UnprovedServer } from './unproved-server.ts';
import type { Introduced } from './who-is.ts';

/** A person who has just signed in. */
export interface Arrival {
  /** The address that was used. */
  origin: string;
  userid: number;
  username: string;
  /** Null: the account of a server that has no identities. */
  account: string | null;
  introduced: Introduced | null;
  /** An administrator acts as the person. */
  isActing: boolean;
}

export interface ChoiceDeps {
  platform: Platform;
  journal: Journal;
  homes: Homes;
  /** A connection to the address that was used, with the token that was just granted. */
  connection: ServerConnection;
  /** The person knows that work waits in a home that may not be opened, and begins with a new home. */
  apart: boolean;
}

interface Candidate {
  home: Home;
  waiting: number;
  isHere: boolean;
}

/**
 * The home of the person who just signed in, by server and account (ACCOUNT-3, ACCOUNT-4, ACCOUNT-7); a new one if this
 * device has none. It is bound to server and account. Of several homes, one with waiting work comes first, then the one of
 * this address.
 * @throws UnprovedServer when work waits in a home that may not be opened here
 */
export async function chooseHome(arrival: Arrival, deps: ChoiceDeps): Promise<Home> {
  const { homes } = deps;
  const waiting = await homes.waiting();
  const isProved = arrival.introduced?.proof === 'proved';
  const open: Candidate[] = [];
  const closed: Candidate[] = [];
  for (const home of await homes.all()) {
    const found = { home, waiting: waiting.get(home.home) ?? 0, isHere: home.origin === arrival.origin };
    if (!(await isOf(found, arrival, deps))) continue;
    const mayOpen = arrival.introduced === null ? home.server === null : found.isHere || isProved;
    (mayOpen ? open : closed).push(found);
  }
  const [best] = open.toSorted((a, b) => rank(b) - rank(a));
  const [kept] = closed.filter((one) => one.waiting > 0);
  if (best === undefined && kept !== undefined && !deps.apart)
    throw new UnprovedServer(arrival.origin, kept.home.origin, kept.waiting, reasonOf(arrival));
  return bound(best?.home.home ?? (await newName(arrival, homes)), arrival);
}

function rank({ waiting, isHere }: Candidate): number {
  return (waiting > 0 ? 2 : 0) + (isHere ? 1 : 0);
}

function reasonOf({ introduced }: Arrival): UnprovedServer['reason'] {
  if (introduced === null) return 'no-identity';
  return introduced.proof === 'proved' ? 'origin-not-named' : introduced.proof;
}

/** Whether a home belongs to the account, as far as can be known. */
async function isOf(candidate: Candidate, arrival: Arrival, deps: ChoiceDeps): Promise<boolean> {
  const { home, isHere, waiting } = candidate;
  const { introduced, account } = arrival;
  if (home.userid !== arrival.userid) return false;
  // Of an older server, only the address and the user number are known.
  if (introduced === null) return isHere;
  if (home.server !== null) return home.server === introduced.server && home.account === account;
  if (arrival.isActing) return false;
  // There is no reason to find a home without work: the library can be loaded again.
  if (!isHere && waiting === 0) return false;
  const standing = await standingOf(home, deps);
  const verdict = standing === null ? 'never' : await compareHistory(deps.connection, standing);
  if (verdict === 'known') return true;
  // Without the history, the number may belong to another person now: the name must be the same too.
  return verdict !== 'other' && isHere && home.username === arrival.username;
}

async function newName({ introduced, account, origin, userid }: Arrival, homes: Homes): Promise<string> {
  if (introduced === null || account === null) return homes.newName({ origin, userid });
  return homes.newName({ server: introduced.server, account });
}

function bound(home: string, { origin, userid, username, account, introduced }: Arrival): Home {
  return {
    home,
    origin,
    userid,
    username,
    server: introduced?.server ?? null,
    publicKey: introduced?.publicKey ?? null,
    account: introduced === null ? null : account,
  };
}

/** Whether the person who signed in is the one whose home is open, at the same address. */
export function isSame(home: Home, { origin, userid, account, introduced }: Arrival): boolean {
  if (home.origin !== origin || home.userid !== userid) return false;
  if (introduced === null) return home.server === null;
  return home.server === introduced.server && home.account === account;
}
