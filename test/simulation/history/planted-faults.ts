import { forgottenKeys } from '#test/support/forgotten-keys.ts';
import type { PlantedFault } from '#test/support/planted-fault.ts';

/** Faults of the server that the history must show. */
export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'guide-revision-ignored',
    breaks: 'A save of a guide on top of an older revision is taken',
    where: 'server',
    edits: [
      {
        file: 'sync-server/features/guides/edit.ts',
        find: `    revisionid !== before.revisionid ||
    (steps !== undefined && !namesEveryStep(before, steps, removed ?? []));`,
        replace: '    steps !== undefined && !namesEveryStep(before, steps, removed ?? []);',
      },
    ],
  },
  {
    name: 'step-revision-ignored',
    breaks: 'A save of a step on top of an older revision is taken',
    where: 'server',
    edits: [
      {
        file: 'sync-server/features/guides/edit-steps.ts',
        find: `  await validate(ctx, contentOf(before), content);
  if (revisionid !== step.revisionid) throw conflict(await fullStep(ctx, before, stepid));`,
        replace: '  await validate(ctx, contentOf(before), content);',
      },
    ],
  },
  {
    name: 'page-revision-ignored',
    breaks: 'A save of a page on top of an older revision is taken',
    where: 'server',
    edits: [
      {
        file: 'sync-server/features/wikis/edit.ts',
        find: '  if (revisionid !== undefined && revisionid !== newestVersion(facts).revisionid)',
        replace: '  if (revisionid === 0)',
      },
    ],
  },
  {
    name: 'stale-responses',
    breaks: 'The response cache answers with what was there before the last save',
    where: 'server',
    edits: [
      {
        file: 'sync-server/http/response-cache.ts',
        find: 'one.version === other.version && one.settings',
        replace: 'one.version - (one.version % 20) === other.version - (other.version % 20) && one.settings',
      },
    ],
  },
  {
    name: 'keys-forgotten',
    breaks: 'A save that is sent again under its key is treated as another one',
    where: 'server',
    edits: forgottenKeys,
  },
  {
    name: 'answered-before-commit',
    breaks: 'A save is answered before it is committed, and gone when the server is killed then',
    where: 'server',
    edits: [
      {
        file: 'sync-server/storage/group-commit.ts',
        find: `          done.push(await this.#attempt(job, tx, jobs.length === 1));
        }
        return done;`,
        replace: `          done.push(await this.#attempt(job, tx, jobs.length === 1));
        }
        for (const answer of done) answer();
        await letOthersIn();
        return [];`,
      },
    ],
  },
];
