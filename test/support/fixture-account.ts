import type { AccountActions, GivenProof } from '#desktop/engine/api/account.ts';
import { invalid } from '#shared/api/problem.ts';
import type { World } from './fixture-world.ts';
import type { Session } from '#shared/model/session.ts';

/** The proof of identity in the fixture's world. */
export const rightPassword = 'a long password';

/** Refuses a wrong proof like the server. */
export function mustProve(proof: GivenProof): void {
  if ('password' in proof && proof.password !== rightPassword)
    throw invalid('current_password', 'This is not your password');
}

const hour = 3600;
const now = 1_780_000_000;
const session: Session = {
  sessionid: 'here',
  device: 'Benchbook on Linux',
  address: '192.0.2.7',
  created_date: now - 40 * 24 * hour,
  used_date: now,
  expires_date: now + 30 * 24 * hour,
  is_current: true,
  impersonator: null,
};

/** Sign-ins and sessions in the memory of the page. */
export function accountActions(
  change: (make: (now: World) => Partial<World>) => void,
  { mustSet = false }: { mustSet?: boolean },
): AccountActions {
  let language = 'de';
  let sessions: Session[] = [
    session,
    {
      ...session,
      sessionid: 'tablet',
      device: 'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1',
      address: '2001:db8:0:7::42',
      used_date: now - 9 * hour,
      is_current: false,
    },
    {
      ...session,
      sessionid: 'acting',
      device: 'Impersonated by Mira',
      used_date: now - hour / 2,
      is_current: false,
      impersonator: { userid: 9102, username: 'Mira' },
    },
  ];
  return {
    mustSetPassword: async () => mustSet,
    mailLanguage: async () => language,
    changeMailLanguage: async (langid) => {
      language = langid;
    },
    deviceSecret: async () => null,
    changePassword: async (password, proof) => {
      mustProve(proof);
      if (password === 'refused by the server') throw invalid('password', 'Choose another password');
    },
    changeAddress: async (email, proof) => {
      mustProve(proof);
      if (email === 'taken@example.com')
        throw invalid('email', 'This e-mail address has an account already, or had one');
    },
    listSignIns: async () => sessions,
    async endSignIn(_userid, sessionid) {
      sessions = sessions.filter((one) => one.sessionid !== sessionid);
    },
    async actAs(userid) {
      const user = {
        userid,
        username: 'Ben Okafor',
        privileges: ['User'],
        impersonator: { userid: 9101, username: 'Ana Ruiz' },
      };
      change((now) => ({ session: { ...now.session, user } }));
    },
    async endOtherSignIns() {
      sessions = sessions.filter((one) => one.is_current);
    },
  };
}
