import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/**
 * Stations, who was of them and when, and how people sign in there. Secrets, PINs and numbers of badges are encrypted or
 * hashed with the key of the server. `station_arrivals` has a row for each call that a station sent in a person's name.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  const statements = [
    `CREATE TABLE stations (stationid INTEGER PRIMARY KEY REFERENCES users (userid),
       place TEXT NOT NULL, settings TEXT NOT NULL, created_date INTEGER NOT NULL,
       code_hash TEXT UNIQUE, code_expires INTEGER,
       token_hash TEXT UNIQUE, secret TEXT, enrolled_date INTEGER, revoked_date INTEGER,
       device TEXT, app_version TEXT, contact_date INTEGER,
       waiting INTEGER, waiting_since INTEGER, failed_tries INTEGER,
       CHECK ((code_hash IS NULL) = (code_expires IS NULL)))`,
    `CREATE TABLE ended_station_tokens (token_hash TEXT PRIMARY KEY NOT NULL,
       stationid INTEGER NOT NULL REFERENCES stations (stationid), ended_date INTEGER NOT NULL,
       reason TEXT NOT NULL CHECK (reason IN ('revoked', 'replaced'))) WITHOUT ROWID`,
    `CREATE TABLE station_named (stationid INTEGER NOT NULL REFERENCES stations (stationid),
       userid INTEGER NOT NULL REFERENCES users (userid), PRIMARY KEY (stationid, userid)) WITHOUT ROWID`,
    `CREATE TABLE station_members (memberid INTEGER PRIMARY KEY,
       stationid INTEGER NOT NULL REFERENCES stations (stationid),
       userid INTEGER NOT NULL REFERENCES users (userid), since INTEGER NOT NULL, until INTEGER)`,
    'CREATE UNIQUE INDEX present_station_members ON station_members (stationid, userid) WHERE until IS NULL',
    'CREATE INDEX station_members_of_person ON station_members (userid, stationid)',
    `CREATE TABLE station_former (stationid INTEGER NOT NULL REFERENCES stations (stationid),
       userid INTEGER NOT NULL REFERENCES users (userid),
       first_tried INTEGER NOT NULL, last_tried INTEGER NOT NULL,
       earliest INTEGER NOT NULL, latest INTEGER NOT NULL,
       decision TEXT CHECK (decision IN ('accepted', 'refused')), decided_by INTEGER, decided_date INTEGER,
       PRIMARY KEY (stationid, userid)) WITHOUT ROWID`,
    `CREATE TABLE station_badges (station_badgeid INTEGER PRIMARY KEY AUTOINCREMENT,
       userid INTEGER NOT NULL REFERENCES users (userid), label TEXT NOT NULL,
       number_hash TEXT NOT NULL, sealed TEXT NOT NULL,
       issued_date INTEGER NOT NULL, issued_by INTEGER NOT NULL,
       revoked_date INTEGER, revoked_by INTEGER)`,
    'CREATE UNIQUE INDEX working_station_badges ON station_badges (number_hash) WHERE revoked_date IS NULL',
    'CREATE INDEX station_badges_of_person ON station_badges (userid)',
    `CREATE TABLE station_pins (userid INTEGER PRIMARY KEY REFERENCES users (userid),
       sealed TEXT NOT NULL, set_date INTEGER NOT NULL, set_by INTEGER NOT NULL)`,
    `CREATE TABLE station_arrivals (arrivalid INTEGER PRIMARY KEY AUTOINCREMENT,
       stationid INTEGER NOT NULL REFERENCES stations (stationid), userid INTEGER NOT NULL,
       date INTEGER NOT NULL, recorded_date INTEGER NOT NULL,
       action TEXT NOT NULL, object TEXT NOT NULL, objectid TEXT NOT NULL)`,
    'CREATE INDEX arrivals_of_station ON station_arrivals (stationid, date)',
    'ALTER TABLE comments ADD COLUMN stationid INTEGER REFERENCES stations (stationid)',
    'CREATE INDEX arrivals_of_record ON station_arrivals (stationid, object, objectid)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
