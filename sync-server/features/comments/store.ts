import type { Selectable } from 'kysely';

import { invalid, notFound } from '#shared/api/problem.ts';
import {
  commentContext,
  type Comment,
  type CommentFacts,
  type FeedbackReason,
} from '#shared/model/comment.ts';
import { must } from '#shared/must.ts';
import { can } from '#server/features/can.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { visibleAudiences } from '#server/storage/feed.ts';
import { prepared, preparedList } from '#server/storage/prepared.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { commentPosted, commentRemoved } from '../merits/reputation-events.ts';
import { findTarget, mustSeeTarget, type FeedbackFacts } from './policy.ts';
import { commentRecords } from './record.ts';

/** An audience without members, so that the list in the query is never empty. */
const nobody = 0;

type Row = Selectable<Tables['comments']>;

function factsOf(row: Row): CommentFacts {
  const { key, context, stationid, feedback_reason, feedback_done_by, feedback_done_date, ...stored } = row;
  const { title: _ofRecordsOnly, ...columns } = stored;
  const done =
    feedback_done_by === null || feedback_done_date === null
      ? {}
      : { done: { userid: feedback_done_by, date: feedback_done_date } };
  return {
    ...columns,
    context: commentContext.parse(context),
    ...(key === null ? {} : { key }),
    ...(stationid === null ? {} : { stationid }),
    ...(feedback_reason === null ? {} : { feedback: { reason: feedback_reason, ...done } }),
  };
}

/**
 * The comment; throws 404 if the viewer may not see the commented document. Deleted comments can be read by their
 * author and administrators only.
 */
async function mustSeeComment(ctx: Context, commentid: number): Promise<CommentFacts> {
  const [row] = await commentRow(ctx.db, { commentid });
  if (row === undefined) throw notFound('Comment');
  const facts = factsOf(row);
  const isHidden = facts.status === 'deleted' && !can(ctx.viewer, 'comment.seeDeleted', facts);
  if (isHidden || (await findTarget(ctx, facts.context, facts.contextid)) === undefined)
    throw notFound('Comment');
  return facts;
}

const commentRow = prepared<{ commentid: number }, Row>((db, value) =>
  db.selectFrom('comments').selectAll().where('commentid', '=', value('commentid')),
);

/** The comment; throws 404 also if it is deleted. */
export async function mustSeeLivingComment(ctx: Context, commentid: number): Promise<CommentFacts> {
  const facts = await mustSeeComment(ctx, commentid);
  if (facts.status === 'deleted') throw notFound('Comment');
  return facts;
}

/** A comment with its replies as a record. */
export async function representComment(ctx: Context, commentid: number): Promise<Comment> {
  const facts = await mustSeeComment(ctx, commentid);
  const [record] = await commentRecords(ctx, [facts], await repliesTo(ctx.db, [commentid]));
  return must(record, 'the comment');
}

async function repliesTo(db: Db, commentids: number[]): Promise<CommentFacts[]> {
  const rows = await replyRows(db, commentids, {});
  return rows
    .filter(({ status }) => status !== 'deleted')
    .toSorted((a, b) => a.commentid - b.commentid)
    .map(factsOf);
}

/** Not ordered: SQLite would plan an order by another column than that of the index each time. */
const replyRows = preparedList<Record<never, never>, number, Row>((db, commentids) =>
  db.selectFrom('comments').selectAll().where('parentid', 'in', commentids),
);

/** Filter and page of a list of comments. `modifiedSince`: UNIX seconds. */
export interface CommentQuery {
  order: 'ASC' | 'DESC';
  offset: number;
  limit: number;
  context?: CommentFacts['context'] | undefined;
  contextid?: number | undefined;
  langid?: string | undefined;
  modifiedSince?: number | undefined;
}

