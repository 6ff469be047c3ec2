import type { EntryFacts } from '#shared/model/work-log.ts';
import { decidesDeviations } from '#shared/rules/deviations.ts';
import { deciding } from '#server/core/deciding.ts';
import type { Viewer } from '#server/core/viewer.ts';

/** Whoever sees an entry sees its deviations; whoever worked on it reports them (`entry.see`, `entry.act`). */
const deviationRules = {
  'deviation.decide': (viewer: Viewer, { entry }: { entry: EntryFacts }): boolean =>
    decidesDeviations(viewer, entry),
};

export const can = deciding(deviationRules);
