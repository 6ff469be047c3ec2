import type { signOn, signOnSessions } from '#shared/api/sign-on.ts';
import { must } from '#shared/must.ts';
import { written } from '#test/support/written.ts';

import { everybody, signedIn, type Cell, type Row } from './row.ts';
import type { RowsOf } from './table.ts';

/** A request created by the caller and confirmed by the identity provider. */
async function begun({ world, role }: Cell): Promise<{ ids: { sign_onid: string } }> {
  const sign_onid = `sign-on-${world.next()}`;
  const { userid } = must(world.people.get(role), 'the caller');
  await written(world.server.services, (tx) =>
    tx
      .insertInto('sign_ons')
      .values({
        sign_onid,
        request_id: `_${sign_onid}`,
        url: 'https://identity.example.org',
        userid,
        created_date: 1,
        expires_date: 4_000_000_000,
        status: 'confirmed',
        authenticated_date: 1,
        error: null,
      })
      .execute(),
  );
  return { ids: { sign_onid } };
}

const somebodyElses: Row = { expect: { any: signedIn(404) }, ids: () => ({ sign_onid: 'of-nobody-here' }) };

/** No identity provider is configured: only requests created before get a response. */
export const signOnRows: RowsOf<typeof signOn> = {
  metadata: { expect: { any: everybody(404) } },
  begin: { expect: { any: signedIn(403) } },
  read: [somebodyElses, { expect: { own: '- 200 200 200 200 200 200' }, fresh: begun }],
  token: [somebodyElses, { expect: { own: '- 201 201 201 201 201 201' }, fresh: begun }],
  assertions: { expect: { any: everybody(422) } },
};

/** The same: this sign-in does not exist without configuration. */
export const signOnSessionRows: RowsOf<typeof signOnSessions> = {
  begin: { expect: { any: everybody(404) } },
  redeem: { expect: { any: everybody(404) } },
};
