import type { RawBuilder, SqlBool } from 'kysely';

import type { NewQuestion, NewQuiz, QuizSearch } from '#shared/api/quizzes.ts';
import { invalid } from '#shared/api/problem.ts';
import type { Quiz, SurveyJson } from '#shared/model/quiz.ts';
import { questionsOf, withQuestions } from '#shared/rules/quiz-survey.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { searchName } from '#shared/rules/search-name.ts';
import { can } from '#server/features/can.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { contains } from '#server/storage/dialect.ts';
import { findDocuments } from '#server/storage/feed.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db } from '#server/storage/tables.ts';

import { publishGuideQuizzes, publishQuiz, publishSession } from './publish.ts';
import { currentSurvey, findQuiz, type QuizRow } from './quiz-rows.ts';
import { Outdated } from './outdated.ts';
import { checkSurvey } from './survey.ts';
import { namedQuiz } from './policy.ts';

/** A checked quiz that can be stored. */
interface CheckedQuiz {
  title: string;
  passing_score: number;
  survey: SurveyJson;
}

/** A new quiz with questions, checked. */
export async function newQuizOf(ctx: Context, body: NewQuiz): Promise<CheckedQuiz> {
  const { title, passing_score, questions } = body;
  mustDifferInName(questions);
  const survey = withQuestions({ title, pages: [{ name: 'page1', elements: [] }] }, questions);
  if (questions.length > 0) await checkSurvey(ctx, survey, 'questions');
  return { title, passing_score, survey };
}

/**
 * A quiz from SurveyJS JSON, checked. The title is by default the title of the survey.
 *
 * - QUIZ-3 A quiz is returned as the JSON that was imported. Questions in panels count as questions; elements without
 *   input do not.
 */
export async function importedQuizOf(
  ctx: Context,
  body: { title?: string | undefined; passing_score: number; surveyjs: SurveyJson },
): Promise<CheckedQuiz> {
  const { passing_score, surveyjs } = body;
  await checkSurvey(ctx, surveyjs, 'surveyjs');
  const title = body.title ?? titleOf(surveyjs);
  if (title === '') throw invalid('title', 'Neither the call nor the survey names a title');
  return { title, passing_score, survey: body.title === undefined ? surveyjs : { ...surveyjs, title } };
}

/** The title of a survey: a text, or texts by language. */
function titleOf({ title }: SurveyJson): string {
  const byLanguage = typeof title === 'object' && title !== null ? Object.entries(title) : [];
  const text = byLanguage.find(([language]) => language === 'default')?.[1] ?? byLanguage[0]?.[1] ?? title;
  return typeof text === 'string' ? text.trim().slice(0, 200) : '';
}

/** Stores a quiz; returns its id. */
export async function insertQuiz(
  ctx: Context,
  { title, passing_score, survey }: CheckedQuiz,
): Promise<number> {
  const userid = mustUserid(ctx);
  const { quizid } = await ctx.db
    .insertInto('quizzes')
    .values({
      title,
      title_search: searchName(title),
      passing_score,
      question_count: 0,
      quiz_revisionid: 0,
      userid,
      created_date: ctx.seconds,
      modified_date: ctx.seconds,
      deleted: 0,
    })
    .returning('quizid')
    .executeTakeFirstOrThrow();
  await saveSurvey(ctx, quizid, survey);
  return quizid;
}

/** Stores the next version of a quiz. */
async function saveSurvey(ctx: Context, quizid: number, survey: SurveyJson): Promise<void> {
  const { quiz_revisionid } = await ctx.db
    .insertInto('quiz_revisions')
    .values({ quizid, userid: mustUserid(ctx), date: ctx.seconds, survey: JSON.stringify(survey) })
    .returning('quiz_revisionid')
    .executeTakeFirstOrThrow();
  await ctx.db
    .updateTable('quizzes')
    .set({ quiz_revisionid, question_count: questionsOf(survey).length, modified_date: ctx.seconds })
    .where('quizid', '=', quizid)
    .execute();
  await publishQuiz(ctx, quizid);
}

interface QuestionChange {
  quizid: number;
  questions: readonly NewQuestion[];
}

/** The survey after a change of questions, checked; null if it stays the same. */
export async function checkQuestions(
  ctx: Context,
  { quizid, questions }: QuestionChange,
): Promise<SurveyJson | null> {
  const row = await namedQuiz(ctx, quizid);
  mustDifferInName(questions);
  const before = await currentSurvey(ctx.db, row);
  const after = withQuestions(before, questions);
  if (sameValue(before, after)) return null;
  await checkSurvey(ctx, after, 'questions');
  return after;
}

/**
 * Changes the titles of known questions and adds others. `checked`: the survey that was checked before the transaction.
 *
 * - QUIZ-4 `/quizzes/questions` identifies a question by its `vendor_question_uid`, which is its name in the survey.
 *   The title of a known question changes, and nothing else; other questions are added to the last page. Each change is
 *   a new version; without a change there is none.
 * @throws Outdated if the quiz has changed since
 */
export async function changeQuestions(
  ctx: Context,
  { quizid, questions }: QuestionChange,
  checked: SurveyJson | null,
): Promise<void> {
  const row = await namedQuiz(ctx, quizid);
  const before = await currentSurvey(ctx.db, row);
  const after = withQuestions(before, questions);
  if (sameValue(before, after)) return;
  if (!sameValue(after, checked)) throw new Outdated();
  await saveSurvey(ctx, quizid, after);
}

function mustDifferInName(questions: readonly NewQuestion[]): void {
  const names = questions.map((question) => question.vendor_question_uid);
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice >= 0) throw invalid('questions', `Question ${names[twice]} is named twice`, twice);
}

