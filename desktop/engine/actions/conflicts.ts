import { z } from 'zod';

import { mergeGuide } from '#shared/merge/guide.ts';
import { type GuideFacts, guideFacts } from '#shared/model/guide.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { guideEditBody } from '#shared/rules/guide-edit-body.ts';
import { tolerant } from '#shared/sync/tolerant.ts';
import type { FeedRow } from '#shared/sync/wire.ts';

import { type GuideContest, type GuideSave, guideSaveOf } from '../outbox/kinds/guides.ts';
import { contestedWords, ownWord } from '../outbox/own-words.ts';
import type { OpenDraft } from '../drafts/open-draft.ts';
import type { ConflictHandler, OutboxCall } from '../platform/ports.ts';
import type { ActionContext } from './calls.ts';
import type { Publication } from './guides.ts';
import { baseOf, isMistaken } from './other-history.ts';
import { overwriting } from './overwriting.ts';
import { settleWikiSave, wikiPathNow } from './wiki-conflicts.ts';

type Decision = Awaited<ReturnType<ConflictHandler['settle']>>;

/** Decides about calls that the server refused because the record has moved on. */
export function conflictHandler(context: ActionContext): ConflictHandler {
  return {
    async settle(call, current) {
      switch (call.kind) {
        case 'guide-save':
          return settleSave(context, call, theirVersion(current));
        case 'guide-publish':
          return settlePublish(context, call, theirVersion(current));
        case 'wiki-save':
          return settleWikiSave(context, call, current);
        case 'guide-delete':
        case 'wiki-delete':
        case 'entry-move':
        case 'entry-data':
          return { action: 'decide', context: call.context };
        default:
          return { action: 'park', message: 'Somebody else changed this meanwhile' };
      }
    },
    pathNow: (call) => wikiPathNow(context, call),
    isMistaken: (call) => isMistaken(context, call),
    overwriting: (calls) => overwriting(context, calls),
    async meetHistory(made) {
      // A cache that cannot be tidied holds back no work.
      await context.media.meetHistory().catch(() => undefined);
      await context.drafts.meetHistory(made);
    },
  };
}

/** A newer server may know more of a guide; what is saved names only what was changed. */
const readGuide = tolerant(guideFacts);

function theirVersion(current: readonly FeedRow[]): GuideFacts | null {
  const row = current.find(({ c, doc }) => c === 'guides' && doc !== undefined);
  return row === undefined ? null : readGuide.parse(row.doc);
}

/**
 * Merges a save with the server's version. What merges is sent again; of what contradicts, both texts stay in the
 * draft until a person has decided.
 */
async function settleSave(
  context: ActionContext,
  call: OutboxCall,
  theirs: GuideFacts | null,
): Promise<Decision> {
  const save = guideSaveOf(call);
  if (theirs === null) return { action: 'park', message: 'The guide is no longer there' };
  if (save === undefined) return settleImported(context, call);
  const merge = mergeGuide(save.before, save.content, contentOf(theirs));
  if (merge.conflicts.length === 0) {
    await unsettleFollowers(context, call);
    const body = guideEditBody(theirs, merge.merged);
    if (body === null) return { action: 'drop' };
    const before = contentOf(theirs);
    const next: GuideSave = { ...save, base: theirs, before, content: merge.merged, merged: true };
    return { action: 'resend', body, query: { revisionid: String(theirs.revisionid) }, context: next };
  }
  const open = await context.drafts.openFor(call.target.id, save.base);
  const contest = await rebase(context, open, call, theirs);
  // Nobody could decide it: the words stay in the call, where the person finds them.
  if (open.draft.conflicts.length === 0) return { action: 'park', message: undecidable };
  return { action: 'decide', context: { ...save, offered: undefined, contest } satisfies GuideSave };
}

/** A save that came without the version that it was made on: its words become a decision (waiting work, WAITING-5). */
async function settleImported(context: ActionContext, call: OutboxCall): Promise<Decision> {
  const { data } = importedSave.safeParse(call.context);
  if (data === undefined || data.words.length === 0) return { action: 'park', message: undecidable };
  const { leaving } = context.sources.core;
  await leaving.keep([
    {
      version: 1,
      id: call.id,
      collection: 'guides',
      recordid: context.resolve(call.target.id),
      at: call.at,
      history: (await leaving.history()) ?? '',
      isOnServer: false,
      isComment: false,
      words: data.words,
    },
  ]);
  context.leaving.look();
  return { action: 'drop' };
}

const importedSave = z.looseObject({ words: z.array(ownWord) });

