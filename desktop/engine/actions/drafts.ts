import { Problem, notFound } from '#shared/api/problem.ts';
import { mergeGuide } from '#shared/merge/guide.ts';
import { type GuideContent, contentOf, emptyContent, pathId } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { temporaryId } from '#shared/sync/wire.ts';

import type { CoreActions } from '../api/engine.ts';
import type { GuideDraft } from '../drafts/guide-draft.ts';
import { guideSaveOf, type GuideSave } from '../outbox/kinds/guides.ts';
import { isUnsent } from '../outbox/coalesce.ts';
import { bare } from '../sync/temporary-ids.ts';
import type { OpenDraft } from '../drafts/open-draft.ts';
import type { NewCall, OutboxCall } from '../platform/ports.ts';
import { type ActionContext, laneOf, newTemporaryId } from '../features/action-context.ts';
import { contestSave, queueResolved, takeBack } from './conflicts.ts';
import { addDocument, addPicture, editOpen, replacePicture } from './edit-draft.ts';
import { createBody, saveBody } from './guide-bodies.ts';
import { guideRevision } from './guides.ts';

/** Actions on drafts of guides. */
export type DraftActions = Pick<
  CoreActions,
  | 'openDraft'
  | 'editDraft'
  | 'undoDraft'
  | 'redoDraft'
  | 'addDraftPicture'
  | 'replaceDraftPicture'
  | 'addDraftDocument'
  | 'saveDraft'
  | 'discardDraft'
>;

export function draftActions(context: ActionContext): DraftActions {
  const { drafts } = context;
  const edit = async (guideid: string, change: (draft: GuideDraft) => void): Promise<void> => {
    await drafts.toEdit();
    const open = drafts.read(guideid);
    change(open.draft);
    await open.flush();
  };
  return {
    openDraft: (guideid) => openDraft(context, guideid),
    editDraft: async (guideid, operation) => {
      await drafts.toEdit();
      const open = await editOpen(context, guideid, operation);
      await open?.settled();
    },
    undoDraft: (guideid) => edit(guideid, (draft) => draft.undo()),
    redoDraft: (guideid) => edit(guideid, (draft) => draft.redo()),
    addDraftPicture: (guideid, stepKey, file, filename) =>
      addPicture(context, guideid, stepKey, file, filename),
    replaceDraftPicture: (guideid, stepKey, guid, made) =>
      replacePicture(context, guideid, stepKey, guid, made),
    addDraftDocument: (guideid, file, filename) => addDocument(context, guideid, file, filename),
    saveDraft: (guideid) => saveDraft(context, guideid),
    async discardDraft(guideid) {
      await drafts.toEdit();
      await drafts.discard(guideid);
    },
  };
}

/** Opens the draft of a guide, or of a new one. */
export async function openDraft(context: ActionContext, guideid: string | null): Promise<string> {
  const { drafts, sources } = context;
  await drafts.toEdit();
  if (guideid === null) return newGuide(context);
  const known = drafts.find(guideid);
  if (known !== undefined) {
    await drafts.adopt(guideid);
    return context.resolve(known.id);
  }
  const id = context.resolve(guideid);
  const record = id.startsWith('tmp:') ? null : await sources.core.mirror.get('guides', id);
  const offered = drafts.openSaves(id).map(guideSaveOf)[0];
  if (record === null && offered === undefined) throw notFound('Guide');
  await drafts.openFor(id, record?.facts ?? offered?.base ?? null);
  return id;
}

/** Queues the changes of a draft as one save. Throws `Problem` invalid when a limit is broken. */
export async function saveDraft(context: ActionContext, guideid: string): Promise<void> {
  const { drafts } = context;
  await drafts.toEdit();
  const open = drafts.read(guideid);
  await drafts.adopt(guideid);
  await open.flush();
  mustBeSound(open.draft);
  const waiting = drafts.openSaves(guideid);
  if (waiting.some((call) => call.state === 'conflict')) return queueResolved(context, guideid);
  const last = waiting.at(-1);
  if (last !== undefined && isUnsent(last)) await saveInto(context, open, last);
  else await saveAnew(context, open, last);
}

/** Opens the draft of a new guide, or an empty one again, and stores it so that its address stays valid. */
async function newGuide(context: ActionContext): Promise<string> {
  const { drafts } = context;
  const open = drafts.findBlank() ?? (await drafts.openFor(newTemporaryId(context).id, null));
  open.keep();
  await open.flush();
  return open.id;
}

