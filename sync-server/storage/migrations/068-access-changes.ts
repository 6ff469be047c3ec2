import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/**
 * Whose sessions or rights changed, so that open event streams need not ask after every commit. Triggers note it,
 * because whatever writes these tables, in any process, must not be able to forget it.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  const noted = (whom: string, from = ''): string =>
    `BEGIN INSERT INTO access_changes (userid) SELECT ${whom} ${from}; END`;
  const statements = [
    'CREATE TABLE access_changes (change INTEGER PRIMARY KEY AUTOINCREMENT, userid INTEGER NOT NULL)',
    `CREATE TRIGGER access_of_ended_token AFTER DELETE ON tokens ${noted('OLD.userid')}`,
    `CREATE TRIGGER access_of_shortened_token AFTER UPDATE OF userid, expires_date, impersonator ON tokens
       WHEN NEW.expires_date < OLD.expires_date OR NEW.userid <> OLD.userid
         OR NEW.impersonator IS NOT OLD.impersonator ${noted('OLD.userid')}`,
    `CREATE TRIGGER access_of_user AFTER UPDATE OF privileges, enabled ON users
       WHEN NEW.privileges <> OLD.privileges OR NEW.enabled <> OLD.enabled
       BEGIN
         INSERT INTO access_changes (userid) VALUES (OLD.userid);
         INSERT INTO access_changes (userid) SELECT userid FROM tokens WHERE impersonator = OLD.userid;
       END`,
    `CREATE TRIGGER access_of_deleted_user AFTER DELETE ON users ${noted('OLD.userid')}`,
    `CREATE TRIGGER access_of_new_member AFTER INSERT ON team_members ${noted('NEW.userid')}`,
    `CREATE TRIGGER access_of_former_member AFTER DELETE ON team_members ${noted('OLD.userid')}`,
    `CREATE TRIGGER access_of_leads AFTER UPDATE OF owner ON teams WHEN NEW.owner IS NOT OLD.owner
       ${noted('userid', 'FROM users WHERE userid IN (OLD.owner, NEW.owner)')}`,
    `CREATE TRIGGER access_of_new_station_member AFTER INSERT ON station_members ${noted('NEW.stationid')}`,
    `CREATE TRIGGER access_of_station_member AFTER UPDATE OF until ON station_members ${noted('NEW.stationid')}`,
    `CREATE TRIGGER access_of_former_station_member AFTER DELETE ON station_members ${noted('OLD.stationid')}`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
