import type { Mutant } from './mutants.ts';

/** Bugs invented by an engineer who had read the product but not its tests. */
export const mutantsOfReader: readonly Mutant[] = [
  {
    promise: 5,
    name: 'late-rows-after-removal',
    breaks:
      'A person loses a guide while the answer to their own save of it is stuck on the way; when that late answer arrives after the removal, its older row brings the guide back onto the device, where it stays readable.',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/sync/mirror/mirror-writer.ts',
        find: '    return known;',
        replace: '    return new Map([...known].filter(([, stored]) => !stored._deleted));',
      },
    ],
  },
  {
    promise: 4,
    name: 'late-401',
    breaks:
      'The session ends, the person signs in again at once, and a slow 401 to a request that bore the old token arrives afterwards: the new session counts as expired, and the device neither pulls nor sends until somebody signs in once more.',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/sync/mirror/answer.ts',
        find: `  const { token } = connection;
  const answering = await request;
`,
        replace: `  const answering = await request;
  const { token } = connection;
`,
      },
    ],
  },
  {
    promise: 2,
    name: 'revision-of-replay',
    breaks:
      "The answer to a save is lost, somebody else edits the guide, and the repeated answer shows their version: the person's next waiting save is given that revision, meets no 409, and silently replaces what the other one wrote.",
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/outbox/response-handler.ts',
        find: `      // A replay shows the record as it is now, not as this call left it.
      return [done, ...passRevision(calls, done, answer.replayed ? undefined : targetRow(done, answer.rows))];
`,
        replace: `      return [done, ...passRevision(calls, done, targetRow(done, answer.rows))];
`,
      },
    ],
  },
  {
    promise: 6,
    name: 'sent-calls-by-own-clock',
    breaks:
      'A device starts once with a clock that runs months ahead and forgets every call it ever sent; when the server is then restored from an older backup, nothing of what the backup lacks is offered again.',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/outbox/sent-log.ts',
        find: `    // Age is measured from the newest call if the clock is ahead of it.
    const newest = Math.min(now, Math.max(...calls.map(({ doneAt }) => doneAt ?? now)));
    const isOld = ({ doneAt }: OutboxCall): boolean => newest - (doneAt ?? newest) > sentLife;
`,
        replace: `    const isOld = ({ doneAt }: OutboxCall): boolean => now - (doneAt ?? now) > sentLife;
`,
      },
    ],
  },
  {
    promise: 1,
    name: 'batches-before-record',
    breaks:
      'The app ends (or the disk is full and the app ends later) just when a draft is written anew as a whole: its last batches, of up to forty, are out of the journal while the stored record is still the old one, so that edits shown as saved on this device are missing after the restart.',
    where: 'app',
    edits: [
      {
        file: 'desktop/engine/drafts/open-draft.ts',
        find: `    await this.#deps.store.put(this.id, { ...stored, version: draftVersion });
    await this.#removeBatches(batch);
`,
        replace: `    await this.#removeBatches(batch);
    await this.#deps.store.put(this.id, { ...stored, version: draftVersion });
`,
      },
    ],
  },
  {
    promise: 5,
    name: 'audience-past-to-edit',
    breaks:
      'While a device is offline its person leaves a team, then a guide of that team is edited and after that moved to another audience: the next pull tells no removal of it, and the guide stays on the device of somebody who may no longer see it.',
    where: 'server',
    edits: [
      {
        file: 'sync-server/sync/access-past.ts',
        find: `    .whereRef('audience_before', '!=', 'audience_after')
`,
        replace: '',
      },
    ],
  },
  {
    promise: 2,
    name: 'step-removal-without-revision',
    breaks:
      "Somebody rewrites a step while a colleague deletes it offline: the save with the deletion names the step's old revision and is accepted instead of answered with 409, so that the rewritten step vanishes without a conflict for anybody.",
    where: 'server',
    edits: [
      {
        file: 'sync-server/features/guides/edit.ts',
        find: `  const revisions = new Map(named.map((step) => [step.stepid, step.revisionid]));
  return before.steps.every((step) => revisions.get(step.stepid) === step.revisionid);
`,
        replace: `  const gone = new Set(removed.map(({ stepid }) => stepid));
  const revisions = new Map(named.map((step) => [step.stepid, step.revisionid]));
  return before.steps.every(
    ({ stepid, revisionid }) => gone.has(stepid) || revisions.get(stepid) === revisionid,
  );
`,
      },
    ],
  },
  {
    promise: 3,
    name: 'keys-without-record',
    breaks:
      'The answer to a call that answers no record (marking a guide as favourite or completed, a deletion) is lost and the device delivers it again: it is performed a second time, so that a mark which the person took back on another device meanwhile is set again, and a deletion comes back as refused although it had succeeded.',
    where: 'server',
    edits: [
      {
        file: 'sync-server/http/idempotency.ts',
        find: `  const { key, viewer } = incoming;
  const userid = senderOf(viewer);
  if (key === null || userid === 0) return;
  const { status, effect, temporaryIds, seconds } = done;
`,
        replace: `  const { key, viewer } = incoming;
  const userid = senderOf(viewer);
  const { status, effect, temporaryIds, seconds } = done;
  if (key === null || userid === 0 || (effect === null && temporaryIds.size === 0)) return;
`,
      },
    ],
  },
  {
    promise: 2,
    name: 'suppliers-by-name',
    breaks:
      'A page lists two parts of the same supplier and two people edit anything in it at the same time: the automatic merge after the 409 keeps one of the two rows and sends the page without the other, and nobody is asked.',
    where: 'app',
    edits: [
      {
        file: 'shared/merge/wiki.ts',
        find: `  suppliers: ({ supplier, 'part_#': part }: Supplier) => \`\${supplier} \${part}\`,`,
        replace: '  suppliers: ({ supplier }: Supplier) => supplier,',
      },
    ],
  },
];
