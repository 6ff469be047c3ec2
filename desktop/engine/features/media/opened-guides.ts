import { Subscription, distinctUntilChanged, map } from 'rxjs';
import { z } from 'zod';

import type { Core } from '#desktop/engine/account/core.ts';
import { jsonIn } from '#desktop/engine/sync/recognise.ts';

/** Number of guides of each tab. */
export const mostOpened = 20;

/** By this word a tab asks the others which guides they have opened. */
const question = 'opened?';
const prefix = 'opened:';
const told = z.object({ tab: z.string(), home: z.string().nullable(), guideids: z.array(z.string()) });

/** The guides that the person opened last, in this tab and in others. */
export class OpenedGuides {
  readonly #core: Pick<Core, 'environment' | 'session' | 'tabs'>;
  /** The latest last. */
  readonly #own: string[] = [];
  readonly #others = new Map<string, z.infer<typeof told>>();
  readonly #subscriptions = new Subscription();
  #home: string | null = null;

  constructor(core: Pick<Core, 'environment' | 'session' | 'tabs'>) {
    this.#core = core;
    const homes = core.session.state.pipe(
      map(({ home }) => home),
      distinctUntilChanged(),
    );
    this.#subscriptions.add(
      homes.subscribe((home) => {
        this.#home = home;
        this.#own.length = 0;
      }),
    );
    this.#subscriptions.add(core.tabs?.heard.subscribe((word) => this.#hear(word)));
    core.tabs?.tell(question);
  }

  /** Ids of the guides that this tab opened, the latest last. */
  get own(): readonly string[] {
    return this.#own;
  }

  /** Ids of the guides that other tabs of this person opened. */
  get elsewhere(): string[] {
    return [...this.#others.values()].flatMap(({ home, guideids }) => (home === this.#home ? guideids : []));
  }

  /** To be called when the person opens a guide in this tab. Returns the one that does not count any more. */
  add(guideid: string): string | undefined {
    const before = this.#own.indexOf(guideid);
    if (before >= 0) this.#own.splice(before, 1);
    this.#own.push(guideid);
    const old = this.#own.length > mostOpened ? this.#own.shift() : undefined;
    this.#tell();
    return old;
  }

  close(): void {
    this.#own.length = 0;
    this.#tell();
    this.#subscriptions.unsubscribe();
  }

  #tell(): void {
    const { tabs, environment } = this.#core;
    const said = { tab: environment.pageSession, home: this.#home, guideids: this.#own };
    tabs?.tell(prefix + JSON.stringify(said satisfies z.infer<typeof told>));
  }

  #hear(word: string): void {
    if (word === question) {
      // All tabs that still exist answer.
      this.#others.clear();
      if (this.#own.length > 0) this.#tell();
    }
    const { data } = told.safeParse(word.startsWith(prefix) ? jsonIn(word.slice(prefix.length)) : null);
    if (data !== undefined) this.#others.set(data.tab, data);
  }
}
