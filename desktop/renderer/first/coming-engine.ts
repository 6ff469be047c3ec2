import type { ComponentType } from 'react';

import type { Session } from '#desktop/engine/api/sync-records.ts';
import type { StationView } from '#desktop/engine/api/station-records.ts';
import type { Engine, Live } from '#desktop/engine/engine.ts';
import type { SignInActions } from '#desktop/renderer/engine-context.tsx';

/** The engine, and what needs it. */
export interface Opened {
  engine: Engine;
  /** All screens but the sign-in. */
  Rest: ComponentType<RestProps>;
  /** What the sign-in reports of the work on this device. */
  SignInNotices: ComponentType;
}

/** What the frame of the app passes to the screens. */
export interface RestProps {
  engine: Engine;
  session: Session;
  station: StationView | null;
  /** Whether the sign-in is shown, which the frame draws. */
  isSignIn: boolean;
}

export interface FirstState {
  /** As the engine says; before that, as the start seems to be. */
  session: Session;
  station: StationView | null;
  /** Null while engine and screens are not there. */
  opened: Opened | null;
  /** Whether they are on their way. */
  isComing: boolean;
  /** Why they are not: `CodeMissing`, or what keeps the engine from opening. */
  failure: unknown;
}

/** The engine of this page, and what can be done before its code is there. */
export class ComingEngine {
  #state: FirstState;
  #opening: Promise<Opened> | null = null;
  readonly #load: () => Promise<Opened>;
  readonly #readers = new Set<() => void>();
  readonly #there = Promise.withResolvers<Opened>();

  /** `load`: loads code and opens the engine. `session`: what is shown until then. */
  constructor(load: () => Promise<Opened>, session: Session) {
    this.#load = load;
    this.#state = { session, station: null, opened: null, isComing: true, failure: null };
  }

  /**
   * What the sign-in calls.
   *
   * - FIRST-2 Whoever signs in before the engine is there waits for it, and is then signed in with what they typed. If its
   *   code does not arrive, the sign-in says so, keeps what was typed, and tries again on request.
   */
  readonly actions: SignInActions = {
    signIn: async (...args) => (await this.open()).engine.actions.signIn(...args),
    beginSignIn: async (...args) => (await this.open()).engine.actions.beginSignIn(...args),
    signInWithCode: async (...args) => (await this.open()).engine.actions.signInWithCode(...args),
    setupState: async (...args) => (await this.#there.promise).engine.actions.setupState(...args),
    signInProvider: async (...args) => (await this.#there.promise).engine.actions.signInProvider(...args),
  };

  readonly read = (): FirstState => this.#state;

  readonly subscribe = (reader: () => void): (() => void) => {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  };

  /** Loads and opens the engine, unless that is done already; after a failure, again. */
  readonly open = (): Promise<Opened> => {
    this.#opening ??= this.#open();
    return this.#opening;
  };

  async #open(): Promise<Opened> {
    this.#become({ isComing: true, failure: null });
    try {
      const opened = await this.#load();
      const { views } = opened.engine;
      await Promise.all([
        this.#follow(views.session(), (session) => this.#hear(session)),
        this.#follow(views.station(), (station) => this.#become({ station })),
      ]);
      this.#become({ opened, isComing: false });
      this.#there.resolve(opened);
      return opened;
    } catch (failure) {
      this.#opening = null;
      this.#become({ isComing: false, failure });
      throw failure;
    }
  }

  /** Resolves after the first value. */
  #follow<T>(view: Live<T>, take: (value: T) => void): Promise<void> {
    return new Promise((resolve) => {
      view.subscribe(
        (value) => {
          take(value);
          resolve();
        },
        (failure) => this.#become({ failure }),
      );
    });
  }

  #hear(session: Session): void {
    // The sign-in that is already shown stays, with what was typed, while the engine looks for a last session.
    const isKept = session.status === 'restoring' && this.#state.session.status === 'signed-out';
    if (!isKept) this.#become({ session });
  }

  #become(change: Partial<FirstState>): void {
    this.#state = { ...this.#state, ...change };
    for (const reader of this.#readers) reader();
  }
}
