import type { Session } from '#desktop/engine/api/sync-records.ts';
import type { PresentPerson } from './station.ts';

/**
 * The session as views and actions see it at a station: the person who is signed in there, with the privileges of the
 * station. The same session while nobody is, and on other devices.
 */
export function asPerson(
  session: Session,
  person: Pick<PresentPerson, 'userid' | 'username'> | null,
): Session {
  const { user } = session;
  if (user === null || person === null) return session;
  return {
    ...session,
    user: { userid: person.userid, username: person.username, privileges: user.privileges },
  };
}
