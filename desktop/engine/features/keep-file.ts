import { Problem } from '#shared/api/problem.ts';

import type { NewCall } from '../platform/ports.ts';
import { type ActionContext, newTemporaryId } from './action-context.ts';

const paths = {
  image: '/user/media/images',
  document: '/user/media/documents',
  video: '/user/media/videos',
} as const;

/**
 * Stores a file in the journal, and adds the call that uploads it. `beside` makes further calls with its temporary id,
 * which are added with it. Resolves to the id when all of it is safe on this device.
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
    // After a `Problem` nothing was journalled, so no call names the file. Other errors may come after journalling.
    if (error instanceof Problem) await journal.deleteFile(key);
    throw error;
  }
  return id;
}
