import type { DocumentRef } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { Context } from '#server/core/context.ts';
import { addImage } from '#server/features/media/store.ts';

import type { IdChoice, ImportedIds } from './ids.ts';
import type { ImportedImage } from './images.ts';

/**
 * Inserts a row for a picture without bytes; a drawing is made at its first request. A picture with a known guid is the
 * same picture, because guids cannot be guessed. Returns the reference to use.
 */
export async function storeImage(
  ctx: Context,
  ids: ImportedIds,
  { ref, drawing }: ImportedImage,
  userid: number,
  choice: IdChoice,
): Promise<ImageRef> {
  const known = await ctx.db
    .selectFrom('images')
    .select(['imageid', 'width', 'height', 'markup'])
    .where('guid', '=', ref.guid)
    .executeTakeFirst();
  if (known !== undefined) {
    await ids.remember('image', ref.id, known.imageid);
    return { ...ref, id: known.imageid, ...(known.markup === null ? {} : { markup: known.markup }) };
  }
  const keepsId = choice === 'keep' && ref.id > 0 && !(await imageExists(ctx, ref.id));
  const imageid = await addImage(ctx, {
    ...(keepsId ? { imageid: ref.id } : {}),
    guid: ref.guid,
    userid,
    filename: `${ref.guid}.jpg`,
    width: ref.width,
    height: ref.height,
    size: 0,
    sha256: null,
    format: 'jpeg',
    drawing,
    unmanaged: true,
  });
  await ids.remember('image', ref.id, imageid);
  return { ...ref, id: imageid };
}

async function imageExists(ctx: Context, imageid: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('images')
    .select('imageid')
    .where('imageid', '=', imageid)
    .executeTakeFirst();
  return row !== undefined;
}

/** Inserts a row for a document without a file. Returns the reference to use. */
export async function storeDocument(
  ctx: Context,
  ids: ImportedIds,
  document: DocumentRef,
  userid: number,
  choice: IdChoice,
): Promise<DocumentRef> {
  const known = await ctx.db
    .selectFrom('document_files')
    .select('documentid')
    .where('guid', '=', document.guid)
    .executeTakeFirst();
  const documentid = known?.documentid ?? (await addDocumentRow(ctx, document, userid, choice));
  await ids.remember('document', document.documentid, documentid);
  return { ...document, documentid };
}

async function addDocumentRow(
  ctx: Context,
  document: DocumentRef,
  userid: number,
  choice: IdChoice,
): Promise<number> {
  const taken = await ctx.db
    .selectFrom('document_files')
    .select('documentid')
    .where('documentid', '=', document.documentid)
    .executeTakeFirst();
  const row = await ctx.db
    .insertInto('document_files')
    .values({
      ...(choice === 'keep' && taken === undefined ? { documentid: document.documentid } : {}),
      guid: document.guid,
      userid,
      filename: document.url.split('/').at(-1)?.split('?')[0] ?? document.text,
      title: document.text,
      size: 0,
      sha256: null,
      created_date: ctx.seconds,
    })
    .returning('documentid')
    .executeTakeFirstOrThrow();
  return row.documentid;
}
