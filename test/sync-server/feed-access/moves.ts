import fc from 'fast-check';

import type { Principal } from '#server/storage/feed.ts';

/** Who sees a record of a random plan: nobody, one of two teams, everybody, or it is deleted. */
const audiences = ['none', 'first', 'second', 'public', 'gone'] as const;
export type Audience = (typeof audiences)[number];

/** A record gets another audience. */
export interface RecordMove {
  kind: 'record';
  record: number;
  to: Audience;
}
/** The person joins a team, or leaves it. */
export interface TeamMove {
  kind: 'team';
  team: number;
}

export const recordMove: fc.Arbitrary<RecordMove> = fc.record({
  kind: fc.constant('record'),
  record: fc.nat({ max: 2 }),
  to: fc.constantFrom(...audiences),
});
export const teamMove: fc.Arbitrary<TeamMove> = fc.record({
  kind: fc.constant('team'),
  team: fc.nat({ max: 1 }),
});

/** The principals of each audience. */
export function principalsWith(teams: readonly [number, number]): Record<Audience, Principal[]> {
  return {
    none: [],
    first: [`team:${teams[0]}`],
    second: [`team:${teams[1]}`],
    public: ['public'],
    gone: [],
  };
}

/** Whether a member of the teams `held` sees a record with this audience. */
export function isSeen(audience: Audience, held: ReadonlySet<number>): boolean {
  if (audience === 'first' || audience === 'second') return held.has(audience === 'first' ? 0 : 1);
  return audience === 'public';
}
