import { atOnce, post, type Attack } from './attack.ts';

let tried = 0;

/** Sign-ins of three hundred missing accounts, from one address. */
export const signInFlood: Attack = {
  name: '300 sign-ins at once from one address',
  async wave(target) {
    const counted = {};
    await atOnce(300, () => {
      tried += 1;
      const body = JSON.stringify({ email: `nobody${tried}@example.com`, password: 'a long password' });
      return post(target, '/user/token', null, body, counted);
    });
    return counted;
  },
};
