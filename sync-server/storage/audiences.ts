import { prepared } from './prepared.ts';
import type { Db, Tx } from './tables.ts';

/**
 * Who may see a record: a set of principals. `public` is everybody who may read the site, `members` everybody
 * signed in, `learners` everybody signed in who is no kiosk, `admin` every administrator, then single people and teams.
 */
export type Principal = 'public' | 'members' | 'learners' | 'admin' | `user:${number}` | `team:${number}`;

/** The number of the audience of these principals, whatever their order. */
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

/** The audiences that hold at least one of `principals`. */
export async function visibleAudiences(db: Db, principals: readonly Principal[]): Promise<Set<number>> {
  const audiences = known.get(db) ?? { newest: 0, byPrincipal: new Map<string, number[]>() };
  const { byPrincipal } = audiences;
  for (const { audience, principals: members } of await audiencesAfter(db, { newest: audiences.newest })) {
    // Another call may have read the same ones meanwhile.
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

/** Audiences as far as they were read; none ever changes, and new ones come to their end. */
interface Audiences {
  newest: number;
  byPrincipal: Map<string, number[]>;
}

const known = new WeakMap<Db, Audiences>();

/**
 * Has the audiences be kept that are read by `db`. Only for what reads what is committed: a transaction that fails gives
 * its numbers back, and others get them.
 */
export function keepAudiences(db: Db): void {
  known.set(db, { newest: 0, byPrincipal: new Map() });
}

/** Who an audience is. */
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
