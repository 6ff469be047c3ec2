import { useSyncExternalStore } from 'react';

import type { Engine, Live, Views } from '#desktop/engine/engine.ts';

import { useEngine } from './engine-context.tsx';
import { LiveCell } from './live-cell.ts';

type ValueOf<L> = L extends Live<infer T> ? T : never;
/** The views by name, typed so that they can be opened by a generic name. */
type Openable = {
  [K in keyof Views]: (...args: Parameters<Views[K]>) => Live<ValueOf<ReturnType<Views[K]>>>;
};

const cellsOfEngine = new WeakMap<Engine, Map<string, LiveCell<unknown>>>();

function cellsOf(engine: Engine): Map<string, LiveCell<unknown>> {
  const known = cellsOfEngine.get(engine);
  if (known) return known;
  const made = new Map<string, LiveCell<unknown>>();
  cellsOfEngine.set(engine, made);
  return made;
}

function cellOf<K extends keyof Views>(
  engine: Engine,
  view: K,
  args: Parameters<Views[K]>,
): LiveCell<ValueOf<ReturnType<Views[K]>>> {
  const cells = cellsOf(engine);
  const key = `${view} ${JSON.stringify(args)}`;
  const known = cells.get(key);
  if (known) {
    known.keep();
    return known as LiveCell<ValueOf<ReturnType<Views[K]>>>;
  }
  const views: Openable = engine.views;
  const cell = new LiveCell(views[view](...args), () => cells.delete(key));
  cells.set(key, cell as LiveCell<unknown>);
  return cell;
}

/**
 * The current value of a view of the engine; renders again when it changes. Suspends until the first value; errors go
 * to the nearest error boundary. Views are passed by name, because a method passed as a function loses its object.
 */
export function useLive<K extends keyof Views>(
  view: K,
  ...args: Parameters<Views[K]>
): ValueOf<ReturnType<Views[K]>> {
  const cell = cellOf(useEngine(), view, args);
  // The promise is thrown and not read with `use`: React replays a component that used a promise, and then miscounts
  // the hooks after it.
  if (cell.state.status === 'waiting') throw cell.first;
  const state = useSyncExternalStore(cell.subscribe, cell.read);
  if (state.status === 'failed') throw state.error;
  if (state.status === 'waiting') throw new Error(`The view ${view} has no value yet`);
  return state.value;
}

/**
 * As `useLive`, without suspending: undefined until the first value. For content that may appear later than its
 * surroundings.
 */
export function useLiveSoon<K extends keyof Views>(
  view: K,
  ...args: Parameters<Views[K]>
): ValueOf<ReturnType<Views[K]>> | undefined {
  const cell = cellOf(useEngine(), view, args);
  const state = useSyncExternalStore(cell.subscribe, cell.read);
  if (state.status === 'failed') throw state.error;
  return state.status === 'ready' ? state.value : undefined;
}

/** Closes the failed views, so that the next render opens them again. */
export function forgetFailedViews(engine: Engine): void {
  for (const cell of cellsOf(engine).values()) {
    if (cell.state.status === 'failed') cell.close();
  }
}