/** Top-level comments on documents that the viewer may see, ordered by commentid, each with its replies. */
export async function listComments(ctx: Context, query: CommentQuery): Promise<Comment[]> {
  const visible = [nobody, ...(await visibleAudiences(ctx.db, ctx.viewer.principals))];
  const { context, contextid, langid, modifiedSince } = query;
  let select = ctx.db
    .selectFrom('comments')
    .innerJoin('documents', (join) =>
      join
        .on('documents.collection', '=', 'comments')
        .on((eb) => eb('documents.id', '=', eb.cast<string>('comments.commentid', 'text'))),
    )
    .selectAll('comments')
    .where('documents.audience', 'in', visible)
    .where('comments.parentid', 'is', null)
    .where('comments.status', '!=', 'deleted');
  if (context !== undefined) select = select.where('comments.context', '=', context);
  if (contextid !== undefined) select = select.where('comments.contextid', '=', contextid);
  if (langid !== undefined)
    select = select.where((eb) =>
      eb.or([eb('comments.langid', 'is', null), eb('comments.langid', '=', langid)]),
    );
  if (modifiedSince !== undefined) {
    select = select.where((eb) =>
      eb.or([
        eb('comments.date', '>=', modifiedSince),
        eb('comments.modified_date', '>=', modifiedSince),
        eb('comments.replied_date', '>=', modifiedSince),
        eb.exists(
          eb
            .selectFrom('comments as reply')
            .select('reply.commentid')
            .whereRef('reply.parentid', '=', 'comments.commentid')
            .where('reply.modified_date', '>=', modifiedSince),
        ),
      ]),
    );
  }
  const ordered = select.orderBy('comments.commentid', query.order === 'ASC' ? 'asc' : 'desc');
  const rows = await readPage(ctx, ordered, query);
  return commentRecords(
    ctx,
    rows.map(factsOf),
    await repliesTo(
      ctx.db,
      rows.map((row) => row.commentid),
    ),
  );
}

/**
 * Comments on a guide and its steps, for the guide's record. The caller has checked that the viewer may see the guide.
 *
 * - COMMENT-3 In the record of a guide the newest comment comes first, as on live servers; the replies to it follow in
 *   the order in which they were written.
 */
export async function commentsOnGuide(
  ctx: Context,
  guideid: number,
): Promise<{ guide: Comment[]; byStep: Map<number, Comment[]> }> {
  const facts = (await commentsOf(ctx.db, { guideid }))
    .filter(({ status }) => status !== 'deleted')
    .toSorted((a, b) => a.commentid - b.commentid)
    .map(factsOf);
  if (facts.length === 0) return { guide: [], byStep: new Map() };
  const isTop = (one: CommentFacts): boolean => one.parentid === null;
  const records = await commentRecords(
    ctx,
    // Imported comments may have numbers in any order.
    facts.filter(isTop).toSorted((a, b) => b.date - a.date || b.commentid - a.commentid),
    facts.filter((one) => !isTop(one)),
  );
  const onSteps = records.filter((one) => one.context === 'step');
  return {
    guide: records.filter((one) => one.context === 'guide'),
    byStep: Map.groupBy(onSteps, (one) => one.contextid),
  };
}

const commentsOf = prepared<{ guideid: number }, Row>((db, value) =>
  db.selectFrom('comments').selectAll().where('guideid', '=', value('guideid')),
);

/** A comment to be stored. `userid` and `date` default to the caller and now; imports set them. */
export interface AddedComment {
  context: CommentFacts['context'];
  contextid: number;
  text: string;
  parentid?: number | null | undefined;
  userid?: number;
  date?: number;
  feedback?: FeedbackReason | undefined;
}

/**
 * Adds a comment and returns its id. Throws 404 if the document may not be seen, 422 for a wrong parent.
 *
 * - COMMENT-1 The parent of a reply is a top-level comment on the same document, and its `replied_date` is updated. A
 *   `parentid` of 0 means no parent, like null: clients whose integers cannot be null send it.
 */
export async function addComment(ctx: Context, added: AddedComment): Promise<number> {
  const target = await mustSeeTarget(ctx, added.context, added.contextid);
  const date = added.date ?? ctx.seconds;
  const parentid = added.parentid || null;
  if (added.feedback !== undefined && (added.context !== 'step' || parentid !== null))
    throw invalid('feedback', 'Only a top-level comment on a step can be feedback');
  if (parentid !== null) await touchParent(ctx, parentid, added, date);
  const [row] = await insertComment(ctx.db, {
    context: added.context,
    contextid: added.contextid,
    guideid: target.guideid,
    parentid,
    userid: added.userid ?? mustUserid(ctx),
    text_raw: added.text,
    date,
    key: ctx.key,
    stationid: ctx.viewer.station?.stationid ?? null,
    feedback_reason: added.feedback ?? null,
  });
  const facts = factsOf(must(row, 'the row of the comment'));
  ctx.changes.put('comments', facts.commentid, facts, target.principals);
  await commentPosted(ctx, facts);
  return facts.commentid;
}

