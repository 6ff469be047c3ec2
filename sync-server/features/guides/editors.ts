import { mustUserid, type Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';

import { findPeople } from '../users/store.ts';

/** Somebody who says nothing for this time does not have the guide open any more, ms. Devices say so every 20 s. */
const staysFor = 50_000;

/** A guide that is open on a device. `since`, `until`: when it was opened, and until when that holds, ms. */
interface Editor {
  guideid: number;
  userid: number;
  since: number;
  until: number;
}

/** The open guides, by guide and session. In memory only: each process of a server knows its own devices. */
const open = new WeakMap<Services, Map<string, Editor>>();

/**
 * Notes whether the caller has a guide open for editing, and answers who else has, the longest first.
 *
 * - PRESENCE-1 Only people who may edit a guide appear as its editors and are told who the others are. Nothing is stored.
 * - PRESENCE-2 Who closes the guide on their last device, or says nothing for 50 s, is gone.
 */
export async function otherEditors(
  ctx: Context,
  guideid: number,
  isOpen: boolean,
): Promise<{ userid: number; username: string; since: number }[]> {
  const userid = mustUserid(ctx);
  const now = ctx.services.now();
  const editors = open.get(ctx.services) ?? new Map<string, Editor>();
  open.set(ctx.services, editors);
  for (const [key, { until }] of editors) if (until < now) editors.delete(key);
  const own = `${guideid} ${ctx.viewer.tokenHash ?? userid}`;
  if (isOpen)
    editors.set(own, { guideid, userid, since: editors.get(own)?.since ?? now, until: now + staysFor });
  else editors.delete(own);
  const since = new Map<number, number>();
  for (const one of [...editors.values()].toSorted((a, b) => a.since - b.since))
    if (one.guideid === guideid && one.userid !== userid && !since.has(one.userid))
      since.set(one.userid, Math.floor(one.since / 1000));
  const people = await findPeople(ctx.db, [...since.keys()]);
  return [...since].flatMap(([id, seconds]) => {
    const person = people.get(id);
    return person === undefined ? [] : [{ userid: id, username: person.username, since: seconds }];
  });
}