function mustBeSound(draft: GuideDraft): void {
  if (draft.conflicts.length > 0) throw new Problem('conflict', 'Decide the open conflicts first');
  const flaws = draft.flaws();
  const { title, category } = draft.content();
  const missing = [
    ...(title.trim() === '' ? [{ field: 'title', message: 'A guide needs a title' }] : []),
    ...(category === '' ? [{ field: 'category', message: 'A guide needs a category' }] : []),
  ];
  const errors = [...missing, ...flaws.map(({ place, message }) => ({ field: pathId(place), message }))];
  const first = errors[0];
  if (first !== undefined) throw new Problem('invalid', first.message, { errors });
}

/** Changes an unsent save to the draft's present content. */
async function saveInto(context: ActionContext, open: OpenDraft, last: OutboxCall): Promise<void> {
  const { outbox } = context.sources.core;
  const save = guideSaveOf(last);
  if (save === undefined) return;
  const { merged: content, conflicts } = mergeGuide(sentBy(open, save), open.draft.content(), save.content);
  if (conflicts.length > 0) return contestSave(context, last);
  const next: GuideSave = { ...save, content };
  const isFollower = context.drafts.openSaves(open.id)[0] !== last;
  const body = last.kind === 'guide-create' ? createBody(content) : saveBody(next, isFollower);
  if (body === null) return takeBack(context, last);
  const change = { body, context: next, state: 'queued', refusal: null } as const;
  await sendFrom(context, open, save.saveId, () => outbox.change(last.id, change));
}

/**
 * Adds a new save: the first one, or one that follows a save which may be under way, or which the server has and the
 * mirror has not yet.
 */
async function saveAnew(
  context: ActionContext,
  open: OpenDraft,
  last: OutboxCall | undefined,
): Promise<void> {
  const content = open.draft.content();
  const made = last ?? context.drafts.awaitedSaves(open).at(-1);
  const under = made === undefined ? undefined : guideSaveOf(made);
  const isMerged = under !== undefined && !sameValue(sentBy(open, under), under.content);
  const base = under === undefined || isMerged ? open.draft.base : under.base;
  const saveId = context.sources.core.environment.uuid();
  const before =
    under === undefined ? (base === null ? emptyContent() : contentOf(base)) : sentBy(open, under);
  const isNew = base === null && under === undefined;
  const save: GuideSave = { saveId, base, before, content };
  const body = isNew ? createBody(content) : saveBody(save, last !== undefined);
  if (body === null) return;
  const isStale = isMerged || made !== last;
  const call = isNew ? creation(open, body, save) : edition(context, open, body, save, isStale);
  await sendFrom(context, open, saveId, async () => void (await context.sources.core.outbox.add([call])));
}

function creation(open: OpenDraft, body: object, save: GuideSave): NewCall {
  return {
    id: bare(open.id),
    kind: 'guide-create',
    lane: `guide:${bare(open.id)}`,
    method: 'POST',
    path: '/guides',
    body,
    target: { collection: 'guides', id: temporaryId(bare(open.id)) },
    subject: save.content.title,
    context: save,
  };
}

/**
 * The content of the draft when a save was made. The save has another content after it was merged with the server's
 * version, which the draft does not know yet.
 */
function sentBy({ draft }: OpenDraft, save: GuideSave): GuideContent {
  return draft.sentContent(save.saveId) ?? save.content;
}

/**
 * A save of an existing guide. `isStale`: the save before it was merged, or is on the server already, so this one must
 * name an old revision, to be merged with the server's version (see `unsettleFollowers`).
 */
function edition(
  context: ActionContext,
  open: OpenDraft,
  body: object,
  save: GuideSave,
  isStale: boolean,
): NewCall {
  const id = context.resolve(open.id);
  const revisionid = isStale ? String(save.base?.revisionid ?? 0) : guideRevision(context, id, save.base);
  return {
    kind: 'guide-save',
    lane: laneOf(context, 'guide', 'guides', id),
    method: 'PATCH',
    path: `/guides/${id}`,
    query: { revisionid },
    body,
    target: { collection: 'guides', id },
    subject: save.content.title,
    context: save,
    // The guide is identified by its uid: after a restore its number may belong to another one.
    ...(save.base?.uid === undefined ? {} : { record: { c: 'guides', id, uid: save.base.uid } }),
  };
}

/**
 * Makes a save of the draft. The draft remembers the save's content, so that its own effect causes no conflict when it
 * comes back. That is journalled after the call: if a draft remembered a save that was never made, the server's version
 * would look as if somebody had undone it.
 */
async function sendFrom(
  context: ActionContext,
  open: OpenDraft,
  saveId: string,
  send: () => Promise<void>,
): Promise<void> {
  await open.hold(async () => {
    open.draft.markSent(saveId);
    open.markSaved(true);
    try {
      await send();
    } catch (error) {
      open.draft.forgetSent(saveId);
      throw error;
    }
  });
  await open.flush();
  await context.drafts.settle(open);
}
