import { Problem } from '#shared/api/problem.ts';
import { blobSource } from '#shared/formats/omanual/source.ts';

import type { CoreActions, ExportedWork } from '../api/engine.ts';
import { readWork } from '../features/waiting-work/read.ts';
import { writeWork } from '../features/waiting-work/write.ts';
import type { ActionContext } from '../features/action-context.ts';

/** Exports waiting work as a file, and imports it. */
export function waitingWorkActions(
  context: ActionContext,
): Pick<CoreActions, 'exportWaiting' | 'importWaiting'> {
  const { sources, archives } = context;
  const { core } = sources;
  return {
    async exportWaiting(title) {
      const owner = core.work.owner();
      if (owner === null) throw new Problem('unauthorized', 'Sign in first');
      const day = new Date(core.environment.now()).toISOString().slice(0, 10);
      let written: ExportedWork | null = null;
      const isGiven = await archives.giveOnce(
        { filename: `waiting-work-${day}.jsonl`, title },
        async (sink) => {
          written = await writeWork(context, owner, sink);
        },
      );
      return isGiven ? written : null;
    },
    importWaiting: (file) => readWork(context, blobSource(file)),
  };
}
