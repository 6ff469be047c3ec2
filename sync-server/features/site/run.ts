import { invalid, Problem } from '#shared/api/problem.ts';
import type { SiteJob } from '#shared/model/site.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { listJobs } from '#server/jobs/store.ts';
import { textsIn } from '#server/text/texts.ts';

import { findPeople } from '../users/store.ts';

/**
 * The jobs of the server, newest first.
 *
 * - SITE-20 Administrators list the jobs of all people and of the server, with their state, and why one failed.
 */
export async function listSiteJobs(
  ctx: Context,
  page: { limit: number; offset: number },
): Promise<SiteJob[]> {
  const jobs = await listJobs(ctx, page);
  const people = await findPeople(
    ctx.db,
    jobs.flatMap(({ userid }) => (userid === null ? [] : [userid])),
  );
  return jobs.map(({ jobid, kind, state, userid, progress, error, created_date, finished_date }) => ({
    jobid,
    kind,
    state,
    userid,
    username: userid === null ? null : (people.get(userid)?.username ?? ''),
    done: progress.done,
    of: progress.total,
    error: error?.message ?? null,
    created_date,
    finished_date,
  }));
}

/**
 * Makes a backup now (BACKUP-20).
 *
 * - SITE-21 Administrators make a backup now where the server has a folder for backups. Without one, and while a backup is
 *   being made, the answer is 422.
 */
export function beginBackup({ services: { backups } }: Context): void {
  if (backups.schedule === null)
    throw new Problem('invalid', 'The server was started without a folder for backups (--backup)');
  if (!backups.schedule.makeNow()) throw new Problem('invalid', 'A backup is being made already');
}

/** Sends a test mail to the caller (MAIL-1). Throws 422 if they have no address, or with the words of the mail server. */
export async function sendTestMail(ctx: Context): Promise<void> {
  const { site, mailer } = ctx.services;
  if (!mailer.isConfigured) throw invalid('smtp', 'No mail server is set up');
  const { email, username, langid } = await ctx.services.storage.reader
    .selectFrom('users')
    .select(['email', 'username', 'langid'])
    .where('userid', '=', mustUserid(ctx))
    .executeTakeFirstOrThrow();
  if (email === null) throw invalid('email', 'Your account has no e-mail address');
  const { subject, text } = textsIn(langid, site.langid).mails.test;
  try {
    await mailer.try({ to: email, subject: subject(site.name), text: text(username, site.name) });
  } catch (error) {
    throw invalid('smtp', `The mail server did not take it: ${error instanceof Error ? error.message : ''}`);
  }
  // For the audit log.
  await ctx.write(async (write) => {
    write.note.object = { kind: 'user', id: String(mustUserid(write)) };
  });
}
