import type { GuideFacts } from '#shared/model/guide.ts';
import type { GuideSummary } from '#shared/model/guide-record.ts';
import type { SummarySurroundings } from '#shared/rules/guide-record.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import { JsonText } from '#server/http/json-text.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import { findDocuments, visibleAudiences } from '#server/storage/feed.ts';
import {
  readSummaries,
  storeMissing,
  withOrigin,
  type StoredSummary,
} from '#server/storage/guide-summaries.ts';
import { prepared, preparedList } from '#server/storage/prepared.ts';

import { guideSummaries, tagsOf } from './record.ts';

/** Summaries of these guides, if the viewer may see them, in the given order. */
export async function summariesOf(ctx: Context, guideids: readonly number[]): Promise<GuideSummary[]> {
  return (await summaryList(ctx, guideids)).value;
}

/** `summariesOf` as the text of the response. */
export async function summaryList(
  ctx: Context,
  guideids: readonly number[],
): Promise<JsonText<GuideSummary[]>> {
  const stored = new Map((await readSummaries(ctx.db, guideids)).map((one) => [one.guideid, one]));
  const visible = await visibleAudiences(ctx.db, ctx.viewer.principals);
  const shown = [...stored.values()].filter(({ audience }) => visible.has(audience));
  const around = await surroundingsOf(ctx, shown, visible);
  const texts = new Map(shown.map((one) => [one.guideid, `${one.body.slice(0, -1)},${around(one)}}`]));
  const missing = guideids.filter((guideid) => !stored.has(guideid));
  for (const one of await wholeSummaries(ctx, missing)) texts.set(one.guideid, JSON.stringify(one));
  const list = guideids.flatMap((guideid) => texts.get(guideid) ?? []);
  return new JsonText(withOrigin(`[${list.join(',')}]`, ctx.baseUrl));
}

/** Summaries made from whole guides. */
async function wholeSummaries(ctx: Context, guideids: readonly number[]): Promise<GuideSummary[]> {
  const facts = await findDocuments(ctx.db, 'guides', guideids);
  return guideSummaries(
    ctx,
    facts.filter((one) => can(ctx.viewer, 'guide.see', one)),
  );
}

/** Returns what belongs to each summary besides the guide's own facts, as JSON members. */
async function surroundingsOf(
  ctx: Context,
  summaries: readonly StoredSummary[],
  visible: ReadonlySet<number>,
): Promise<(one: StoredSummary) => string> {
  const authors = [...new Set(summaries.map(({ userid }) => userid))];
  const names = new Map(
    (await nameRows(ctx.db, authors, {})).map(({ userid, username }) => [userid, username]),
  );
  const tags = await tagsOf(
    ctx,
    summaries.map(({ guideid }) => guideid),
  );
  const prerequisitesOf = ({ prerequisites }: StoredSummary): number[] =>
    prerequisites === null ? [] : (JSON.parse(prerequisites) as number[]);
  const dates = await modifiedDates(ctx, [...new Set(summaries.flatMap(prerequisitesOf))], visible);
  return (one) => {
    const around: SummarySurroundings = {
      prereq_modified_date: Math.max(0, ...prerequisitesOf(one).map((guideid) => dates.get(guideid) ?? 0)),
      username: names.get(one.userid) ?? '',
      tags: tags.get(one.guideid) ?? false,
    };
    return JSON.stringify(around).slice(1, -1);
  };
}

/** When guides that the viewer may see were modified. */
async function modifiedDates(
  ctx: Context,
  guideids: readonly number[],
  visible: ReadonlySet<number>,
): Promise<Map<number, number>> {
  const stored = await readSummaries(ctx.db, guideids);
  const known = new Set(stored.map(({ guideid }) => guideid));
  const whole = await findDocuments(
    ctx.db,
    'guides',
    guideids.filter((guideid) => !known.has(guideid)),
  );
  const shown: Pick<GuideFacts, 'guideid' | 'modified_date'>[] = [
    ...stored.filter(({ audience }) => visible.has(audience)),
    ...whole.filter((one) => can(ctx.viewer, 'guide.see', one)),
  ];
  return new Map(shown.map(({ guideid, modified_date }) => [guideid, modified_date]));
}

/** Number of guides whose missing summaries are stored in one transaction. */
const mostTogether = 100;

/**
 * Stores the summaries that guides of an earlier version do not have. Ends early when `signal` does.
 *
 * - SUMMARY-2 After an update, the server stores missing summaries beside its other work.
 */
export async function storeMissingSummaries(services: Services, signal: AbortSignal): Promise<void> {
  const { storage } = services;
  for (let after = 0; !signal.aborted;) {
    const guideids = (await guidesAfter(storage.reader, { after })).map((row) => row.guideid);
    const last = guideids.at(-1);
    if (last === undefined) return;
    after = last;
    const stored = new Set((await readSummaries(storage.reader, guideids)).map(({ guideid }) => guideid));
    const missing = guideids.filter((guideid) => !stored.has(guideid));
    if (missing.length > 0)
      await storage.write(ownOrigin(services, 'store summaries'), (tx) => storeMissing(tx, missing));
  }
}

const guidesAfter = prepared<{ after: number }, { guideid: number }>((db, value) =>
  db
    .selectFrom('guides')
    .select('guideid')
    .where('deleted', '=', 0)
    .where('guideid', '>', value('after'))
    .orderBy('guideid')
    .limit(mostTogether),
);

const nameRows = preparedList<Record<never, never>, number, { userid: number; username: string }>(
  (db, userids) => db.selectFrom('users').select(['userid', 'username']).where('userid', 'in', userids),
);
