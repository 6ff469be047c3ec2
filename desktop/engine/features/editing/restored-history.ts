import type { GuideFacts } from '#shared/model/guide.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import type { OpenDraft } from '#desktop/engine/drafts/open-draft.ts';
import { guideSaveOf } from '#desktop/engine/outbox/kinds/guides.ts';
import { openSavesOf } from './guide-saves.ts';
import type { OpenDrafts } from './open-drafts.ts';

interface Deps {
  core: Core;
  open: OpenDrafts;
  /** Lets a draft follow the server's version. */
  settle: (open: OpenDraft) => Promise<void>;
}

/**
 * Adapts the open drafts to a server that was restored. `made`: guides that are created again, from the old id
 * (`guides/61`) to the temporary one; their drafts move to the temporary id. A draft whose base version the server no
 * longer has follows the server's version, whatever its number (OUTBOX-31).
 *
 * - OUTBOX-32 Records that the server forgot are named by their temporary ids again, in sent calls, waiting calls and
 *   drafts; their calls leave the lane of the old number. Records that the server still has keep their numbers
 *   throughout, so that a guide has one draft. What was written since the restore, for the record that has the number
 *   now, keeps the number. A draft is stored under its temporary id before it is removed from its number; if the app
 *   ends in between, the one that was stored more often counts.
 */
export async function meetHistory(deps: Deps, made: ReadonlyMap<string, string>): Promise<void> {
  const { core, open: drafts, settle } = deps;
  for (const open of drafts.values()) {
    const { base } = open.draft;
    // A draft that was begun after the restore belongs to the guide that has the number now.
    const isOfPresent = base !== null && base.uid !== undefined && base.uid === (await uidNow(core, open.id));
    const temporary = isOfPresent ? undefined : made.get(`guides/${open.id}`);
    const own = temporary === undefined ? open : await rename(drafts, open, temporary);
    const id = drafts.resolve(own.id);
    const record = id.startsWith('tmp:') ? null : await core.mirror.get('guides', id);
    if (base === null || (record !== null && isSameVersion(base, record.facts))) continue;
    own.draft.forgetRevision();
    own.markSaved(own.saved !== null);
    await own.flush();
    await settle(own);
  }
}

/** The `uid` of the guide that has a number on the server now. */
async function uidNow({ mirror }: Core, id: string): Promise<string | undefined> {
  return id.startsWith('tmp:') ? undefined : (await mirror.get('guides', id))?.facts.uid;
}

/**
 * Moves a draft to another id, with the edits that are made meanwhile (OUTBOX-32). If storing it under the new id
 * fails, the old one stays.
 */
async function rename(drafts: OpenDrafts, open: OpenDraft, id: string): Promise<OpenDraft> {
  const moved = drafts.get(id);
  if (moved !== undefined && moved.batch > open.batch) {
    await drafts.lose(open);
    return moved;
  }
  await open.copyTo(id);
  if (moved !== undefined) drafts.drop(moved);
  const known = { saved: open.saved, batch: open.batch + 1 };
  const renamed = drafts.addStored(id, open.draft.toJSON(), known, open.draft.history());
  renamed.keep();
  drafts.drop(open);
  const written = renamed.flush();
  await Promise.all([written, open.erase(written)]);
  return renamed;
}

/**
 * Brings a draft up to the saves that are sent again to a restored server. Journals the draft before the calls: if the
 * app ends between the two, the draft has adopted them already at the next start.
 *
 * - OUTBOX-30 The draft of a save is gone as soon as the server has it. So a save that is offered again and refused is
 *   put into the guide's draft (`GuideDraft.adopt`) before anybody edits, saves or decides: below the draft's own edits,
 *   and with the save's base as the draft's base. A decision then shows both texts. A save whose contradiction cannot be
 *   shown is parked with its text.
 */
export async function adoptOfferedSaves(core: Core, open: OpenDraft): Promise<void> {
  const calls = openSavesOf(core, open.id).filter((call) => guideSaveOf(call)?.offered === true);
  const saves = calls.flatMap((call) => guideSaveOf(call) ?? []);
  const [first] = saves;
  if (first === undefined) return;
  const { outbox } = core.held();
  open.draft.adopt(
    first.base,
    saves.map(({ saveId, before, content }) => ({ id: saveId, before, content })),
  );
  open.markSaved(true);
  await open.flush();
  for (const [index, { id }] of calls.entries()) {
    const context = { ...saves[index], offered: undefined };
    await outbox.change(id, { context });
  }
}

/**
 * Whether two guides with the same number are different guides: a restored server may give a number out again
 * (OUTBOX-34).
 */
export function isOtherGuide(one: GuideFacts | null, other: GuideFacts): boolean {
  return one?.uid !== undefined && other.uid !== undefined && one.uid !== other.uid;
}

/** Whether two versions are the same: a restored server may give the number of a version out again. */
export function isSameVersion(one: GuideFacts, other: GuideFacts): boolean {
  return one.revisionid === other.revisionid && sameValue(contentOf(one), contentOf(other));
}
