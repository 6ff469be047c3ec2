import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `ALTER TABLE users ADD COLUMN sso_userid TEXT`,
  `CREATE UNIQUE INDEX users_sso ON users (sso_userid)`,
  `ALTER TABLE users ADD COLUMN username_search TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE teams ADD COLUMN image TEXT`,
  `ALTER TABLE teams ADD COLUMN location TEXT`,
  `ALTER TABLE teams ADD COLUMN latitude REAL`,
  `ALTER TABLE teams ADD COLUMN longitude REAL`,
  `CREATE TABLE team_attributes (
    attributeid INTEGER PRIMARY KEY AUTOINCREMENT, teamid INTEGER NOT NULL REFERENCES teams (teamid), name TEXT NOT NULL,
    value TEXT NOT NULL, UNIQUE (teamid, name))`,
  `CREATE TABLE course_assignments (
    course_assignmentid INTEGER PRIMARY KEY AUTOINCREMENT, courseid INTEGER NOT NULL, title TEXT NOT NULL,
    teamid INTEGER NOT NULL REFERENCES teams (teamid), due_date INTEGER, status TEXT NOT NULL, created_date INTEGER NOT NULL)`,
  `CREATE INDEX course_assignments_team ON course_assignments (teamid)`,
  `CREATE TABLE merits (
    kind TEXT NOT NULL, subject TEXT NOT NULL, userid INTEGER NOT NULL REFERENCES users (userid), guideid INTEGER,
    points INTEGER NOT NULL, active INTEGER NOT NULL, date INTEGER NOT NULL, PRIMARY KEY (kind, subject))`,
  `CREATE INDEX merits_user ON merits (userid, kind)`,
  `CREATE INDEX merits_guide ON merits (guideid)`,
  `CREATE TABLE badges (
    badgeid INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, category TEXT NOT NULL,
    description TEXT NOT NULL, measure TEXT NOT NULL, threshold INTEGER NOT NULL, multiple INTEGER NOT NULL,
    secondary_color TEXT NOT NULL)`,
  `CREATE TABLE badge_awards (
    badgeid INTEGER NOT NULL REFERENCES badges (badgeid), userid INTEGER NOT NULL REFERENCES users (userid),
    times_earned INTEGER NOT NULL, date INTEGER NOT NULL, PRIMARY KEY (userid, badgeid))`,
  `CREATE INDEX badge_awards_badge ON badge_awards (badgeid)`,
  `CREATE TABLE unpublished_merits (userid INTEGER PRIMARY KEY NOT NULL REFERENCES users (userid))`,
  // Activity from before merits existed is already part of people's reputation: it earns no points, and reverting it
  // removes none.
  `INSERT INTO merits SELECT 'guide.published', 'guide:' || guideid, userid, guideid, 0, 1, modified_date
    FROM guides WHERE public = 1 AND deleted = 0`,
  `INSERT INTO merits SELECT 'guide.favorited', 'guide:' || f.guideid || ' by ' || f.userid, g.userid, f.guideid, 0, 1, f.date
    FROM favorites f JOIN guides g ON g.guideid = f.guideid WHERE g.userid <> f.userid`,
  `INSERT INTO merits SELECT 'guide.completed', 'guide:' || c.guideid || ' by ' || c.userid, g.userid, c.guideid, 0, 1, c.date
    FROM completions c JOIN guides g ON g.guideid = c.guideid WHERE g.userid <> c.userid`,
  `INSERT INTO merits SELECT 'guide.edited', 'guide:' || r.guideid || ' by ' || r.userid, r.userid, r.guideid, 0, 1, MIN(r.date)
    FROM guide_revisions r JOIN guides g ON g.guideid = r.guideid WHERE g.userid <> r.userid GROUP BY r.guideid, r.userid`,
  `INSERT INTO merits SELECT 'comment.posted', context || ':' || contextid || ' by ' || userid, userid, MIN(guideid), 0, 1, MIN(date)
    FROM comments WHERE status <> 'deleted' GROUP BY context, contextid, userid`,
];

const general = ['badgeGeneral', 'steel-blue'] as const;
const guide = ['badgeGuide', 'forest-green'] as const;
const answers = ['badgeAnswers', 'amber'] as const;
const workbench = ['badgeWorkbench', 'rust'] as const;

type Seed = [
  badgeid: number,
  name: string,
  type: 'bronze' | 'silver' | 'gold',
  place: readonly [category: string, color: string],
  measure: string,
  threshold: number,
  multiple: 0 | 1,
  description: string,
];

const badges: Seed[] = [
  [1, 'First guide', 'bronze', guide, 'guides_published', 1, 0, 'Published a guide'],
  [2, 'Bookshelf', 'silver', guide, 'guides_published', 10, 0, 'Published ten guides'],
  [3, 'Library', 'gold', guide, 'guides_published', 50, 0, 'Published fifty guides'],
  [
    4,
    'Second pair of eyes',
    'bronze',
    guide,
    'guides_contributed',
    1,
    0,
    'Improved a guide of somebody else',
  ],
  [5, 'Editor', 'silver', guide, 'guides_contributed', 10, 0, 'Improved ten guides of others'],
  [
    6,
    'Well liked',
    'silver',
    guide,
    'favorites_received',
    10,
    1,
    'Ten more people keep one of your guides as a favourite',
  ],
  [
    7,
    'Tried and true',
    'silver',
    guide,
    'completions_received',
    10,
    1,
    'Others completed your guides ten more times',
  ],
  [8, 'First comment', 'bronze', answers, 'comments_posted', 1, 0, 'Commented on something'],
  [9, 'Talks shop', 'silver', answers, 'comments_posted', 25, 0, 'Commented twenty-five times'],
  [10, 'First completion', 'bronze', workbench, 'guides_completed', 1, 0, 'Completed a guide'],
  [11, 'Ten completions', 'silver', workbench, 'guides_completed', 10, 0, 'Completed ten guides'],
  [12, 'Hundred completions', 'gold', workbench, 'guides_completed', 100, 0, 'Completed a hundred guides'],
  [13, 'First work order', 'bronze', workbench, 'work_finished', 1, 0, 'Finished a work order'],
  [14, 'Steady hands', 'silver', workbench, 'work_finished', 25, 1, 'Finished twenty-five more work orders'],
  [15, 'First page', 'bronze', general, 'wikis_edited', 1, 0, 'Wrote on a page of the wiki'],
  [16, 'Team player', 'bronze', general, 'teams_joined', 1, 0, 'Belongs to a team'],
];

/** People: single sign-on ids, team details, changing reputation, badges. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await storeBadges(db);
  // In the program, because SQLite's lower() changes only A to Z.
  for (const { userid, username } of await db.selectFrom('users').select(['userid', 'username']).execute()) {
    const username_search = username.normalize('NFKC').toLowerCase();
    await db.updateTable('users').set({ username_search }).where('userid', '=', userid).execute();
  }
}

/** Stores the badges that people can earn. */
export async function storeBadges(db: Kysely<Tables>): Promise<void> {
  for (const [badgeid, name, type, place, measure, threshold, multiple, description] of badges) {
    const [category, secondary_color] = place;
    const row = { badgeid, name, type, category, description, measure, threshold, multiple, secondary_color };
    await db.insertInto('badges').values(row).execute();
  }
}
