import { z } from 'zod';

import type { AutomaticMerge } from '#shared/merge/conflict.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';

import { type OwnWord, ownWords } from '../own-words.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { type Coalesced, joined, fieldsOf, listOf, type CallKindSpec, onOrOff } from './kind.ts';
import { guides } from '#shared/api/guides.ts';
import { stepForms } from '#shared/api/step-forms.ts';

/** What a `guide-create` or `guide-save` call carries beside its body. */
export interface GuideSave {
  /** Names the save in its draft, whatever id its call has. */
  saveId: string;
  /** The server's version that the body is written against; null for a guide that is not there yet. */
  base: GuideFacts | null;
  /** What `content` is to be compared with: the content of `base`, or of the save that was under way before this one. */
  before: GuideContent;
  /** What the person wants the guide to say. */
  content: GuideContent;
  /** It was brought together with what somebody else had saved meanwhile, without a person. */
  merged?: true;
  /** A restored server was offered it again and refused it, and no draft holds its words yet (OUTBOX-30). */
  offered?: true | undefined;
  /** Set while a person must decide; the conflicts themselves are in the draft. */
  contest?: GuideContest | undefined;
}

/** A save that contradicts what somebody else saved meanwhile. */
export interface GuideContest {
  /** What merged by itself. */
  merges: AutomaticMerge[];
  /** What the person wrote there, should the draft be lost. Absent where an earlier version made it. */
  mine?: OwnWord[];
  /** When the person's edit and theirs were made, ms since 1970. */
  mineAt: number;
  theirsAt: number;
}

/** The save in a call's context. Its shape is checked where it is read (`guideKinds`). */
export function guideSaveOf(call: OutboxCall): GuideSave | undefined {
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

/** Without `saveId`, or `content`, nobody takes it for a save. */
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

/** OUTBOX-1: a save joins the save or the creation that waits before it. */
function joinSave(last: OutboxCall, incoming: OutboxCall): Coalesced | null {
  const isSave = last.kind === 'guide-save' || last.kind === 'guide-create';
  return isSave ? joined(last, incoming, guideSaveBody(last, incoming)) : null;
}

/** OUTBOX-1: an edit of the same base takes the place of the earlier one; an edit on top of it is added. */
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

/** The later list says which steps there are and in which order; what it does not name of a step, the earlier says. */
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

/** Calls that change a guide or the form of a step. */
export const guideKinds = {
  'guide-create': { ...saving, endpoints: [guides.create], creates: 'guides' },
  'guide-save': { ...saving, endpoints: [guides.patch], join: joinSave },
  'guide-publish': {
    activity: 'guide',
    endpoints: [guides.publish, guides.unpublish],
    context: z.looseObject({ base: guide.nullish() }),
    detail: onOrOff,
  },
  'guide-delete': { activity: 'guide', endpoints: [guides.remove], detail: () => 'removed' },
  'form-save': {
    activity: 'guide',
    endpoints: [stepForms.save],
    join: (last, incoming) => (last.kind === 'form-save' ? joined(last, incoming, incoming.body) : null),
  },
} satisfies Record<string, CallKindSpec>;

function guideDetail(body: unknown, before: readonly number[]): string {
  return Object.entries(body ?? {})
    .flatMap(([name, value]) => {
      if (name === 'removed_steps' && Array.isArray(value)) return `removed:${value.length}`;
      return name === 'steps' && Array.isArray(value) ? stepsDetail(value, before) : name;
    })
    .join(',');
}

/** How many steps were changed, and whether those that were there before stand in another order. */
function stepsDetail(steps: readonly unknown[], before: readonly number[]): string[] {
  const touched = steps.filter(isTouched).length;
  const ids = steps.map((step) => Number((step as { stepid?: unknown } | null)?.stepid));
  const after = ids.filter((id) => before.includes(id));
  const stayed = before.filter((id) => after.includes(id));
  const isMoved = after.some((id, index) => id !== stayed[index]);
  return [...(touched > 0 ? [`steps:${touched}`] : []), ...(isMoved ? ['moved'] : [])];
}

/** An unchanged step names nothing but itself and its revision. */
function isTouched(step: unknown): boolean {
  return Object.keys(step ?? {}).some((name) => name !== 'stepid' && name !== 'revisionid');
}
