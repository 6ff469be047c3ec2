import { createContext, use, type ReactNode } from 'react';

import type { Actions, Engine } from '#desktop/engine/engine.ts';
import { must } from '#shared/must.ts';

const EngineContext = createContext<Engine | null>(null);

/** Makes the engine available to the components below. */
export function EngineProvider({ engine, children }: { engine: Engine; children: ReactNode }) {
  return <EngineContext value={engine}>{children}</EngineContext>;
}

/** The engine of the nearest `EngineProvider`. */
export function useEngine(): Engine {
  return must(use(EngineContext), 'an engine above this component');
}

/** The write operations of the app. */
export function useActions(): Actions {
  return useEngine().actions;
}
