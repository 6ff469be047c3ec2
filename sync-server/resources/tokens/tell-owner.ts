import type { Services, Viewer } from '#server/http/context.ts';

/** Something that signs a person in, and is another one now. */
export type Changed = 'password' | 'mail address' | 'single sign-on id';

interface Told {
  /** The address of before. */
  to: string | null;
  username: string;
  changed: readonly Changed[];
  by: string;
}

/** Who changes the account of `userid`, as its owner is told. */
export function changerOf({ userid: caller, username }: Viewer, userid: number): string {
  if (caller === 0) return 'the command line of the server';
  return caller === userid ? 'you, or somebody with your password' : `the administrator ${username}`;
}

/** Tells the owner of an account by mail what was changed, once that is stored; not to what, since the address may be old. */
export function tellOwner(
  { mailer, site, listensAt }: Pick<Services, 'mailer' | 'site' | 'listensAt'>,
  { to, username, changed, by }: Told,
): void {
  if (to === null || changed.length === 0 || !mailer.isConfigured) return;
  const what = changed.join(' and ');
  mailer.send({
    to,
    subject: `Your ${what} at ${site.name}`,
    text: `Hello ${username},

the ${what} of your account at ${site.name} was changed by ${by}. Other sessions of the account have ended.

If you did not expect this, tell an administrator of ${site.name} at once, and set a new password:

${site.address ?? listensAt ?? ''}/forgot-password
`,
  });
}
