import type { StageDoctype } from '#shared/model/course.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { findDocument } from '#server/storage/feed.ts';
import type { GuideFacts } from '#shared/model/guide.ts';

import { findQuiz } from '../quizzes/quiz-rows.ts';

/** What a stage can be about: the title of a document of the kind, undefined when the caller sees none. */
const titles: Record<StageDoctype, (ctx: Context, docid: number) => Promise<string | undefined>> = {
  guide: async (ctx, guideid) => {
    const facts = (await findDocument(ctx.db, 'guides', String(guideid))) as GuideFacts | undefined;
    return facts !== undefined && can(ctx.viewer, 'guide.see', facts) ? facts.title : undefined;
  },
  quiz: async (ctx, quizid) => (await findQuiz(ctx.db, quizid))?.title,
  external_training_module: async (ctx, moduleid) => {
    const row = await ctx.db
      .selectFrom('training_modules')
      .select('title')
      .where('moduleid', '=', moduleid)
      // Without a version, as after an import that failed, nobody can ever take it.
      .where((eb) => eb.or([eb('current_importid', 'is not', null), eb('draft_importid', 'is not', null)]))
      .executeTakeFirst();
    return row?.title;
  },
};

/** The title of a document that a stage can be about; undefined when there is none. */
export function titleOfDocument(
  ctx: Context,
  doctype: StageDoctype,
  docid: number,
): Promise<string | undefined> {
  return titles[doctype](ctx, docid);
}
