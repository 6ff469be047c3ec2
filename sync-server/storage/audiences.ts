import { prepared } from './prepared.ts';
import type { Db, Tx } from './tables.ts';

/**
 * A member of an audience. `public`: everybody who may read the site; `members`: everybody signed in; `learners`:
 * everybody signed in except kiosks; `admin`: every administrator; `lead`: the owner of a team; `crew`: the members of a team
 * except kiosks; `stations`: the stations that a person is of; the others are single people and teams.
 */
export type Principal =
  | 'public'
  | 'members'
  | 'learners'
  | 'admin'
  | `user:${number}`
  | `team:${number}`
  | `lead:${number}`
  | `crew:${number}`
  | `stations:${number}`;

/** The number of the audience with these principals, in any order. Adds it if it is new. */
export async function audienceOf(tx: Tx, principals: readonly Principal[]): Promise<number> {
  const text = [...new Set(principals)].toSorted().join(' ');
  const [known] = await audienceNamed(tx, { principals: text });
  if (known !== undefined) return known.audience;
  const added = await tx
    .insertInto('audiences')
    .values({ principals: text })
    .returning('audience')
    .executeTakeFirstOrThrow();
  return added.audience;
}

/** The audiences that contain at least one of `principals`. */
export async function visibleAudiences(db: Db, principals: readonly Principal[]): Promise<Set<number>> {
  const audiences = known.get(db) ?? { newest: 0, byPrincipal: new Map<string, number[]>() };
  const { byPrincipal } = audiences;
  for (const { audience, principals: members } of await audiencesAfter(db, { newest: audiences.newest })) {
    // Another call may have added it meanwhile.
    if (audience <= audiences.newest) continue;
    audiences.newest = audience;
    for (const one of members.split(' ')) {
      const list = byPrincipal.get(one);
      if (list === undefined) byPrincipal.set(one, [audience]);
      else list.push(audience);
    }
  }
  return new Set(principals.flatMap((one) => byPrincipal.get(one) ?? []).toSorted((a, b) => a - b));
}

/** A cache of audiences. Audiences never change, and new ones get higher numbers. */
interface Audiences {
  newest: number;
  byPrincipal: Map<string, number[]>;
}

const known = new WeakMap<Db, Audiences>();

/**
 * Caches the audiences that `db` reads. Only for connections that read committed data: after a failed transaction, its
 * audience numbers are given to others.
 */
export function cacheAudiences(db: Db): void {
  known.set(db, { newest: 0, byPrincipal: new Map() });
}

/** The principals of an audience. */
export async function membersOf(db: Db, audience: number): Promise<ReadonlySet<string>> {
  const [row] = await audienceNumbered(db, { audience });
  return new Set(row?.principals.split(' '));
}

const audienceNumbered = prepared<{ audience: number }, { principals: string }>((db, value) =>
  db.selectFrom('audiences').select('principals').where('audience', '=', value('audience')),
);

const audienceNamed = prepared<{ principals: string }, { audience: number }>((db, value) =>
  db.selectFrom('audiences').select('audience').where('principals', '=', value('principals')),
);

const audiencesAfter = prepared<{ newest: number }, { audience: number; principals: string }>((db, value) =>
  db.selectFrom('audiences').selectAll().where('audience', '>', value('newest')).orderBy('audience'),
);
