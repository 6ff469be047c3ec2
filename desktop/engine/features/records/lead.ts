import type { TeamFacts } from '#shared/model/user.ts';
import type { Lead } from '#shared/rules/deviations.ts';

import type { Me } from './sources.ts';

/** A person as one who may lead teams or administer the site. A kiosk does neither. */
export function leadOf(
  { userid, privileges }: Pick<Me, 'userid' | 'privileges'>,
  teams: readonly TeamFacts[],
): Lead {
  const isKiosk = privileges.includes('Kiosk');
  const leads = teams.filter(({ owner }) => !isKiosk && owner === userid).map(({ teamid }) => teamid);
  return { userid, isAdmin: !isKiosk && privileges.includes('Admin'), leads };
}
