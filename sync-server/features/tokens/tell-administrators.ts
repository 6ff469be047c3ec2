import type { Services } from '#server/core/services.ts';
import type { Mail } from '#server/features/mail/mailer.ts';
import type { SmtpSettings } from '#server/core/site-settings.ts';
import type { Db } from '#server/storage/tables.ts';

interface How {
  /** The userid of an administrator who is not notified. */
  except?: number;
  /** Default: the current mail server. */
  smtp?: SmtpSettings | null;
}

/** Sends a mail to the administrators, where there is a mail server. */
export async function mailAdministrators(
  { mailer, storage, site }: Pick<Services, 'mailer' | 'storage' | 'site'>,
  mail: Omit<Mail, 'to'>,
  { except = 0, smtp = site.smtp }: How = {},
): Promise<void> {
  if (smtp === null) return;
  for (const to of await administratorsOf(storage.reader, except)) mailer.send({ to, ...mail }, smtp);
}

async function administratorsOf(db: Db, except: number): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('email')
    .where('enabled', '=', 1)
    .where('privileges', 'like', '%"Admin"%')
    .where('userid', '!=', except)
    .execute();
  return rows.flatMap(({ email }) => (email === null ? [] : [email]));
}
