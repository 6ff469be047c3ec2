import type { Core } from '#desktop/engine/account/core.ts';
import { isAbout } from '#desktop/engine/account/leaving/quarantine.ts';
import type { OpenDraft } from '#desktop/engine/drafts/open-draft.ts';
import type { MissingName } from '#desktop/engine/journal/damage.ts';
import { aboutOf, isBasedOn, recordOfOthers } from '#desktop/engine/outbox/about-call.ts';
import type { About } from '#desktop/engine/outbox/kinds/kind.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { Sources } from '../records/sources.ts';

interface Deps {
  core: Core;
  sources: Sources;
}

/** Whether a guide or page is gone. `uid`: its identity, which no other record ever gets; undefined if unknown. */
export type IsLost = (about: About, uid: string | undefined) => boolean;

/**
 * Finds out which of the guides and pages that calls, drafts and unsaved forms are about are gone. One counts as gone, too, if another
 * record has its number since a restore.
 */
export async function findLost(
  { core, sources }: Deps,
  calls: readonly OutboxCall[],
  drafts: readonly OpenDraft[],
  forms: readonly About[],
): Promise<IsLost> {
  const based = new Set<string>();
  const named = { guides: new Set<string>(), wikis: new Set<string>() };
  const note = ({ collection, id }: About, isBased: boolean): void => {
    const real = sources.resolve(id);
    if (real.startsWith('tmp:')) return;
    named[collection].add(real);
    if (isBased) based.add(`${collection}/${real}`);
  };
  for (const call of calls) {
    const about = aboutOf(call);
    if (about !== null) note(about, isBasedOn(call));
  }
  for (const { id, draft } of drafts) note({ collection: 'guides', id }, draft.base !== null);
  // Forms of pages that exist begin with their text.
  for (const about of forms) note(about, true);
  const lost = new Set<string>();
  const here = new Map<string, string>();
  for (const collection of ['guides', 'wikis'] as const) {
    const { removed, absent, uids } = await core.leaving.whereabouts(collection, [...named[collection]]);
    for (const id of removed) lost.add(`${collection}/${id}`);
    // An absent record without a base was created on this device. One with a base was here before, so it is gone.
    for (const id of absent) if (based.has(`${collection}/${id}`)) lost.add(`${collection}/${id}`);
    for (const [id, uid] of uids) here.set(`${collection}/${id}`, uid);
  }
  return ({ collection, id }, uid) => {
    const key = `${collection}/${sources.resolve(id)}`;
    return lost.has(key) || !isAbout({ uid }, { uid: here.get(key) });
  };
}

/**
 * Those of these calls whose record, which others made, is not on this device any more: it was removed, the person may no
 * longer see it, or another record has its number since a restore.
 */
export async function ofLostRecords(
  { core }: Pick<Deps, 'core'>,
  calls: readonly OutboxCall[],
): Promise<OutboxCall[]> {
  const named = calls.flatMap((call) => {
    const record = recordOfOthers(call);
    return record == null ? [] : [{ call, ...record }];
  });
  const lost: OutboxCall[] = [];
  for (const [c, own] of Map.groupBy(named, (one) => one.c)) {
    const { removed, absent, uids } = await core.leaving.whereabouts(c, [
      ...new Set(own.map(({ id }) => id)),
    ]);
    const gone = new Set([...removed, ...absent]);
    for (const { call, id, uid } of own)
      if (gone.has(id) || (uid !== '' && (uids.get(id) ?? uid) !== uid)) lost.push(call);
  }
  return lost;
}

/**
 * Removes the titles of guides and pages that are not on this device from the report of missing calls. Those with a
 * temporary id stay: they were created here. True when a title was removed.
 */
export async function forgetLostNames({ core, sources }: Deps): Promise<boolean> {
  const own = core.work.home();
  if (own === null) return false;
  const keyOf = ({ collection, id }: About): string => `${collection}/${sources.resolve(id)}`;
  const names = await core.session.missingNames(own);
  const gone = new Set<string>();
  for (const collection of ['guides', 'wikis'] as const) {
    const ids = names.flatMap(({ about }) =>
      about?.collection === collection ? [sources.resolve(about.id)] : [],
    );
    const asked = ids.filter((id) => !id.startsWith('tmp:'));
    const { removed, absent } = await core.leaving.whereabouts(collection, asked);
    for (const id of [...removed, ...absent]) gone.add(`${collection}/${id}`);
  }
  const isGone = ({ home, about }: MissingName): boolean =>
    home === own && about !== null && gone.has(keyOf(about));
  return core.session.forgetNames(isGone);
}
