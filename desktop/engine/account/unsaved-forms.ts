import {
  BehaviorSubject,
  defer,
  distinctUntilChanged,
  from,
  map,
  type Observable,
  type Subscription,
  switchMap,
} from 'rxjs';
import { z } from 'zod';

import { sameValue } from '#shared/rules/same-value.ts';

import { HomeChanged } from '../platform/held.ts';
import type { NamedForm, UnsavedForm } from '../api/forms.ts';
import type { JournalRecord } from '../journal/journal.ts';
import { GroupedWrites } from '../journal/grouped-writes.ts';
import type { Core } from './core.ts';

const storedForm = z.object({
  typed: z.unknown(),
  start: z.unknown(),
  revisionid: z.number(),
  wikiid: z.string().nullable(),
  at: z.number(),
  files: z.array(z.string()).exactOptional(),
});

type Forms = ReadonlyMap<string, UnsavedForm>;

/**
 * What a person typed into forms and neither saved nor discarded, in the journal's `meta`. It belongs to the home, and survives
 * the end of the app.
 */
export class UnsavedForms {
  readonly #core: Core;
  readonly #writes: GroupedWrites;
  readonly #state = new BehaviorSubject<Forms>(new Map());
  readonly #subscription: Subscription;
  #home: string | null = null;
  /** Number of the last append that was read. */
  #seq = 0;
  #loading: Promise<void> = Promise.resolve();

  constructor(core: Core) {
    this.#core = core;
    this.#writes = new GroupedWrites(core.journal, core.environment);
    const homes = core.session.state.pipe(
      map(({ home }) => home),
      distinctUntilChanged(),
    );
    this.#subscription = homes.subscribe((home) => {
      this.#home = home;
      this.#seq = 0;
      this.#state.next(new Map());
      void this.#reload().catch(() => undefined);
    });
  }

  /** Whether forms wait to be stored; emits the present state first. */
  get isBusy(): Observable<boolean> {
    return this.#writes.isBusy;
  }

  /** The text of one form. It is read anew, because another tab may have stored it. */
  form(id: string): Observable<UnsavedForm | null> {
    return defer(() => from(this.#reload())).pipe(
      switchMap(() => this.#state),
      map((forms) => forms.get(this.#idsOf(id, forms)[0] ?? '') ?? null),
      distinctUntilChanged(),
    );
  }

  /** The forms whose ids begin so, by id, with the real ids of records. */
  startingWith(prefix: string): Observable<readonly NamedForm[]> {
    return defer(() => from(this.#reload())).pipe(
      switchMap(() => this.#state),
      map((forms) =>
        [...forms]
          .map(([id, form]) => ({ id: this.#realOf(id), form }))
          .filter(({ id }) => id.startsWith(prefix)),
      ),
      distinctUntilChanged<readonly NamedForm[]>(sameValue),
    );
  }

  /** All forms of the person, as they are stored. */
  async all(): Promise<Forms> {
    await this.#reload();
    return this.#state.value;
  }

  /** Resolves when the text of a form is journalled; null forgets it. */
  async keep(id: string, form: UnsavedForm | null): Promise<void> {
    const home = this.#home;
    if (home === null) return;
    const next = new Map(this.#state.value);
    const had = this.#idsOf(id, next).flatMap((one) => next.get(one)?.files ?? []);
    const named = (one: string) => ({ collection: 'meta', id: formPrefix(home) + one }) as const;
    const changes: JournalRecord[] = this.#idsOf(id, next)
      .filter((one) => form === null || one !== id)
      .map((one) => ({ op: 'delete', ...named(one) }));
    for (const one of this.#idsOf(id, next)) next.delete(one);
    if (form !== null) {
      next.set(id, form);
      changes.push({ op: 'put', ...named(id), value: form });
    }
    // Nothing is written about a form into which nothing was typed.
    if (changes.length === 0) return;
    this.#state.next(next);
    await this.#writes.write(changes);
    for (const file of had) {
      // One that cannot be removed now only takes space.
      if (form?.files?.includes(file) !== true)
        await this.#core.journal.deleteFile(file).catch(() => undefined);
    }
  }

  /** Stores a file for a form that is about to name it in its `files`. Returns its id. */
  async keepFile(file: File): Promise<string> {
    const id = this.#core.environment.uuid();
    await this.#core.journal.putFile(id, file, { type: file.type, name: file.name });
    return id;
  }

  /**
   * A file that a form names.
   * @throws JournalError `missing` or `damaged`
   */
  async file(id: string): Promise<File> {
    const { bytes, name, type } = await this.#core.journal.readFile(id);
    return new File([new Uint8Array(bytes)], name, { type });
  }

  /** Stores forms of an earlier version of the app, except for those that have a text here. */
  async adopt(forms: Forms): Promise<void> {
    const home = this.#home;
    const known = await this.all();
    if (home === null || home !== this.#home) throw new HomeChanged();
    for (const [id, form] of forms) if (!known.has(id)) await this.keep(id, form);
  }

  /** Resolves when everything is stored; rejects when the disk refuses it. */
  flush(): Promise<void> {
    return this.#writes.flush();
  }

  close(): void {
    this.#subscription.unsubscribe();
    this.#writes.close();
    this.#state.complete();
  }

  /** Reads the journal after what is being written. All calls during a reading share it. */
  #reload(): Promise<void> {
    const home = this.#home;
    const before = this.#loading;
    this.#loading = before
      .catch(() => undefined)
      .then(() => this.#writes.flush().catch(() => undefined))
      .then(() => this.#load(home));
    return this.#loading;
  }

  async #load(home: string | null): Promise<void> {
    if (home === null || home !== this.#home) return;
    const before = this.#state.value;
    const prefix = formPrefix(home);
    const { seq, isWhole, values, deleted } = await this.#core.journal.changes('meta', this.#seq);
    // What was typed meanwhile is newer.
    if (home !== this.#home || this.#state.value !== before || this.#writes.isWaiting) return;
    this.#seq = seq;
    const next = new Map(isWhole ? [] : before);
    for (const id of deleted) if (id.startsWith(prefix)) next.delete(id.slice(prefix.length));
    for (const [id, value] of values) {
      // What cannot be read stays as it is, and is not shown.
      const { data } = id.startsWith(prefix) ? storedForm.safeParse(value) : { data: undefined };
      if (data !== undefined) next.set(id.slice(prefix.length), structuredClone(data));
    }
    this.#state.next(next);
  }

  /** The stored ids of a form: records in it may have got their real ids since. */
  #idsOf(id: string, forms: Forms): string[] {
    const real = this.#realOf(id);
    return [...forms.keys()].filter(
      (one) => one === id || (one.includes('tmp:') && this.#realOf(one) === real),
    );
  }

  #realOf(id: string): string {
    return id
      .split('.')
      .map((part) => this.#core.outbox.realId(part) ?? part)
      .join('.');
  }
}

/** Prefix of the unsaved forms of a home in the journal's `meta`. */
export function formPrefix(home: string): string {
  return `form/${home}/`;
}
