import type { OutboxCall } from '#desktop/engine/platform/ports.ts';

import type { CallKindSpec } from './kind.ts';

function fileName({ query }: OutboxCall): string {
  return query['file'] ?? '';
}

/** Calls that carry a file. */
export const fileKinds = {
  // The file of an import stays on its device (WAITING-7).
  'archive-import': { activity: 'file', hasOwnName: true, detail: ({ subject }) => subject },
  'upload-image': { activity: 'picture', hasOwnName: true, detail: fileName },
  'upload-document': { activity: 'file', hasOwnName: true, detail: fileName },
  'upload-video': { activity: 'file', hasOwnName: true, detail: fileName },
} satisfies Record<string, CallKindSpec>;