const undecidable =
  'Somebody else changed this meanwhile, and the two versions could not be shown side by side. Your text is kept here: check the guide, then send it again or discard it.';

/** An unsent save that was merged with the server's version, which the draft's later edits contradict. */
export async function contestSave(context: ActionContext, call: OutboxCall): Promise<void> {
  const save = guideSaveOf(call);
  const theirs = save?.base ?? null;
  if (save === undefined || theirs === null) return;
  const contest = await rebase(context, context.drafts.read(call.target.id), call, theirs);
  await context.sources.core.outbox.change(call.id, { state: 'conflict', context: { ...save, contest } });
  await queueResolved(context, call.target.id);
}

async function rebase(
  context: ActionContext,
  open: OpenDraft,
  call: OutboxCall,
  theirs: GuideFacts,
): Promise<GuideContest> {
  const waiting = new Set(context.drafts.openSaves(call.target.id).map((one) => guideSaveOf(one)?.saveId));
  const done = open.sentIds().findLast((id) => !waiting.has(id));
  const { merges } = open.draft.rebase(theirs, done);
  for (const id of open.sentIds()) open.draft.forgetSent(id);
  open.markSaved(true);
  await open.flush();
  const mine = contestedWords(open.draft.conflicts);
  return { merges, mine, mineAt: call.at, theirsAt: theirs.modified_date * 1000 };
}

/**
 * Saves that were made upon this one must meet the merged version as something new to them, or their texts would
 * replace what somebody else wrote: they name the revision that is no longer current.
 */
async function unsettleFollowers(context: ActionContext, call: OutboxCall): Promise<void> {
  const { outbox } = context.sources.core;
  const revisionid = String(baseOf(call)?.revisionid ?? 0);
  for (const other of context.drafts.openSaves(call.target.id)) {
    if (other.order > call.order && other.state === 'queued')
      await outbox.change(other.id, { query: { revisionid } });
  }
}

/** The state of publication is no text: what is wanted holds already, or is asked for again. */
async function settlePublish(
  context: ActionContext,
  call: OutboxCall,
  theirs: GuideFacts | null,
): Promise<Decision> {
  if (theirs === null) return { action: 'park', message: 'The guide is no longer there' };
  await unsettleFollowers(context, call);
  if (theirs.public === (call.method === 'PUT')) return { action: 'drop' };
  const query = { ...call.query, revisionid: String(theirs.revisionid) };
  return {
    action: 'resend',
    body: call.body,
    query,
    context: { base: theirs } satisfies Publication,
  };
}

/** Resolved saves on their way to the outbox: whoever wants the same meanwhile waits for it. */
const queueing = new WeakMap<OpenDraft, Promise<void>>();

/** Sends a save whose last contradiction was decided: the merged guide as one save upon the server's version. */
export async function queueResolved(context: ActionContext, guideid: string): Promise<void> {
  const open = context.drafts.read(guideid);
  const present = queueing.get(open) ?? queue(context, open).finally(() => queueing.delete(open));
  queueing.set(open, present);
  await present;
}

async function queue(context: ActionContext, open: OpenDraft): Promise<void> {
  const { outbox, environment } = context.sources.core;
  const [contested, ...followers] = context.drafts
    .openSaves(open.id)
    .filter(({ kind }) => kind === 'guide-save');
  const save = contested === undefined ? undefined : guideSaveOf(contested);
  const { base } = open.draft;
  if (
    open.draft.conflicts.length > 0 ||
    contested?.state !== 'conflict' ||
    save === undefined ||
    base === null
  )
    return;
  for (const follower of followers.toReversed()) await outbox.remove(follower.id);
  const content = open.draft.content();
  const body = guideEditBody(base, content);
  if (body === null) return takeBack(context, contested);
  const next: GuideSave = { saveId: save.saveId, base, before: contentOf(base), content };
  await open.hold(async () => {
    open.draft.markSent(save.saveId);
    open.markSaved(true);
    const query = { ...contested.query, revisionid: String(base.revisionid) };
    await outbox.change(contested.id, {
      id: environment.uuid(),
      body,
      query,
      context: next,
      state: 'queued',
      refusal: null,
    });
  });
  await open.flush();
}

/** Drops a save; its words stay in the draft. The draft forgets the save first, and for good. */
export async function takeBack(context: ActionContext, call: OutboxCall): Promise<void> {
  const save = guideSaveOf(call);
  const open = context.drafts.find(call.target.id);
  if (save !== undefined && open !== undefined) {
    open.draft.forgetSent(save.saveId);
    open.markSaved(context.drafts.openSaves(call.target.id).length > 1);
    await open.flush();
  }
  await context.sources.core.outbox.remove(call.id);
}
