import type { DocumentRef } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { Context } from '#server/core/context.ts';
import { addImage } from '#server/features/media/store.ts';

import type { IdChoice, ImportedIds } from './ids.ts';
import { measuredRef, type ImportedImage } from './images.ts';

/**
 * Inserts a row for a picture. One without bytes is drawn at its first request, and gets its bytes when they come along
 * later. A picture with a known guid is the same picture, because guids cannot be guessed. Returns the reference to use.
 */
export async function storeImage(
  ctx: Context,
  ids: ImportedIds,
  image: ImportedImage,
  userid: number,
  choice: IdChoice,
): Promise<ImageRef> {
  const { ref, drawing, file } = image;
  const known = await ctx.db
    .selectFrom('images')
    .select(['imageid', 'width', 'height', 'markup', 'sha256'])
    .where('guid', '=', ref.guid)
    .executeTakeFirst();
  if (known !== undefined) {
    await ids.remember('image', ref.id, known.imageid);
    if (known.sha256 === null && file !== undefined) {
      await ctx.db
        .updateTable('images')
        .set({ ...file, drawing: null })
        .where('imageid', '=', known.imageid)
        .execute();
      return refOf(ref, known.imageid, file);
    }
    return refOf(ref, known.imageid, known.sha256 === null ? { ...ref, markup: known.markup } : known);
  }
  const keepsId = choice === 'keep' && ref.id > 0 && !(await imageExists(ctx, ref.id));
  const imageid = await addImage(ctx, {
    ...(keepsId ? { imageid: ref.id } : {}),
    guid: ref.guid,
    userid,
    filename: `${ref.guid}.${file?.format ?? 'jpg'}`,
    ...(file ?? {
      width: ref.width,
      height: ref.height,
      size: 0,
      sha256: null,
      format: 'jpeg',
      drawing,
    }),
    unmanaged: true,
  });
  await ids.remember('image', ref.id, imageid);
  return refOf(ref, imageid, file ?? { ...ref, markup: null });
}

/** The reference with the id, measures and markers that the picture has here. */
function refOf(
  ref: ImageRef,
  id: number,
  { width, height, markup }: Pick<ImageRef, 'width' | 'height'> & { markup: string | null },
): ImageRef {
  return { ...measuredRef(ref, { width, height }), id, ...(markup === null ? {} : { markup }) };
}

async function imageExists(ctx: Context, imageid: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('images')
    .select('imageid')
    .where('imageid', '=', imageid)
    .executeTakeFirst();
  return row !== undefined;
}

/** The stored bytes of a document. */
export interface ImportedFile {
  sha256: string;
  size: number;
  filename: string;
}

/**
 * Inserts a row for a document. One without a file gets it when it comes along later. Returns the reference to use.
 */
export async function storeDocument(
  ctx: Context,
  ids: ImportedIds,
  document: DocumentRef,
  userid: number,
  choice: IdChoice,
  file?: ImportedFile,
): Promise<DocumentRef> {
  const known = await ctx.db
    .selectFrom('document_files')
    .select(['documentid', 'sha256'])
    .where('guid', '=', document.guid)
    .executeTakeFirst();
  const documentid = known?.documentid ?? (await addDocumentRow(ctx, document, userid, choice, file));
  if (known !== undefined && known.sha256 === null && file !== undefined)
    await ctx.db.updateTable('document_files').set(file).where('documentid', '=', documentid).execute();
  await ids.remember('document', document.documentid, documentid);
  return { ...document, documentid };
}

async function addDocumentRow(
  ctx: Context,
  document: DocumentRef,
  userid: number,
  choice: IdChoice,
  file: ImportedFile | undefined,
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
      title: document.text,
      created_date: ctx.seconds,
      ...(file ?? {
        filename: document.url.split('/').at(-1)?.split('?')[0] ?? document.text,
        size: 0,
        sha256: null,
      }),
    })
    .returning('documentid')
    .executeTakeFirstOrThrow();
  return row.documentid;
}
