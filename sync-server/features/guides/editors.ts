import { mustUserid, type Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';

import { findPeople } from '../users/store.ts';

/** Somebody who says nothing for this time does not have the guide open any more, ms. Devices say so every 20 s. */
const staysFor = 50_000;

/** When people opened a guide and when they last said so, ms, by person. */
type Editors = Map<number, { since: number; until: number }>;

/** Who has which guide open, by guide. In memory only: each process of a server knows its own devices. */
const open = new WeakMap<Services, Map<number, Editors>>();

/**
 * Notes whether the caller has a guide open for editing, and answers who else has, the longest first.
 *
 * - PRESENCE-1 Only people who may edit a guide appear as its editors and are told who the others are. Nothing is stored.
 * - PRESENCE-2 Who closes the guide, or says nothing for 50 s, is gone.
 */
export async function otherEditors(
  ctx: Context,
  guideid: number,
  isOpen: boolean,
): Promise<{ userid: number; username: string; since: number }[]> {
  const userid = mustUserid(ctx);
  const now = ctx.services.now();
  const guides = open.get(ctx.services) ?? new Map<number, Editors>();
  open.set(ctx.services, guides);
  const editors = guides.get(guideid) ?? new Map<number, { since: number; until: number }>();
  for (const [id, { until }] of editors) if (until < now) editors.delete(id);
  if (isOpen) editors.set(userid, { since: editors.get(userid)?.since ?? now, until: now + staysFor });
  else editors.delete(userid);
  if (editors.size === 0) guides.delete(guideid);
  else guides.set(guideid, editors);
  const others = [...editors].filter(([id]) => id !== userid).toSorted(([, a], [, b]) => a.since - b.since);
  const people = await findPeople(
    ctx.db,
    others.map(([id]) => id),
  );
  return others.flatMap(([id, { since }]) => {
    const person = people.get(id);
    return person === undefined
      ? []
      : [{ userid: id, username: person.username, since: Math.floor(since / 1000) }];
  });
}
