import type { CommentFacts } from '#shared/model/comment.ts';
import { must } from '#shared/must.ts';
import { guideAudience, wikiAudience } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import { removeComment } from '#server/features/comments/store.ts';
import { linkTargets } from '#server/features/guides/import/facts-here.ts';
import type { ImportedComment } from '#server/features/guides/import/guide-from-answer.ts';
import type { ImportedIds } from '#server/features/guides/import/ids.ts';
import { storeComment } from '#server/features/guides/import/store-guide.ts';
import { relinked } from '#server/features/guides/import/wiki-links.ts';
import { findDocument, type Principal } from '#server/storage/feed.ts';

import { commentItem, type CommentItem, type ReplyItem } from './answers.ts';
import { changedHere, deleteAbsent } from './gone.ts';
import { findMirrored, fingerprint, outcomeOf, rememberMirrored, type Mirrored } from './mirrored.ts';
import { mirrorAuthor } from './people.ts';
import { forEach, listed, write, type Run } from './run.ts';

/** Copies comments on guides, steps and pages with their replies, and deletes those that are gone. */
export async function mirrorComments(run: Run): Promise<void> {
  const comments = await listed(run, '/comments', commentItem, {
    collection: 'comments',
    key: ({ commentid }) => commentid,
  });
  await forEach(
    run,
    'comments',
    comments,
    ({ commentid }) => `comment ${commentid}`,
    async (comment) => {
      if (comment.status === 'deleted') return;
      if (!(await mirrorComment(run, comment, null))) return;
      for (const reply of repliesOf(comment)) await mirrorComment(run, reply, comment.commentid);
    },
  );
  const present = new Set(
    comments.flatMap((comment) =>
      comment.status === 'deleted'
        ? []
        : [comment, ...repliesOf(comment)].map((one) => String(one.commentid)),
    ),
  );
  await deleteAbsent(run, present, {
    collection: 'comments',
    kind: 'comment',
    nameOf: ({ source }) => `comment ${source}`,
    pathOf: ({ source }) => `/comments/${source}`,
    remove: (ctx, comment) => removeHere(ctx, run.site, comment),
  });
}

function repliesOf({ replies }: CommentItem): ReplyItem[] {
  return replies.filter(({ status }) => status !== 'deleted');
}

/** The commented record here, and who sees it. */
interface Place {
  context: CommentFacts['context'];
  contextid: number;
  guideid: number | null;
  principals: Principal[];
}

/** Copies a comment, if it is new or has changed. Returns whether it is here. */
async function mirrorComment(run: Run, comment: ReplyItem, parentid: number | null): Promise<boolean> {
  const { site, report } = run;
  const { author: _author, replied_date: _replied, title: _title, ...content } = comment;
  const seen = fingerprint({ ...content, userid: comment.author.userid });
  const known = await findMirrored(run.services.storage.reader, site, 'comment', comment.commentid);
  const what = `comment ${comment.commentid}`;
  if (known?.seen === seen) {
    report.count('comments', 'unchanged');
    return true;
  }
  if (run.dryRun) {
    report.count('comments', known === undefined ? 'copied' : 'changed');
    return true;
  }
  await mirrorAuthor(run, comment.author);
  const outcome = await write(run, async (ctx, ids) => {
    const place = await placeOf(ctx, ids, comment);
    if (place === null) return null;
    if (known !== undefined && (await commentHere(ctx, known.id)) !== known.ours) return 'kept';
    const facts = await factsHere(ctx, ids, run, { comment, parentid, place });
    const id = known?.id ?? (await storeComment(ctx, ids, facts, place.principals, run.ids));
    if (known !== undefined) await changeComment(ctx, id, facts, place.principals);
    const ours = await commentHere(ctx, id);
    await rememberMirrored(ctx.db, site, 'comment', { source: comment.commentid, id, seen, ours });
    return outcomeOf(known, ours);
  });
  if (outcome === null) report.lack('comments', what, whyNoPlace(comment));
  else if (outcome === 'kept') report.keep('comments', what, 'The comment was changed or deleted here');
  else report.count('comments', outcome);
  return outcome !== null;
}

