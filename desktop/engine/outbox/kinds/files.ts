import { media } from '#shared/api/media.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';

import type { CallKindSpec } from './kind.ts';

function fileName({ query }: OutboxCall): string {
  return query['file'] ?? '';
}

/** Calls that carry a file. */
export const fileKinds = {
  // The file of an import stays on its device (WAITING-7).
  'archive-import': { activity: 'file', endpoints: [], hasOwnName: true, detail: ({ subject }) => subject },
  'upload-image': { activity: 'picture', endpoints: [media.addImage], hasOwnName: true, detail: fileName },
  'upload-document': { activity: 'file', endpoints: [media.addDocument], hasOwnName: true, detail: fileName },
  'upload-video': { activity: 'file', endpoints: [media.addVideo], hasOwnName: true, detail: fileName },
} satisfies Record<string, CallKindSpec>;
