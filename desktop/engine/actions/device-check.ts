import type { SyncedCollection } from '#shared/sync/wire.ts';

import type { CoreActions } from '../api/engine.ts';
import { mirrorKinds } from '../storage/mirror-kinds.ts';
import type { ActionContext } from '../features/action-context.ts';

/** Compares this device with the server. Differences have the titles by which people know the records. */
export function deviceCheckActions({ sources }: ActionContext): Pick<CoreActions, 'checkDevice'> {
  const { mirror, sync } = sources.core;
  const titleOf = async <C extends SyncedCollection>(c: C, id: string): Promise<string> => {
    const title = mirrorKinds[c]?.title;
    const record = title === undefined ? null : await mirror.get(c, id);
    return record === null ? '' : (title?.(record.facts) ?? '');
  };
  return {
    async checkDevice() {
      const { records, differences } = await sync.check();
      return {
        records,
        differences: await Promise.all(
          differences.map(async (difference) => ({
            ...difference,
            title: await titleOf(difference.c, difference.id),
          })),
        ),
      };
    },
  };
}
