import type { SignOnActions } from '#desktop/engine/api/sign-on.ts';
import { Problem, type FieldError, type ProblemKind } from '#shared/api/problem.ts';

/** The result of an action that ran outside the page, in a serializable form. */
export type AskedAnswer =
  | { ok: true; value: unknown }
  | { ok: false; kind: ProblemKind; message: string; errors: FieldError[] };

declare global {
  interface Window {
    /** Set by a test that has a server: runs the action against it. */
    askSignOn?: (action: keyof SignOnActions, args: unknown[]) => Promise<AskedAnswer>;
  }
}

/** Single sign-on with the server of a test; without one the site has none. */
export function signOnActions(): SignOnActions {
  const ask =
    <Name extends keyof SignOnActions>(action: Name) =>
    async (...args: unknown[]): Promise<Awaited<ReturnType<SignOnActions[Name]>>> => {
      if (window.askSignOn === undefined) throw new Problem('not-found', 'This site has no single sign-on');
      const answer = await window.askSignOn(action, args);
      if (!answer.ok) throw new Problem(answer.kind, answer.message, { errors: answer.errors });
      return answer.value as Awaited<ReturnType<SignOnActions[Name]>>;
    };
  return {
    offersSignOn: async () => window.askSignOn !== undefined && (await ask('offersSignOn')()),
    beginSignOn: ask('beginSignOn'),
    readSignOn: ask('readSignOn'),
    signApprovalBySignOn: ask('signApprovalBySignOn'),
  };
}

/** An implementation of `askSignOn` with the actions of an engine that has a server. */
export function answering(actions: SignOnActions): NonNullable<Window['askSignOn']> {
  return async (action, args) => {
    try {
      return { ok: true, value: await Reflect.apply(actions[action], actions, args) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { ok: false, kind: error.kind, message: error.message, errors: error.details.errors ?? [] };
    }
  };
}
