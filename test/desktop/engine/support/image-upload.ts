import type { NewCall } from '#desktop/engine/platform/ports.ts';

/** An upload of the picture that the journal stores as `fileId`; without `id` the outbox assigns one. */
export function imageUpload(fileId: string, id?: string) {
  return {
    ...(id === undefined ? {} : { id }),
    kind: 'upload-image',
    lane: `upload/${fileId}`,
    method: 'POST',
    path: '/user/media/images',
    query: { file: 'belt.png' },
    fileId,
    target: { collection: 'media', id: `tmp:${id ?? fileId}` },
    subject: 'belt.png',
  } satisfies NewCall;
}