async function placeOf(ctx: Context, ids: ImportedIds, comment: ReplyItem): Promise<Place | null> {
  const { context, contextid: source } = comment;
  switch (context) {
    case 'guide':
      return guidePlace(ctx, 'guide', await ids.find('guide', source), await ids.find('guide', source));
    case 'step': {
      const stepid = await ids.find('step', source);
      const row =
        stepid === undefined
          ? undefined
          : await ctx.db
              .selectFrom('steps')
              .select('guideid')
              .where('stepid', '=', stepid)
              .where('deleted', '=', 0)
              .executeTakeFirst();
      return guidePlace(ctx, 'step', stepid, row?.guideid);
    }
    case 'wiki':
    case 'info': {
      const wikiid = await ids.find('wiki', source);
      const facts = wikiid === undefined ? undefined : await findDocument(ctx.db, 'wikis', wikiid);
      if (facts === undefined) return null;
      return { context, contextid: facts.wikiid, guideid: null, principals: wikiAudience() };
    }
    default:
      return null;
  }
}

async function guidePlace(
  ctx: Context,
  context: 'guide' | 'step',
  contextid: number | undefined,
  guideid: number | undefined,
): Promise<Place | null> {
  const facts = guideid === undefined ? undefined : await findDocument(ctx.db, 'guides', guideid);
  if (facts === undefined || contextid === undefined) return null;
  return { context, contextid, guideid: facts.guideid, principals: guideAudience(facts) };
}

function whyNoPlace({ context }: ReplyItem): string {
  return ['guide', 'step', 'wiki', 'info'].includes(context)
    ? `The ${context === 'info' ? 'page' : context} did not come along`
    : `Comments on a ${context} are not copied`;
}

async function factsHere(
  ctx: Context,
  ids: ImportedIds,
  run: Run,
  { comment, parentid, place }: { comment: ReplyItem; parentid: number | null; place: Place },
): Promise<ImportedComment> {
  const { author, feedback } = comment;
  const targets = await linkTargets(ids, [comment.text_raw], { origin: run.source.base, choice: run.ids });
  const closedBy = feedback?.done === undefined ? undefined : await ids.find('user', feedback.done.userid);
  return {
    commentid: comment.commentid,
    langid: comment.locale,
    context: place.context,
    contextid: place.contextid,
    guideid: place.guideid,
    parentid,
    userid: must(await ids.find('user', author.userid), 'the author'),
    text_raw: relinked(comment.text_raw, targets),
    date: comment.date,
    modified_date: comment.modified_date,
    replied_date: comment.replied_date,
    rating: comment.rating,
    status: comment.status,
    status_reason: comment.status_reason,
    title: comment.title || null,
    ...(feedback == null
      ? {}
      : {
          feedback: {
            reason: feedback.reason,
            ...(feedback.done === undefined
              ? {}
              : { done: { userid: closedBy ?? 0, date: feedback.done.date } }),
          },
        }),
  };
}

async function changeComment(
  ctx: Context,
  commentid: number,
  { text_raw, modified_date, status, status_reason, feedback }: ImportedComment,
  principals: Principal[],
): Promise<void> {
  await ctx.db
    .updateTable('comments')
    .set({
      text_raw,
      modified_date,
      status,
      status_reason,
      feedback_done_by: feedback?.done?.userid ?? null,
      feedback_done_date: feedback?.done?.date ?? null,
    })
    .where('commentid', '=', commentid)
    .execute();
  const before = await findDocument(ctx.db, 'comments', commentid);
  if (before === undefined) return;
  const after = { ...before, text_raw, modified_date, status, status_reason };
  ctx.changes.put('comments', commentid, feedback === undefined ? after : { ...after, feedback }, principals);
}

/** What a comment is like here. */
async function commentHere(ctx: Context, commentid: number): Promise<string> {
  const row = await ctx.db
    .selectFrom('comments')
    .select(['text_raw', 'status', 'modified_date', 'feedback_done_date'])
    .where('commentid', '=', commentid)
    .executeTakeFirst();
  return row === undefined ? 'deleted' : fingerprint(row);
}

/** Deletes a comment; returns why not if it stays. */
async function removeHere(ctx: Context, site: string, { id, ours }: Mirrored): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('comments')
    .select('status')
    .where('commentid', '=', id)
    .executeTakeFirst();
  if (row === undefined || row.status === 'deleted') return null;
  if ((await commentHere(ctx, id)) !== ours) return changedHere;
  if (await hasOwnReply(ctx, site, id)) return 'It was deleted there, and answered here';
  await removeComment(ctx, id);
  return null;
}

async function hasOwnReply(ctx: Context, site: string, commentid: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('comments')
    .select('commentid')
    .where('parentid', '=', commentid)
    .where('status', '!=', 'deleted')
    .where(
      'commentid',
      'not in',
      ctx.db.selectFrom('mirrored').select('id').where('site', '=', site).where('kind', '=', 'comment'),
    )
    .executeTakeFirst();
  return row !== undefined;
}