/** The quiz as the caller sees it. */
export async function representQuiz(ctx: Context, row: QuizRow): Promise<Quiz> {
  const [found] = await quizzesOfRows(ctx, [row]);
  if (found === undefined) throw new Error('A row of a quiz is a quiz');
  return found;
}

async function quizzesOfRows(ctx: Context, rows: QuizRow[]): Promise<Quiz[]> {
  const ids = rows.map((row) => row.quizid);
  const pairs = await ctx.db
    .selectFrom('quiz_associations')
    .selectAll()
    .where('quizid', 'in', ids)
    .orderBy('guideid')
    .execute();
  const guideids = [...new Set(pairs.map((pair) => pair.guideid))];
  const guides = await findDocuments(ctx.db, 'guides', guideids);
  const seen = new Set(
    guides.filter((facts) => can(ctx.viewer, 'guide.see', facts)).map((facts) => facts.guideid),
  );
  return rows.map(({ deleted: _deleted, title_search: _search, ...row }) => ({
    ...row,
    associations: pairs
      .filter((pair) => pair.quizid === row.quizid && seen.has(pair.guideid))
      .map((pair) => pair.guideid),
  }));
}

/**
 * A page of the quizzes that match a search.
 *
 * - QUIZ-6 Quizzes can be searched by title, filtered, sorted and paged. Guides that the caller may not see are left
 *   out.
 */
export async function searchQuizzes(
  ctx: Context,
  { query, filters, sort, order, limit, offset }: QuizSearch,
): Promise<{ quizzes: Quiz[]; totalResults: number; offset: number; limit: number }> {
  let select = ctx.db.selectFrom('quizzes').selectAll().where('deleted', '=', 0);
  const { quizids, userid, guideid, course_stageid } = filters;
  if (query.trim() !== '') select = select.where(titleContains(ctx.db, query));
  if (quizids !== undefined) select = select.where('quizid', 'in', quizids);
  if (userid !== undefined) select = select.where('userid', '=', userid);
  if (guideid !== undefined) {
    const [facts] = await findDocuments(ctx.db, 'guides', [guideid]);
    const isSeen = facts !== undefined && can(ctx.viewer, 'guide.see', facts);
    const ofGuide = ctx.db.selectFrom('quiz_associations').select('quizid').where('guideid', '=', guideid);
    select = isSeen ? select.where('quizid', 'in', ofGuide) : select.where('quizid', '<', 0);
  }
  if (course_stageid !== undefined) {
    const ofStage = ctx.db.selectFrom('course_stages').select('docid').where('doctype', '=', 'quiz');
    select = select.where('quizid', 'in', ofStage.where('course_stageid', '=', course_stageid));
  }
  const direction = order === 'ASC' ? 'asc' : 'desc';
  const column = sort === 'title' ? 'title_search' : sort;
  let totalResults = 0;
  const counting = { total: (count: number) => void (totalResults = count) };
  const sorted = select.orderBy(column, direction).orderBy('quizid', direction);
  const rows = await readPage(counting, sorted, { limit, offset });
  ctx.total(totalResults);
  return {
    quizzes: rows.length === 0 ? [] : await quizzesOfRows(ctx, rows),
    totalResults,
    offset,
    limit,
  };
}

/** The SQL condition that a title contains this text. */
export function titleContains(db: Db, query: string): RawBuilder<SqlBool> {
  return contains(db, 'title_search', searchName(query.trim()));
}

/**
 * Deletes quizzes. Returns which were deleted and which were kept.
 *
 * - QUIZ-7 A deleted quiz disappears with its versions; its open sessions are cancelled, and results stay. A quiz in
 *   use by a course stage or a guide is kept, and unknown ids are reported as kept.
 */
export async function deleteQuizzes(
  ctx: Context,
  quizids: readonly number[],
): Promise<{ deleted: number[]; kept: number[] }> {
  const deleted: number[] = [];
  const kept: number[] = [];
  for (const quizid of new Set(quizids)) {
    const row = await findQuiz(ctx.db, quizid);
    if (row === undefined || (await isInUse(ctx.db, quizid))) {
      kept.push(quizid);
      continue;
    }
    const guides = await ctx.db
      .deleteFrom('quiz_associations')
      .where('quizid', '=', quizid)
      .returning('guideid')
      .execute();
    const sessions = await ctx.db
      .updateTable('quiz_sessions')
      .set({ status: 'cancelled', end_date: ctx.seconds })
      .where('quizid', '=', quizid)
      .where('status', '=', 'in_progress')
      .returning('sessionid')
      .execute();
    await ctx.db.updateTable('quizzes').set({ deleted: 1 }).where('quizid', '=', quizid).execute();
    await publishQuiz(ctx, quizid);
    for (const { sessionid } of sessions) await publishSession(ctx, sessionid);
    for (const { guideid } of guides) await publishGuideQuizzes(ctx, guideid);
    deleted.push(quizid);
  }
  return { deleted, kept };
}

/** Whether a stage of a course is about the quiz, or the current version of a guide has it attached. */
async function isInUse(db: Db, quizid: number): Promise<boolean> {
  const stage = await db
    .selectFrom('course_stages')
    .select('course_stageid')
    .where('doctype', '=', 'quiz')
    .where('docid', '=', quizid)
    .executeTakeFirst();
  if (stage !== undefined) return true;
  const versions = db.selectFrom('quiz_revisions').select('quiz_revisionid').where('quizid', '=', quizid);
  const guides = await db
    .selectFrom('guide_quiz_revisions')
    .select('guideid')
    .distinct()
    .where('quiz_revisionid', 'in', versions)
    .execute();
  const ids = guides.map((row) => row.guideid);
  const facts = await findDocuments(db, 'guides', ids);
  return facts.some((one) => one.attached_quiz?.quizid === quizid);
}
