import { notFound } from '#shared/api/problem.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { GuideEditOperation } from '#shared/rules/guide-edit.ts';
import { guideLimits } from '#shared/rules/guide-limits.ts';

import type { MadePicture } from '../api/records.ts';
import { documentOf } from '../features/media/documents.ts';
import type { OpenDraft } from '../drafts/open-draft.ts';
import { type ActionContext, impossible } from '../features/action-context.ts';
import { keepFile } from '../features/keep-file.ts';
import { imageSize } from './image-size.ts';

/** Edits the open draft of a guide. Null when the guide was lost; then the edit is added to the kept words. */
export async function editOpen(
  { drafts, leaving }: ActionContext,
  guideid: string,
  operation: GuideEditOperation,
): Promise<OpenDraft | null> {
  if (drafts.find(guideid) === undefined && (await leaving.editLost(guideid, operation))) return null;
  const open = drafts.read(guideid);
  open.draft.apply(operation);
  return open;
}

/** Adds a picture from a file to a step. The file is stored first; its upload waits like every other call. */
export async function addPicture(
  context: ActionContext,
  guideid: string,
  stepKey: string,
  file: Blob,
  filename: string,
): Promise<void> {
  await context.drafts.toEdit();
  const open = context.drafts.read(guideid);
  picturesBesideOneMore(open, stepKey);
  const image = await keptPicture(context, file, filename);
  // Read again: other pictures may have been added while the file was stored.
  const data = [...picturesBesideOneMore(open, stepKey), image];
  const value = { type: 'image' as const, data };
  const edited = await editOpen(context, guideid, { op: 'setStepMedia', step: stepKey, value });
  await edited?.flush();
}

/**
 * Replaces a picture of a step by one made from it. Returns the guid of the new one.
 *
 * - PICTURE-2 A cropped or turned picture is a new one, stored and uploaded like one that was added. It takes the place of
 *   the old one in the step, with one step of undo; the old one stays as it is.
 */
export async function replacePicture(
  context: ActionContext,
  guideid: string,
  stepKey: string,
  guid: string,
  { file, filename, markup }: MadePicture,
): Promise<string> {
  await context.drafts.toEdit();
  const open = context.drafts.read(guideid);
  picturesWith(open, stepKey, guid);
  const made = await keptPicture(context, file, filename);
  const image = markup === undefined ? made : { ...made, markup };
  // Read again: the step may have changed while the file was stored.
  const data = picturesWith(open, stepKey, guid).map((other) => (other.guid === guid ? image : other));
  const value = { type: 'image' as const, data };
  const edited = await editOpen(context, guideid, { op: 'setStepMedia', step: stepKey, value });
  await edited?.flush();
  return image.guid;
}

/** A picture whose file is stored, and waits for its upload. */
async function keptPicture(context: ActionContext, file: Blob, filename: string): Promise<ImageRef> {
  const size = imageSize(new Uint8Array(await file.arrayBuffer()));
  if (size === null) throw impossible('This file is not a picture that can be shown');
  const id = await keepFile(context, file, filename, 'image');
  return { id: 0, guid: id, ...size };
}

/** The pictures of a step. Throws when this one is not among them. */
function picturesWith(open: OpenDraft, stepKey: string, guid: string): ImageRef[] {
  const pictures = picturesOf(open, stepKey);
  if (!pictures.some((one) => one.guid === guid)) throw notFound('Image');
  return pictures;
}

function picturesOf({ draft }: OpenDraft, stepKey: string): ImageRef[] {
  const media = draft.content().steps.find((step) => step.key === stepKey)?.media;
  if (media === undefined) throw notFound('Step');
  return media.type === 'image' ? media.data : [];
}

/** The pictures of a step. Throws when it cannot have another one. */
function picturesBesideOneMore(open: OpenDraft, stepKey: string): ImageRef[] {
  const pictures = picturesOf(open, stepKey);
  if (pictures.length >= guideLimits.pictures)
    throw impossible(`A step has at most ${guideLimits.pictures} pictures`);
  return pictures;
}

/** Adds a document from a file, which is stored and uploaded like a picture. */
export async function addDocument(
  context: ActionContext,
  guideid: string,
  file: Blob,
  filename: string,
): Promise<void> {
  await context.drafts.toEdit();
  const open = context.drafts.read(guideid);
  const id = await keepFile(context, file, filename, 'document');
  const value = [...open.draft.content().documents, documentOf({ documentid: 0, guid: id, filename })];
  const edited = await editOpen(context, guideid, { op: 'setList', field: 'documents', value });
  await edited?.flush();
}
