import type { Client } from '#shared/api/client.ts';
import { invalid } from '#shared/api/problem.ts';
import type { signOn } from '#shared/api/sign-on.ts';

import type { GivenProof } from '../api/account.ts';

type SignOnClient = Client<{ signOn: typeof signOn }>;

/** The proof of identity in a body. */
type ProofFields = { current_password: string } | { sign_on_token: string };

/**
 * Takes the token of a single sign-on, which the server returns only once, and keeps it until `forget` in case the call
 * has to be retried.
 */
export function tokenKeeper(client: SignOnClient): {
  take: (sign_onid: string) => Promise<string>;
  forget: (sign_onid: string) => void;
} {
  const tokens = new Map<string, string>();
  return {
    async take(sign_onid) {
      const known = tokens.get(sign_onid);
      if (known !== undefined) return known;
      const { token } = await client.signOn.token({ params: { sign_onid } });
      if (token === undefined) throw invalid('sign_onid', 'This sign-on was already used; start a new one');
      tokens.set(sign_onid, token);
      return token;
    },
    forget: (sign_onid) => void tokens.delete(sign_onid),
  };
}

/** Sends a change that needs a proof; passwords and tokens are not stored on the device. */
export function proofSender(
  client: SignOnClient,
): <T>(proof: GivenProof, send: (fields: ProofFields) => Promise<T>) => Promise<T> {
  const tokens = tokenKeeper(client);
  return async (proof, send) => {
    if ('password' in proof) return send({ current_password: proof.password });
    const sent = await send({ sign_on_token: await tokens.take(proof.signOnid) });
    tokens.forget(proof.signOnid);
    return sent;
  };
}