const insertComment = prepared<
  Pick<
    Row,
    | 'context'
    | 'contextid'
    | 'guideid'
    | 'parentid'
    | 'userid'
    | 'text_raw'
    | 'date'
    | 'key'
    | 'stationid'
    | 'feedback_reason'
  >,
  Row
>((db, value) =>
  db
    .insertInto('comments')
    .values({
      context: value('context'),
      contextid: value('contextid'),
      guideid: value('guideid'),
      parentid: value('parentid'),
      userid: value('userid'),
      langid: null,
      text_raw: value('text_raw'),
      date: value('date'),
      modified_date: 0,
      replied_date: 0,
      rating: 0,
      status: 'public',
      status_reason: null,
      key: value('key'),
      stationid: value('stationid'),
      feedback_reason: value('feedback_reason'),
    })
    .returningAll(),
);

async function touchParent(ctx: Context, parentid: number, reply: AddedComment, date: number): Promise<void> {
  const [parent] = await commentRow(ctx.db, { commentid: parentid });
  const isThere = parent !== undefined && parent.status !== 'deleted';
  if (!isThere || parent.context !== reply.context || parent.contextid !== reply.contextid) {
    throw invalid('parentid', 'The parent is no comment on this document');
  }
  if (parent.parentid !== null) throw invalid('parentid', 'The parent must be a top-level comment');
  await saveComment(ctx, { ...factsOf(parent), replied_date: Math.max(date, parent.replied_date) });
}

/** Changes the text of a comment. */
export async function editComment(ctx: Context, commentid: number, text: string): Promise<void> {
  const facts = await mustSeeLivingComment(ctx, commentid);
  await saveComment(ctx, { ...facts, text_raw: text, modified_date: ctx.seconds });
}

/**
 * Closes feedback, or opens it again.
 *
 * - FEEDBACK-3 Closing feedback that is closed changes nothing: the first person and time stay. What else there is to say is
 *   a reply to the comment, so that nobody's words replace another's.
 */
export async function markFeedback(ctx: Context, facts: FeedbackFacts, isDone: boolean): Promise<void> {
  const { reason, done } = facts.feedback;
  if ((done !== undefined) === isDone) return;
  const target = await mustSeeTarget(ctx, facts.context, facts.contextid);
  const by = isDone ? { userid: mustUserid(ctx), date: ctx.seconds } : undefined;
  await ctx.db
    .updateTable('comments')
    .set({ feedback_done_by: by?.userid ?? null, feedback_done_date: by?.date ?? null })
    .where('commentid', '=', facts.commentid)
    .execute();
  const feedback = { reason, ...(by === undefined ? {} : { done: by }) };
  ctx.changes.put('comments', facts.commentid, { ...facts, feedback }, target.principals);
}

async function saveComment(ctx: Context, facts: CommentFacts): Promise<void> {
  const { text_raw, modified_date, replied_date } = facts;
  const target = await mustSeeTarget(ctx, facts.context, facts.contextid);
  await ctx.db
    .updateTable('comments')
    .set({ text_raw, modified_date, replied_date })
    .where('commentid', '=', facts.commentid)
    .execute();
  ctx.changes.put('comments', facts.commentid, facts, target.principals);
}

/**
 * Deletes a comment. The rows stay for investigations.
 *
 * - COMMENT-2 Deleting a comment deletes its replies too, whoever wrote them. Their authors and administrators can
 *   still read them.
 */
export async function removeComment(ctx: Context, commentid: number): Promise<void> {
  const rows = await ctx.db
    .updateTable('comments')
    .set({ status: 'deleted', modified_date: ctx.seconds })
    .where((eb) => eb.or([eb('commentid', '=', commentid), eb('parentid', '=', commentid)]))
    .where('status', '!=', 'deleted')
    .returningAll()
    .execute();
  for (const row of rows) {
    ctx.changes.remove('comments', row.commentid);
    await commentRemoved(ctx, factsOf(row));
  }
}
