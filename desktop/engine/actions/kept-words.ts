import { firstValueFrom } from 'rxjs';

import { Problem } from '#shared/api/problem.ts';

import type { CoreActions } from '../api/engine.ts';
import {
  type KeptWords,
  type UnreadableWords,
  keptIdOf,
  needsPerson,
  unreadableIdOf,
} from '../account/leaving/quarantine.ts';
import type { ActionContext } from '../features/action-context.ts';

/** Exports and discards kept words. */
export function keptWordsActions({
  sources,
}: ActionContext): Pick<CoreActions, 'exportKept' | 'discardKept'> {
  const { leaving } = sources.core;
  const read = async (id: string): Promise<KeptWords[]> => {
    const kept = await firstValueFrom(leaving.kept);
    const found = kept.filter((one) => needsPerson(one) && keptIdOf(one) === id);
    if (found.length === 0) throw new Problem('not-found', 'This text is no longer kept here');
    return found;
  };
  const unreadable = async (id: string): Promise<UnreadableWords | undefined> =>
    (await firstValueFrom(leaving.unreadable)).find((one) => unreadableIdOf(one) === id);
  return {
    async exportKept(id) {
      const sealed = await unreadable(id);
      if (sealed !== undefined)
        return {
          filename: `${sealed.id.replaceAll(/[^\w-]/g, '-')}.json`,
          json: JSON.stringify(sealed.value, null, 2),
        };
      const items = await read(id);
      const record = items.map(({ at, isComment, words }) => ({
        writtenAt: new Date(at).toISOString(),
        kind: isComment ? 'comment' : 'edit',
        words,
      }));
      return {
        filename: `${id.replaceAll('/', '-')}.json`,
        json: JSON.stringify({ record: id, texts: record }, null, 2),
      };
    },
    async discardKept(id) {
      const sealed = await unreadable(id);
      await leaving.release(sealed === undefined ? (await read(id)).map((one) => one.id) : [sealed.id]);
    },
  };
}
