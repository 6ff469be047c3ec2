import { accountAdminText } from '#desktop/renderer/text/en/account-admin.ts';
import type { Tone } from '#desktop/renderer/ui/badge.tsx';
import type { Account } from '#shared/model/account.ts';

export type AccountState = keyof typeof accountAdminText.states;

export const stateTones: Record<AccountState, Tone> = {
  active: 'ok',
  waiting: 'neutral',
  invited: 'accent',
  refused: 'danger',
  closed: 'neutral',
};

/** The state of an account. `now`: ms since 1970. */
export function stateOf(account: Account, now: number): AccountState {
  if (!account.enabled) return 'closed';
  if (account.invited_until !== null && account.invited_until * 1000 > now && !account.can_sign_in)
    return account.invitation_failure === undefined ? 'invited' : 'refused';
  return account.can_sign_in ? 'active' : 'waiting';
}

/** The roles of an account in words. Everybody is a worker, so that is said only of those who are nothing else. */
export function rolesOf({ privileges }: Pick<Account, 'privileges'>): string {
  const others = privileges.filter((one) => one !== 'User');
  const shown = others.length === 0 ? ['User'] : others;
  return shown.map((one) => accountAdminText.roles[one] ?? one).join(', ');
}
