import { z } from 'zod';

import type { CallKind } from '../platform/ports.ts';

const guide = z.looseObject({ title: z.string(), steps: z.array(z.looseObject({})) });
const page = z.looseObject({ title: z.string() });
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
const wikiSave = z.union([
  z.looseObject({ content: z.undefined().optional() }),
  z.looseObject({
    base: z.looseObject({ content: page }).nullable(),
    content: page,
    contest: contest.optional(),
  }),
]);
const order = z.looseObject({ guideid: z.string(), workorderid: z.string() }).partial();
const quiz = z.looseObject({ quizid: z.int(), title: z.string() }).partial();

/** What each kind of call carries in its context, in its outer shape: parts of it may have been dropped. */
const contexts: Partial<Record<CallKind, z.ZodType>> = {
  'guide-create': guideSave,
  'guide-save': guideSave,
  'guide-publish': z.looseObject({ base: guide.nullish() }),
  'wiki-create': wikiSave,
  'wiki-save': wikiSave,
  'comment-add': z.looseObject({ context: z.string(), contextid: z.string() }).partial(),
  'entry-create': order,
  'entry-move': order,
  'entry-data': order,
  'quiz-begin': quiz,
  'quiz-save': quiz,
  'quiz-submit': quiz,
  'quiz-cancel': quiz,
  'profile-save': z.looseObject({}),
};

/** Whether the context of a call at rest is what this version of the app reads in it (O46). */
export function isContext(kind: CallKind, context: unknown): boolean {
  return context === null || (contexts[kind]?.safeParse(context).success ?? true);
}
