import { Problem } from '#shared/api/problem.ts';

import type { NewCall } from '../platform/ports.ts';
import { type ActionContext, newTemporaryId } from './calls.ts';

const paths = {
  image: '/user/media/images',
  document: '/user/media/documents',
  video: '/user/media/videos',
} as const;

/**
 * Keeps a file in the journal, and adds the call that uploads it with those that `beside` makes with its temporary id; all
 * of it is safe on this device when this resolves. Returns the id.
 */
export async function keepFile(
  context: ActionContext,
  file: Blob,
  filename: string,
  kind: keyof typeof paths,
  beside: (id: string) => Promise<NewCall[]> = async () => [],
): Promise<string> {
  const { journal, outbox } = context.sources.core;
  const { key, id } = newTemporaryId(context);
  await journal.putFile(key, file, { type: file.type, name: filename });
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
  try {
    await outbox.add([upload, ...(await beside(id))]);
  } catch (error) {
    // What is refused was not journalled: no call names the file. Any other error may have come after that.
    if (error instanceof Problem) await journal.deleteFile(key);
    throw error;
  }
  return id;
}
