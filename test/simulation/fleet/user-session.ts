import type { Actions, Engine, Live, Views } from '#desktop/engine/engine.ts';

/** The content of a view. */
export type SeenOf<V extends keyof Views> = ReturnType<Views[V]> extends Live<infer T> ? T : never;

/** What a person at a device has: actions, views, and what the person knows. */
export interface UserSession {
  actions: Actions;
  /** The present content of a view. */
  look<V extends keyof Views>(name: V, ...args: Parameters<Views[V]>): Promise<SeenOf<V>>;
  /** Ids of guides that had a draft on this device. */
  drafts: Set<string>;
}

/** The session of the person at an open app. `opened` throws once it is closed. */
export function userSessionOf(opened: () => Engine, drafts: Set<string>): UserSession {
  return {
    actions: opened().actions,
    look: (name, ...args) => look(opened(), name, ...args),
    drafts,
  };
}

function look<V extends keyof Views>(
  engine: Engine,
  name: V,
  ...args: Parameters<Views[V]>
): Promise<SeenOf<V>> {
  const view = engine.views[name] as (...given: Parameters<Views[V]>) => Live<SeenOf<V>>;
  return new Promise((resolve, reject) => {
    let stop: () => void = () => undefined;
    stop = view(...args).subscribe((value) => {
      resolve(value);
      queueMicrotask(() => stop());
    }, reject);
  });
}

/** The same session; `meanwhile` runs right after the first action was called, before it has ended. */
export function whileActing(userSession: UserSession, meanwhile: () => void): UserSession {
  let isDue = true;
  const actions = new Proxy(userSession.actions, {
    get: (target, name) => {
      const action: unknown = Reflect.get(target, name);
      if (typeof action !== 'function') return action;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(action, target, args);
        if (isDue) meanwhile();
        isDue = false;
        return result;
      };
    },
  });
  return { ...userSession, actions };
}
