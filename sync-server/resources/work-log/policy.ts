import { forbidden, notFound } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import { foldEntry, type EntryMove } from '#shared/rules/work-log.ts';
import { guideAudience } from '#server/access/audience.ts';
import { can } from '#server/access/can.ts';
import type { Context, Viewer } from '#server/http/context.ts';
import { findDocument, type Principal } from '#server/storage/feed.ts';

/**
 * Who may see an entry: its holders, past and present, and administrators. Once suspended, it was offered to everybody
 * signed in who may see the guide, and stays readable for them: that is how the second who wants it learns who has it.
 * `guide` undefined: it is gone.
 */
export function entryAudience(entry: EntryFacts, guide: GuideFacts | undefined): Principal[] {
  const { participants, wasSuspended } = foldEntry(entry);
  const offered = wasSuspended && guide !== undefined ? guideAudience(guide) : [];
  return [
    'admin',
    ...participants.map((userid): Principal => `user:${userid}`),
    ...offered.map((principal): Principal => (principal === 'public' ? 'members' : principal)),
  ];
}

/** The entry; 404 when it is missing or may not be seen, alike. */
export async function mustSeeEntry(ctx: Context, entryid: number): Promise<EntryFacts> {
  const entry = await findDocument(ctx.db, 'workLog', entryid);
  if (entry === undefined) throw notFound('Work log entry');
  const audience = entryAudience(entry, await findDocument(ctx.db, 'guides', entry.guideid));
  if (!audience.some((principal) => ctx.viewer.principals.includes(principal)))
    throw notFound('Work log entry');
  return entry;
}

/**
 * 404 as above; 403 for whoever never held the entry, and for assuming it without seeing the guide (spec, "States and
 * transitions"). A holder keeps the entry even when access to the guide is lost.
 */
export async function mustAct(ctx: Context, entryid: number, move: EntryMove): Promise<void> {
  const entry = await mustSeeEntry(ctx, entryid);
  if (ctx.viewer.isAdmin) return;
  if (move === 'assume') {
    const guide = await findDocument(ctx.db, 'guides', entry.guideid);
    if (guide === undefined || !can(ctx.viewer, 'guide.see', guide))
      throw forbidden('You may not see the guide of this entry');
    return;
  }
  if (!foldEntry(entry).participants.includes(ctx.viewer.userid))
    throw forbidden('Somebody else works on this entry', ['Admin']);
}

/** 404 as above; 403 for everybody but the present holder and administrators. */
export async function mustRemove(ctx: Context, entryid: number): Promise<void> {
  const entry = await mustSeeEntry(ctx, entryid);
  if (!holds(ctx.viewer, entry)) throw forbidden('Only its holder deletes an entry', ['Admin']);
}

function holds(viewer: Viewer, entry: EntryFacts): boolean {
  return viewer.isAdmin || foldEntry(entry).userid === viewer.userid;
}
