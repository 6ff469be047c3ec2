import { invalid } from '#shared/api/problem.ts';
import type { TrainingImport } from '#shared/model/training.ts';
import { RefusedAddress, publicMessageOf } from '#server/platform/outbound.ts';
import { mustUserid, type Context, type Remembered } from '#server/core/context.ts';
import { enqueueJob } from '#server/jobs/store.ts';
import { importJobKind, type ImportInput } from '#server/features/training/import-job.ts';

import { beginImport, mustBeStartable, representImport } from './imports.ts';

/** Starts an import from an address; throws 422 for an address that the server may not call. */
export async function startByUrl(
  ctx: Context,
  importid: number,
  url: string,
): Promise<Remembered<TrainingImport>> {
  await mustBeStartable(ctx.db, importid);
  await ctx.services.outbound.check(url).catch((error: unknown) => {
    throw error instanceof RefusedAddress ? invalid('url', publicMessageOf(error, ctx.services.log)) : error;
  });
  return ctx.write((inside) => begin(inside, { importid, url, name: `${importid}-url` }));
}

/** Starts an import from an upload: a zip file, or a form with one. */
export async function startByUpload(
  ctx: Context,
  importid: number,
  body: Uint8Array,
): Promise<Remembered<TrainingImport>> {
  await mustBeStartable(ctx.db, importid);
  const bytes = await fileIn(body, ctx.headers['content-type'] ?? '');
  const { files } = ctx.services.training;
  const name = `${importid}-${Buffer.from(ctx.services.randomBytes(8)).toString('hex')}`;
  await files.keepPackage(name, (file) => file.writeFile(bytes));
  try {
    return await ctx.write((inside) => begin(inside, { importid, url: null, name }));
  } catch (error) {
    await files.dropPackage(name);
    throw error;
  }
}

/** Enqueues the job. Of two concurrent calls, the second is refused here. */
async function begin(ctx: Context, input: ImportInput): Promise<Remembered<TrainingImport>> {
  const { importid } = input;
  await mustBeStartable(ctx.db, importid);
  const job = { kind: importJobKind, userid: mustUserid(ctx), subject: `import:${importid}`, input };
  await beginImport(ctx, importid, await enqueueJob(ctx, job));
  return ctx.respondWithRecord('trainingImport', importid, representImport(ctx, importid));
}

/** The bytes of the uploaded file, extracted from a form if it is in one. */
async function fileIn(body: Uint8Array, type: string): Promise<Uint8Array> {
  if (!/^multipart\/form-data/i.test(type)) return body;
  const form = await new Response(body.slice(), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null);
  const files = form === null ? [] : [...form.values()].filter((value) => value instanceof File);
  const [file] = files;
  if (file === undefined || files.length > 1) throw invalid('body', 'The form must hold one file');
  return new Uint8Array(await file.arrayBuffer());
}
