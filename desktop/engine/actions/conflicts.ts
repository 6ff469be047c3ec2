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
import { isSameVersion } from '../features/editing/restored-history.ts';
import { callKindSpecs } from '../outbox/kinds/index.ts';
import type { Settled } from '../outbox/kinds/kind.ts';
import type { ConflictHandler, OutboxCall } from '../platform/ports.ts';
import { type ActionContext, openCallsOf } from '../features/action-context.ts';
import { type Publication, publicationOf } from './guides.ts';
import { overwriting } from './overwriting.ts';
import { wikiPathNow } from './wiki-conflicts.ts';

/** Handles calls that the server refused because the record has changed. */
export function conflictHandler(context: ActionContext): ConflictHandler {
  return {
    async settle(call, current) {
      switch (call.kind) {
        case 'guide-save':
          return settleSave(context, call, theirVersion(current));
        case 'guide-publish':
          return settlePublish(context, call, theirVersion(current));
        default:
          return settleByKind(context, call, current);
      }
    },
    pathNow: (call) => wikiPathNow(context, call),
    isMistaken: (call) => isMistaken(context, call),
    overwriting: (calls) => overwriting(context, calls),
    meetHistory: (made) => context.drafts.meetHistory(made),
  };
}

/**
 * Whether the revision in a call belongs to another version now (OUTBOX-31): a restored server may give numbers out
 * again. If the numbers differ, the server notices by itself.
 */
async function isMistaken(context: ActionContext, call: OutboxCall): Promise<boolean> {
  const { mirror } = context.sources.core;
  const id = context.resolve(call.target.id);
  if (id.startsWith('tmp:')) return false;
  const base = baseOf(call);
  if (base !== null) {
    const facts = (await mirror.get('guides', id))?.facts;
    return facts?.revisionid === base.revisionid && !isSameVersion(base, facts);
  }
  const spec = callKindSpecs[call.kind];
  if (spec.isMistaken === undefined) return false;
  const record = await mirror.get(call.target.collection, id);
  return record !== null && spec.isMistaken(call, record.facts);
}

/** Settles a call as its kind says (`CallKindSpec.conflict`). */
async function settleByKind(
  context: ActionContext,
  call: OutboxCall,
  current: readonly FeedRow[],
): Promise<Settled> {
  const { conflict } = callKindSpecs[call.kind];
  if (conflict === undefined) return { action: 'park', message: 'Someone else changed this meanwhile' };
  if (conflict === 'decide') return { action: 'decide', context: call.context };
  const { collection, id } = call.target;
  const settled = conflict(call, current.find(({ c, doc }) => c === collection && doc !== undefined)?.doc);
  if (settled.action === 'park') return settled;
  // Later saves get the old revision, so that the server refuses them and they are merged, too.
  const query = { revisionid: call.query['revisionid'] ?? '0' };
  for (const other of openCallsOf(context, collection, id))
    if (other.order > call.order && other.state === 'queued')
      await context.sources.core.outbox.change(other.id, { query: { ...other.query, ...query } });
  const path = settled.action === 'resend' ? await wikiPathNow(context, call) : null;
  return settled.action !== 'resend' || path === null ? settled : { ...settled, path };
}

/** The version of a guide on which a call was made. */
function baseOf(call: OutboxCall): GuideFacts | null {
  return (guideSaveOf(call) ?? publicationOf(call))?.base ?? null;
}

/** Accepts guides of newer servers with unknown properties. Saves name only the properties that were changed. */
const readGuide = tolerant(guideFacts);

function theirVersion(current: readonly FeedRow[]): GuideFacts | null {
  const row = current.find(({ c, doc }) => c === 'guides' && doc !== undefined);
  return row === undefined ? null : readGuide.parse(row.doc);
}

/**
 * Merges a save with the server's version. Without conflicts the merged save is sent again. With conflicts, both
 * versions stay in the draft until a person has decided.
 */
async function settleSave(
  context: ActionContext,
  call: OutboxCall,
  theirs: GuideFacts | null,
): Promise<Settled> {
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
  // Without conflicts there is nothing to decide. The words stay in the parked call, where the person finds them.
  if (open.draft.conflicts.length === 0) return { action: 'park', message: undecidable };
  return { action: 'decide', context: { ...save, offered: undefined, contest } satisfies GuideSave };
}

/** Settles an imported save, which has no base: its words become a decision (waiting-work README, WAITING-5). */
async function settleImported(context: ActionContext, call: OutboxCall): Promise<Settled> {
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
  'Someone else changed this meanwhile, and the two versions could not be shown side by side. Your text is kept here: check the guide, then send it again or discard it.';

/**
 * Contests an unsent save that was merged with the server's version, after later edits of the draft contradict that.
 */
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
 * Makes later saves stale: they get the old revision, so that the server refuses them and they are merged, too.
 * Otherwise their texts would replace what somebody else wrote.
 */
async function unsettleFollowers(context: ActionContext, call: OutboxCall): Promise<void> {
  const { outbox } = context.sources.core;
  const revisionid = String(baseOf(call)?.revisionid ?? 0);
  for (const other of context.drafts.openSaves(call.target.id)) {
    if (other.order > call.order && other.state === 'queued')
      await outbox.change(other.id, { query: { revisionid } });
  }
}

/** Settles a change of publication: dropped if the guide has the wanted state already, else sent again. */
async function settlePublish(
  context: ActionContext,
  call: OutboxCall,
  theirs: GuideFacts | null,
): Promise<Settled> {
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

/** Resolved saves that are being queued. A second call for the same draft waits for the first. */
const queueing = new WeakMap<OpenDraft, Promise<void>>();

/** Queues a save after its last conflict was decided: the merged guide as one save on the server's version. */
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

/** Removes a save from the outbox; its words stay in the draft. The draft forgets the save first, and stores that. */
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
