import { z } from 'zod';

import type { AutomaticMerge } from '#shared/merge/conflict.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';

import { type OwnWord, ownWords } from '../own-words.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { type Coalesced, joined, fieldsOf, listOf, type CallKindSpec, onOrOff } from './kind.ts';

/** Context of a `guide-create` or `guide-save` call. */
export interface GuideSave {
  /** Id of the save in its draft. It stays the same when the call gets another key. */
  saveId: string;
  /** The server's version that the body is based on; null for a new guide. */
  base: GuideFacts | null;
  /** Content before the edit: that of `base`, or of an earlier save that was still waiting. */
  before: GuideContent;
  /** Content after the edit. */
  content: GuideContent;
  /** It was merged automatically with what somebody else had saved. */
  merged?: true;
  /** It was offered to a restored server again, and no draft holds its words yet (OUTBOX-30). */
  offered?: true | undefined;
  /** Set while a person must decide; the conflicts themselves are in the draft. */
  contest?: GuideContest | undefined;
}

/** A conflict of a save with what somebody else saved meanwhile. */
export interface GuideContest {
  /** What merged by itself. */
  merges: AutomaticMerge[];
  /** The person's words, in case the draft is lost. Absent in calls of an earlier version. */
  mine?: OwnWord[];
  /** When the person's edit and theirs were made, ms since 1970. */
  mineAt: number;
  theirsAt: number;
}

/** The save in a call's context. Its schema is checked when the call is read (`guideKinds`). */
export function guideSaveOf(call: Pick<OutboxCall, 'kind' | 'context'>): GuideSave | undefined {
  if (call.kind !== 'guide-create' && call.kind !== 'guide-save') return undefined;
  const context = call.context;
  return typeof context === 'object' && context !== null && 'saveId' in context
    ? (context as GuideSave)
    : undefined;
}

const guide = z.looseObject({ title: z.string(), steps: z.array(z.looseObject({})) });
const contest = z.looseObject({
  merges: z.array(z.looseObject({})),
  mineAt: z.number(),
  theirsAt: z.number(),
});

/** A context without `saveId` or `content` is not a save. */
const guideSave = z.union([
  z.looseObject({ saveId: z.undefined().optional() }),
  z.looseObject({
    saveId: z.string(),
    base: guide.nullable(),
    before: guide,
    content: guide,
    contest: contest.optional(),
  }),
]);

const pictureLost =
  'A picture or document in this is not on the server. Open it, add the file again and save: the rest of your change is kept.';

/** OUTBOX-1: joins a save with the waiting save or creation before it. */
function joinSave(last: OutboxCall, incoming: OutboxCall): Coalesced | null {
  const isSave = last.kind === 'guide-save' || last.kind === 'guide-create';
  return isSave ? joined(last, incoming, guideSaveBody(last, incoming)) : null;
}

/** OUTBOX-1: an edit of the same base replaces the earlier one; an edit on top of it is added field by field. */
function guideSaveBody(last: OutboxCall, incoming: OutboxCall): unknown {
  const sameBase = baseRevision(last) !== undefined && baseRevision(last) === baseRevision(incoming);
  if (last.kind === 'guide-save' && sameBase) return incoming.body;
  const [earlier, later] = [fieldsOf(last.body), fieldsOf(incoming.body)];
  const steps = joinedSteps(earlier['steps'], later['steps']);
  const removed = [...listOf(earlier['removed_steps']), ...listOf(later['removed_steps'])];
  const joinedRemoved = last.kind === 'guide-create' ? [] : removed;
  const { removed_steps: _, ...rest } = { ...earlier, ...later };
  return {
    ...rest,
    ...(steps === undefined ? {} : { steps }),
    ...(joinedRemoved.length === 0 ? {} : { removed_steps: joinedRemoved }),
  };
}

function baseRevision(call: OutboxCall): unknown {
  const { base } = fieldsOf(call.context);
  return fieldsOf(base)['revisionid'];
}

/** The later list decides which steps exist and in which order; fields that it does not name come from the earlier list. */
function joinedSteps(earlier: unknown, later: unknown): unknown {
  if (!Array.isArray(later)) return earlier;
  const before = new Map(listOf(earlier).map((step) => [identityOf(step), fieldsOf(step)]));
  return later.map((step) => ({ ...before.get(identityOf(step)), ...fieldsOf(step) }));
}

function identityOf(step: unknown): string {
  const { key, stepid } = fieldsOf(step);
  return JSON.stringify(key === undefined ? { stepid } : { key });
}

const saving = {
  activity: 'guide',
  context: guideSave,
  fileLost: pictureLost,
  words: (call) => {
    const save = guideSaveOf(call);
    return save && [...ownWords(save.before, save.content), ...(save.contest?.mine ?? [])];
  },
  detail: (call) => {
    const save = guideSaveOf(call);
    const before = (save?.base?.steps ?? []).map(({ stepid }) => stepid);
    return guideDetail(call.body, before) + (save?.merged === true ? ',merged' : '');
  },
} as const satisfies Partial<CallKindSpec>;

/**
 * Calls that change a guide. `actions/conflicts.ts` settles saves and publications after a 409,
 * because it needs the draft.
 */
export const guideKinds = {
  'guide-create': { ...saving, creates: 'guides' },
  'guide-save': { ...saving, join: joinSave },
  'guide-publish': {
    activity: 'guide',
    context: z.looseObject({ base: guide.nullish() }),
    detail: onOrOff,
  },
  'guide-delete': { activity: 'guide', detail: () => 'removed', conflict: 'decide' },
} satisfies Record<string, CallKindSpec>;

function guideDetail(body: unknown, before: readonly number[]): string {
  return Object.entries(body ?? {})
    .flatMap(([name, value]) => {
      if (name === 'removed_steps' && Array.isArray(value)) return `removed:${value.length}`;
      return name === 'steps' && Array.isArray(value) ? stepsDetail(value, before) : name;
    })
    .join(',');
}

/** Words for the number of changed steps, and for a new order of the steps that existed before. */
function stepsDetail(steps: readonly unknown[], before: readonly number[]): string[] {
  const touched = steps.filter(isTouched).length;
  const ids = steps.map((step) => Number((step as { stepid?: unknown } | null)?.stepid));
  const after = ids.filter((id) => before.includes(id));
  const stayed = before.filter((id) => after.includes(id));
  const isMoved = after.some((id, index) => id !== stayed[index]);
  return [...(touched > 0 ? [`steps:${touched}`] : []), ...(isMoved ? ['moved'] : [])];
}

/** Whether a step is changed: an unchanged one names only its id and revision. */
function isTouched(step: unknown): boolean {
  return Object.keys(step ?? {}).some((name) => name !== 'stepid' && name !== 'revisionid');
}
