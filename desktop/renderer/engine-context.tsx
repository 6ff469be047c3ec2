import { createContext, use, type ReactNode } from 'react';

import type { Actions, Engine } from '#desktop/engine/engine.ts';
import { must } from '#shared/must.ts';

/** What the sign-in calls. It is there before the engine (`first/coming-engine.ts`). */
export type SignInActions = Pick<
  Actions,
  'beginSignIn' | 'setupState' | 'signIn' | 'signInProvider' | 'signInWithCode'
>;

const EngineContext = createContext<Engine | null>(null);
const SignInContext = createContext<SignInActions | null>(null);

interface EngineProviderProps {
  /** Null while it is not there yet. */
  engine: Engine | null;
  /** Those of the engine, unless it is not there yet. */
  signIn?: SignInActions | undefined;
  children: ReactNode;
}

/** Makes the engine available to the components below. */
export function EngineProvider({ engine, signIn = engine?.actions, children }: EngineProviderProps) {
  return (
    <EngineContext value={engine}>
      <SignInContext value={signIn ?? null}>{children}</SignInContext>
    </EngineContext>
  );
}

/** The engine of the nearest `EngineProvider`. */
export function useEngine(): Engine {
  return must(use(EngineContext), 'an engine above this component');
}

/** The write operations of the app. */
export function useActions(): Actions {
  return useEngine().actions;
}

/** What the sign-in calls: it can do so before the engine is there. */
export function useSignInActions(): SignInActions {
  return must(use(SignInContext), 'an engine, or one that is coming, above this component');
}
