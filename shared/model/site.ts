import { z } from 'zod';

import { readSettings } from './site-settings.ts';

const guideTypeWords = z.strictObject({ title: z.string(), prompt: z.string() });

/**
 * The facts about a site that apps read before sign-in (as on live servers); names with dashes come from existing
 * apps. Switches are booleans because newer apps expect them; absent texts are empty because apps expect texts.
 */
export const siteInfo = z
  .strictObject({
    siteid: z.int(),
    name: z.string(),
    domain: z.string(),
    custom_domain: z.string().nullable(),
    title: z.string(),
    theme: z.string(),
    private: z.boolean(),
    description: z.string(),
    answers: z.boolean(),
    store: z.string(),
    /**
     * Ours. `sign-on`: approvals can be signed with a single sign-on. `sign-in`: the name of the provider for signing
     * in.
     */
    authentication: z.strictObject({
      standard: z.boolean(),
      'public-registration': z.boolean(),
      'sign-on': z.boolean(),
      'sign-in': z.string().nullable(),
    }),
    'guide-types': z.record(z.string(), guideTypeWords),
    'object-name-singular': z.string(),
    'object-name-plural': z.string(),
    'feature-mobile-scanner': z.boolean(),
    'google-oauth2-clientid': z.string(),
    logo: z.null(),
    langid: z.string(),
    languages: z.array(z.string()),
    'support-url': z.string().nullable(),
  })
  .meta({ id: 'SiteInfo' });
export type SiteInfo = z.infer<typeof siteInfo>;

/** Settings of the site as administrators read them. Of secrets they see only whether they are set. */
export const siteRecord = z.strictObject(readSettings).meta({ id: 'Site' });
export type SiteRecord = z.infer<typeof siteRecord>;

/** An identifier of a calling application (spec, "Authentication" 2). */
export const appId = z
  .strictObject({
    appid: z.string(),
    name: z.string(),
    created_date: z.int(),
    revoked_date: z.int().nullable(),
  })
  .meta({ id: 'AppId' });
export type AppId = z.infer<typeof appId>;

const attempt = z.strictObject({
  /** UNIX seconds. */
  date: z.int(),
  /** What was wrong, in sentences; empty if it succeeded. */
  findings: z.array(z.string()),
});

/** The state of the server, for administrators. */
export const serverStatus = z
  .strictObject({
    /** Version of the program. */
    program: z.string(),
    /** Start of the process, UNIX seconds. */
    started_date: z.int(),
    /** Checks that are quick; `benchbook doctor` makes all of them. */
    findings: z.array(
      z.strictObject({
        check: z.string(),
        level: z.enum(['ok', 'warning', 'error']),
        message: z.string(),
        /** What to do; null if nothing needs to be done. */
        advice: z.string().nullable(),
      }),
    ),
    backup: z.strictObject({
      /** Whether the server was started with a folder for scheduled backups. */
      scheduled: z.boolean(),
      /** That folder, on the machine of the server; null if there is none. */
      folder: z.string().nullable(),
      /** Whether a backup, or the proof of one, is being made. */
      running: z.boolean(),
      /** When the next backup is due, UNIX seconds; null if none is scheduled. */
      next_date: z.int().nullable(),
      /** The last backup that was made. */
      last: attempt.extend({ size: z.int() }).nullable(),
      /** The last attempt, if it failed. */
      failed: attempt.nullable(),
      /** The last proof that a backup can be restored. */
      proof: attempt.nullable(),
    }),
    devices: z.strictObject({
      connected: z.int(),
      current: z.int(),
      behind: z.int(),
      waiting: z.int(),
      /** Age of the oldest change that waits on a device, seconds; null if none waits. */
      oldest_seconds: z.int().nullable(),
    }),
    /** Jobs that wait or run. */
    jobs: z.array(
      z.strictObject({ kind: z.string(), state: z.enum(['waiting', 'running']), count: z.int() }),
    ),
    /** Sizes in bytes. */
    database_size: z.int(),
    free_size: z.int(),
    memory_size: z.int(),
  })
  .meta({ id: 'ServerStatus' });
export type ServerStatus = z.infer<typeof serverStatus>;

/** Work that outlives a request. Times are UNIX seconds. */
export const siteJob = z
  .strictObject({
    jobid: z.int(),
    kind: z.string(),
    state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
    /** The person for whom it runs; null: the server. */
    userid: z.int().nullable(),
    username: z.string().nullable(),
    /** Parts done, of all parts (0: not known). */
    done: z.int(),
    of: z.int(),
    /** Why it failed. */
    error: z.string().nullable(),
    created_date: z.int(),
    finished_date: z.int().nullable(),
  })
  .meta({ id: 'SiteJob' });
export type SiteJob = z.infer<typeof siteJob>;
