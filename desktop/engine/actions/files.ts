import type { NewCall } from '../ports.ts';
import type { ActionContext } from './calls.ts';
import { newTemporaryId } from './calls.ts';

const paths = {
  image: '/user/media/images',
  document: '/user/media/documents',
  video: '/user/media/videos',
} as const;

/**
 * Keeps a file in the journal; it is safe on this device when this resolves. Returns the call that uploads it and the
 * temporary id that stands for it until then.
 */
export async function keepFile(
  context: ActionContext,
  file: Blob,
  filename: string,
  kind: keyof typeof paths,
): Promise<{ upload: NewCall; id: string }> {
  const { key, id } = newTemporaryId(context);
  await context.sources.core.journal.putFile(key, file, { type: file.type, name: filename });
  const upload: NewCall = {
    id: key,
    kind: `upload-${kind}`,
    lane: `media:${key}`,
    method: 'POST',
    path: paths[kind],
    query: { file: filename },
    fileId: key,
    target: { collection: 'media', id },
    subject: filename,
  };
  return { upload, id };
}
