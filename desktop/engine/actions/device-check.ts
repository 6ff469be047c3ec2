import type { Actions } from '../api/engine.ts';
import type { Difference } from '../sync/mirror/check.ts';
import type { ActionContext } from './calls.ts';

/** Compares this device with the server. Differences have the titles by which people know the records. */
export function deviceCheckActions({ sources }: ActionContext): Pick<Actions, 'checkDevice'> {
  const { mirror, sync } = sources.core;
  const titleOf = async ({ c, id }: Difference): Promise<string> => {
    if (c === 'guides') return (await mirror.get(c, id))?.facts.title ?? '';
    if (c === 'wikis') return (await mirror.get(c, id))?.facts.title ?? '';
    if (c === 'workLog') return (await mirror.get(c, id))?.facts.workorderid ?? '';
    return '';
  };
  return {
    async checkDevice() {
      const { records, differences } = await sync.check();
      return {
        records,
        differences: await Promise.all(
          differences.map(async (difference) => ({ ...difference, title: await titleOf(difference) })),
        ),
      };
    },
  };
}
