import { applyEdit, madeFrom } from '#shared/rules/guide-edit.ts';

import type { DoingKind } from '../plan.ts';
import type { SeenOf } from '../user-session.ts';
import { wordOf, wordsIn } from '../words.ts';
import type { Acting, Perform } from './acting.ts';
import { editOf } from './guide-edits.ts';
import { pictureFile } from './picture-file.ts';

/** Actions on drafts of guides: edits, saves, and drafts that are given up. */
export const draftDoings = {
  'save-guide': (acting) => edit(acting, true),
  'edit-draft': (acting) => edit(acting, false),
  picture,
  'save-draft': saveDraft,
  'discard-draft': discardDraft,
} satisfies Partial<Record<DoingKind, Perform>>;

interface OpenDraft {
  id: string;
  /** Of the guide. */
  title: string;
  draft: NonNullable<SeenOf<'draft'>>;
}

async function edit(acting: Acting, saves: boolean): Promise<void> {
  const { actions, done } = acting;
  const opened = await openDraft(acting);
  if (opened === null) return;
  const { id, title, draft } = opened;
  const wanted = editOf(acting, draft.content);
  if (wanted === null) return;
  const operation = madeFrom(wanted, draft.content);
  acting.say(`${saves ? 'save' : 'edit'} ${operation.op} ${wordOf(acting.doing.id)} on ${title}`);
  const left = new Set(wordsIn(JSON.stringify(applyEdit(draft.content, operation))));
  done.takenBack.push(...wordsIn(JSON.stringify(draft.content)).filter((word) => !left.has(word)));
  await actions.editDraft(id, operation);
  if (saves) await actions.saveDraft(id);
}

async function picture(acting: Acting): Promise<void> {
  const { actions } = acting;
  const opened = await openDraft(acting);
  const step = acting.one(opened?.draft.content.steps ?? [], 2);
  if (opened === null || step === undefined) return;
  const { id, title } = opened;
  const { file } = pictureFile(acting);
  acting.say(`picture on ${title}, ${file.size} bytes`);
  await actions.addDraftPicture(id, step.key, file, `picture-${acting.doing.id}.png`);
  await actions.saveDraft(id);
}

/** Opens the draft of a guide that the person may edit. */
async function openDraft(acting: Acting): Promise<OpenDraft | null> {
  const guide = await acting.guide();
  if (guide === null || !guide.canEdit || guide.editState === 'conflict') return null;
  const id = await acting.actions.openDraft(guide.guideid);
  acting.drafts.add(id);
  const draft = await acting.look('draft', id);
  return draft === null ? null : { id, title: guide.title, draft };
}

/** A guide with edits without a save. */
async function editedGuide(acting: Acting): Promise<string | undefined> {
  const open: string[] = [];
  for (const id of acting.drafts) {
    const draft = await acting.look('draft', id);
    if (draft?.dirty === true) open.push(id);
  }
  return acting.one(open, 0);
}

async function saveDraft(acting: Acting): Promise<void> {
  const id = await editedGuide(acting);
  if (id === undefined) return;
  acting.say('save-draft');
  await acting.actions.saveDraft(id);
}

async function discardDraft(acting: Acting): Promise<void> {
  const id = await editedGuide(acting);
  if (id === undefined) return;
  acting.say('discard-draft');
  const draft = await acting.look('draft', id);
  acting.done.takenBack.push(...wordsIn(JSON.stringify(draft?.content)));
  await acting.actions.discardDraft(id);
}
