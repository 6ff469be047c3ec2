import { Unreachable, type Answering } from '../link.ts';

/** The token is no longer good. */
export class SignInNeeded extends Error {
  override name = 'SignInNeeded';
}

/** The server does not know the place in its history where this device stands. */
export class OtherHistory extends Error {
  override name = 'OtherHistory';
}

/** Waits for an answer of the sync endpoints; anything but success is one of three errors. */
export async function answerOf(request: Promise<Answering>): Promise<Answering> {
  const answering = await request;
  const { status, ok } = answering.response;
  if (ok) return answering;
  answering.abort();
  if (status === 401) throw new SignInNeeded('The sign-in is no longer good');
  if (status === 410) throw new OtherHistory('The server has another history');
  throw new Unreachable(`The server answered ${status}`);
}
