import { type Observable, combineLatest, distinctUntilChanged, map, startWith } from 'rxjs';

import { sameValue } from '#shared/rules/same-value.ts';

import type { Session } from '../api/sync-records.ts';
import type { Sources } from '../features/records/sources.ts';

/** Who is signed in, under the name that they have now; that at sign-in until people are read. */
export function session({ core, names }: Sources): Observable<Session> {
  return combineLatest([core.session.state, names.pipe(startWith(new Map<number, string>()))]).pipe(
    map(([state, known]) => {
      const { user } = state;
      if (user === null) return state;
      return { ...state, user: { ...user, username: known.get(user.userid) ?? user.username } };
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}
