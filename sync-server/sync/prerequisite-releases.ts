import type { GuideFacts, ReleasedGuide } from '#shared/model/guide.ts';
import { withApproval } from '#server/features/approvals/facts.ts';
import { formsAsReleased } from '#server/features/approvals/signed-forms.ts';
import { chunks } from '#server/storage/chunks.ts';
import type { Db } from '#server/storage/tables.ts';

type Pin = Pick<NonNullable<GuideFacts['prerequisite_releases']>[number], 'guideid' | 'releaseid'>;

/** Releases as JSON (`ReleasedGuide`), by pin. */
export interface ReleaseTexts {
  /** undefined: the guide has no such release. */
  find: (pin: Pin) => string | undefined;
}

/** The releases of these pins. Each is read and serialized once, however many guides pin it. */
export async function releasesOf(db: Db, pins: readonly Pin[]): Promise<ReleaseTexts> {
  const last = await lastReleases(
    db,
    pins.flatMap(({ guideid, releaseid }) => (releaseid === null ? [guideid] : [])),
  );
  const named = pins.flatMap(({ guideid, releaseid }) => releaseid ?? last.get(guideid) ?? []);
  const texts = new Map<string, string>();
  for (const some of chunks([...new Set(named)])) {
    const rows = await db
      .selectFrom('guide_releases')
      .innerJoin('guide_revisions', (join) =>
        join
          .onRef('guide_revisions.guideid', '=', 'guide_releases.guideid')
          .onRef('guide_revisions.guide_revisionid', '=', 'guide_releases.guide_revisionid'),
      )
      .select(['guide_releases.guideid', 'releaseid', 'title', 'body'])
      .where('releaseid', 'in', some)
      .where('status', '=', 'released')
      .execute();
    for (const { guideid, releaseid, title, body } of rows)
      texts.set(
        `${guideid}@${releaseid}`,
        JSON.stringify(await releasedGuideOf(db, { releaseid, title }, await signedVersion(db, body))),
      );
  }
  return { find: ({ guideid, releaseid }) => texts.get(`${guideid}@${releaseid ?? last.get(guideid)}`) };
}

/** The newest release of each guide. */
async function lastReleases(db: Db, guideids: readonly number[]): Promise<Map<number, number>> {
  const last = new Map<number, number>();
  for (const some of chunks([...new Set(guideids)])) {
    const rows = await db
      .selectFrom('guide_releases')
      .select(['guideid', ({ fn }) => fn.max('releaseid').as('releaseid')])
      .where('guideid', 'in', some)
      .where('status', '=', 'released')
      .groupBy('guideid')
      .execute();
    for (const { guideid, releaseid } of rows) last.set(guideid, Number(releaseid));
  }
  return last;
}

function signedVersion(db: Db, body: string): Promise<GuideFacts> {
  return withApproval(db, JSON.parse(body) as GuideFacts, false);
}

/**
 * A released version without its permissions, and without its own prerequisites, which have permissions of their own.
 */
async function releasedGuideOf(
  db: Db,
  release: Pick<ReleasedGuide, 'releaseid' | 'title'>,
  facts: GuideFacts,
): Promise<ReleasedGuide> {
  const forms = await formsAsReleased(db, facts);
  const {
    key: _key,
    prerequisites: _prerequisites,
    prerequisite_releases: _pins,
    modified_userid: _by,
    allowed_users: _users,
    allowed_teams: _teams,
    archived_author: _author,
    attached_quiz: _quiz,
    approval,
    ...guide
  } = facts;
  return {
    ...release,
    guide,
    ...(approval === undefined ? {} : { approval }),
    ...(forms === null ? {} : { forms }),
  };
}
