import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `CREATE TABLE webhooks (
    webhookid INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL, description TEXT NOT NULL, events TEXT NOT NULL,
    secret TEXT NOT NULL, enabled INTEGER NOT NULL, created_date INTEGER NOT NULL)`,
  `CREATE TABLE webhook_events (
    eventid TEXT PRIMARY KEY NOT NULL, event TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL,
    created_date INTEGER NOT NULL)`,
  `CREATE TABLE webhook_deliveries (
    deliveryid INTEGER PRIMARY KEY AUTOINCREMENT, webhookid INTEGER NOT NULL REFERENCES webhooks (webhookid),
    eventid TEXT NOT NULL REFERENCES webhook_events (eventid), subject TEXT NOT NULL, status TEXT NOT NULL,
    attempts INTEGER NOT NULL, next_ms BIGINT NOT NULL, last_status INTEGER, last_error TEXT, last_date INTEGER)`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (status, next_ms)`,
  `CREATE INDEX webhook_deliveries_order ON webhook_deliveries (webhookid, subject, status)`,
  `CREATE INDEX webhook_deliveries_event ON webhook_deliveries (eventid)`,
];

/** Webhooks, their events and deliveries. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
