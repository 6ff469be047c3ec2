import { z } from 'zod';

import { get, post } from './endpoint.ts';
import { registration } from './users.ts';

const code = z.string().trim().min(1).max(40);

/** Where the server finds backups. Absent: the folder and key of its scheduled backups. */
const backupSource = z.strictObject({
  code,
  /** Folder on the machine of the server. */
  folder: z.string().trim().min(1).max(1000).optional(),
  /** Key file on the machine of the server. */
  key: z.string().trim().min(1).max(1000).optional(),
});
export type BackupSource = z.input<typeof backupSource>;

/** A new site and its first administrator. */
const newSite = registration.omit({ unique_username: true }).extend({
  code,
  title: z.string().trim().min(1).max(100),
});
export type NewSite = z.input<typeof newSite>;

const setupState = z
  .strictObject({
    /** Whether the site has no administrator yet. */
    needed: z.boolean(),
    /** Whether the server is restoring a backup. It stops answering meanwhile. */
    restoring: z.boolean(),
  })
  .meta({ id: 'SetupState' });

const foundBackups = z
  .strictObject({
    folder: z.string(),
    /** The newest ones, newest first. */
    backups: z.array(
      z.strictObject({
        name: z.string(),
        /** UNIX seconds. */
        made_date: z.int(),
        site: z.string(),
        /** Bytes. */
        size: z.int().min(0),
      }),
    ),
    /** Number of older ones, which `benchbook restore` can restore. */
    older: z.int().min(0),
    /** Whether they are encrypted. Only encrypted backups contain the key of the server. */
    encrypted: z.boolean(),
    /** Why the last restore failed; null if there was none. */
    failure: z.string().nullable(),
  })
  .meta({ id: 'FoundBackups' });
export type FoundBackups = z.infer<typeof foundBackups>;

/**
 * The first run of an empty server. All calls but `read` need the code that the server prints at its start, and are
 * refused with 403 once the site has an administrator.
 */
export const setup = {
  read: get('/setup', {
    summary: 'Read whether this server still has to be set up',
    access: 'public',
    result: setupState,
    extension: true,
  }),
  begin: post('/setup', {
    summary: 'Set up the site with its first administrator',
    access: 'public',
    status: 201,
    body: newSite,
    result: z.strictObject({ userid: z.int() }),
    refuses: [400, 403],
    extension: true,
    transaction: 'handler',
  }),
  listBackups: post('/setup/backups', {
    summary: 'List the backups in a folder of the server',
    access: 'public',
    reads: true,
    body: backupSource,
    result: foundBackups,
    refuses: [400, 403],
    extension: true,
    transaction: 'handler',
  }),
  restore: post('/setup/restore', {
    summary: 'Restore a backup; the server restarts with it',
    access: 'public',
    status: 202,
    body: backupSource.extend({ backup: z.string().min(1).max(100) }),
    result: setupState,
    refuses: [400, 403],
    extension: true,
    transaction: 'handler',
  }),
};
