import type { CommentFacts } from '#shared/model/comment.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import type { Context } from '#server/core/context.ts';
import { prepared } from '#server/storage/prepared.ts';

import { awardBadges } from './badges.ts';
import { mostCommentsPerDay, grant, revoke, revokeGuide, revokeSubjects, type Merit } from './reputation.ts';

const secondsPerDay = 86_400;

/** A version of a guide was stored by `editor`. `before.revisionid` is 0 for the first version. */
export async function guideSaved(
  ctx: Context,
  before: GuideFacts,
  after: GuideFacts,
  editor: number,
): Promise<void> {
  const { guideid } = after;
  if (after.public && !before.public) {
    const merit = {
      kind: 'guide.published',
      subject: `guide:${guideid}`,
      userid: after.userid,
      guideid,
    } as const;
    if (await grant(ctx, merit)) await awardBadges(ctx, after.userid, 'guides_published');
  }
  if (before.public && !after.public) await revoke(ctx, 'guide.published', `guide:${guideid}`);
  const isOwn = before.userid === editor;
  if (before.revisionid === 0 || isOwn || sameValue(contentOf(before), contentOf(after))) return;
  const subject = `guide:${guideid} by ${editor}`;
  if (await grant(ctx, { kind: 'guide.edited', subject, userid: editor, guideid }))
    await awardBadges(ctx, editor, 'guides_contributed');
}

/**
 * A public guide was imported from another site, with the reputation of its author.
 *
 * - MERIT-13 Actions before merits were recorded, or on the site that an import came from, are part of the reputation
 *   that people have already, and never count again.
 */
export async function guideImported(ctx: Context, facts: GuideFacts): Promise<void> {
  const { guideid, userid } = facts;
  if (facts.public)
    await grant(ctx, { kind: 'guide.published', subject: `guide:${guideid}`, userid, guideid }, 0);
}

/** A guide was deleted. */
export async function guideRemoved(ctx: Context, guideid: number): Promise<void> {
  await revokeGuide(ctx, guideid);
}

const marks = {
  favorites: { kind: 'guide.favorited', received: 'favorites_received', given: null },
  completions: { kind: 'guide.completed', received: 'completions_received', given: 'guides_completed' },
} as const;

/** `userid` marked a guide as a favourite or completed. */
export async function guideMarked(
  ctx: Context,
  table: keyof typeof marks,
  guideid: number,
  userid: number,
): Promise<void> {
  const { kind, received, given } = marks[table];
  const author = await authorOf(ctx, guideid);
  if (author !== undefined && author !== userid) {
    const merit = { kind, subject: `guide:${guideid} by ${userid}`, userid: author, guideid };
    if (await grant(ctx, merit)) await awardBadges(ctx, author, received);
  }
  if (given !== null) await awardBadges(ctx, userid, given);
}

/** `userid` removed the mark. */
export async function guideUnmarked(
  ctx: Context,
  table: keyof typeof marks,
  guideid: number,
  userid: number,
): Promise<void> {
  await revoke(ctx, marks[table].kind, `guide:${guideid} by ${userid}`);
}

type Commented = Pick<CommentFacts, 'contextid' | 'guideid' | 'userid'> & { context: string };

/** A comment was posted. */
export async function commentPosted(ctx: Context, comment: Commented): Promise<void> {
  const { context, contextid, guideid, userid } = comment;
  const author = guideid === null ? undefined : await authorOf(ctx, guideid);
  if (author !== userid) {
    const merit = {
      kind: 'comment.posted',
      subject: `${context}:${contextid} by ${userid}`,
      userid,
      guideid,
    } as const;
    if (!(await hasEnoughToday(ctx, merit))) await grant(ctx, merit);
  }
  await awardBadges(ctx, userid, 'comments_posted');
}

/**
 * Whether the person has reached the daily limit for new merits of this kind. Earlier merits can come back at any time.
 */
async function hasEnoughToday(ctx: Context, { kind, subject, userid }: Merit): Promise<boolean> {
  const recent = await ctx.db
    .selectFrom('merits')
    .select('subject')
    .where('userid', '=', userid)
    .where('kind', '=', kind)
    .where((is) => is.or([is('date', '>', ctx.seconds - secondsPerDay), is('subject', '=', subject)]))
    .execute();
  return recent.length >= mostCommentsPerDay && recent.every((merit) => merit.subject !== subject);
}

/** A comment was deleted. The merit is revoked with a person's last comment on a document. */
export async function commentRemoved(ctx: Context, comment: Commented): Promise<void> {
  const { context, contextid, userid } = comment;
  const left = await ctx.db
    .selectFrom('comments')
    .select('commentid')
    .where('context', '=', context)
    .where('contextid', '=', contextid)
    .where('userid', '=', userid)
    .where('status', '!=', 'deleted')
    .limit(1)
    .executeTakeFirst();
  if (left === undefined) await revoke(ctx, 'comment.posted', `${context}:${contextid} by ${userid}`);
}

/**
 * Text that `userid` wrote on a wiki page is shown.
 *
 * - MERIT-11 A wiki page counts once for each of its writers, as soon as their text is shown, and as long as the page
 *   exists.
 */
export async function wikiEdited(ctx: Context, wikiid: number, userid: number): Promise<void> {
  const subject = `wiki:${wikiid} by ${userid}`;
  if (await grant(ctx, { kind: 'wiki.edited', subject, userid, guideid: null }))
    await awardBadges(ctx, userid, 'wikis_edited');
}

/** A wiki page was deleted. `commentRemoved` is called for the comments on it. */
export async function wikiRemoved(ctx: Context, wikiid: number): Promise<void> {
  await revokeSubjects(ctx, 'wiki.edited', `wiki:${wikiid} by `);
}

/** A story or post was deleted with the comments on it. */
export async function postRemoved(ctx: Context, kind: 'story' | 'post', postid: number): Promise<void> {
  await revokeSubjects(ctx, 'comment.posted', `${kind}:${postid} by `);
}

/** `userid` finished a work order. */
export async function workFinished(ctx: Context, userid: number): Promise<void> {
  await awardBadges(ctx, userid, 'work_finished');
}

/** `userid` joined a team. */
export async function teamJoined(ctx: Context, userid: number): Promise<void> {
  await awardBadges(ctx, userid, 'teams_joined');
}

async function authorOf(ctx: Context, guideid: number): Promise<number | undefined> {
  const [row] = await authorRow(ctx.db, { guideid });
  return row?.userid;
}

const authorRow = prepared<{ guideid: number }, { userid: number }>((db, value) =>
  db.selectFrom('guides').select('userid').where('guideid', '=', value('guideid')),
);
