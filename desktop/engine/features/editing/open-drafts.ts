import { BehaviorSubject, type Observable, type Subscription } from 'rxjs';

import type { Core } from '#desktop/engine/account/core.ts';
import { GuideDraft, type DraftRecord } from '#desktop/engine/drafts/guide-draft.ts';
import type { StoredHistory } from '#desktop/engine/drafts/stored-history.ts';
import { OpenDraft } from '#desktop/engine/drafts/open-draft.ts';
import type { Mirrored } from '#desktop/engine/platform/ports.ts';

/** What is known of a draft that is opened: its last saved state, and how often it was journalled. */
interface KnownState {
  saved: DraftRecord | null;
  batch: number | null;
}

/** Called with the mirror's record of a draft's guide, first with the present one and then after each change. */
type Follow = (open: OpenDraft, record: Mirrored<'guides'> | null) => void;

/** The drafts that are open in memory, by guideid. Each one follows the mirror's record of its guide. */
export class OpenDrafts {
  readonly #core: Core;
  readonly #follow: Follow;
  readonly #byId = new Map<string, OpenDraft>();
  readonly #following = new Map<string, Subscription>();
  readonly #state = new BehaviorSubject<ReadonlyMap<string, OpenDraft>>(new Map());

  constructor(core: Core, follow: Follow) {
    this.#core = core;
    this.#follow = follow;
  }

  /** All open drafts by guideid; emits after every change of one of them. */
  get state(): Observable<ReadonlyMap<string, OpenDraft>> {
    return this.#state;
  }

  /** The open drafts. The iterator is live: it includes drafts that are added during the iteration. */
  values(): MapIterator<OpenDraft> {
    return this.#byId.values();
  }

  get(id: string): OpenDraft | undefined {
    return this.#byId.get(id);
  }

  /** Whether this very draft is open, and not another one under its id. */
  includes(open: OpenDraft): boolean {
    return this.#byId.get(open.id) === open;
  }

  /** The open draft of a guide, by its temporary or its real id. */
  find(guideid: string): OpenDraft | undefined {
    const wanted = this.resolve(guideid);
    return [...this.#byId.values()].find((open) => this.resolve(open.id) === wanted);
  }

  /** The real id of a guide if it has one, else the id itself. */
  resolve(id: string): string {
    return this.#core.outbox.realId(id) ?? id;
  }

  /** Opens a draft under an id. It is stored in the home that is open now. */
  add(id: string, draft: GuideDraft, { saved, batch }: KnownState = { saved: null, batch: null }): OpenDraft {
    const deps = { store: this.#core.drafts.own(), environment: this.#core.environment };
    const stored = { batch, batches: 0, saved };
    const open = new OpenDraft(id, draft, deps, () => this.changed(), stored);
    this.#byId.set(open.id, open);
    this.watch(open);
    this.changed();
    return open;
  }

  /** Opens a draft from its stored form. `history`: its undo. */
  addStored(id: string, record: DraftRecord, known?: KnownState, history?: StoredHistory): OpenDraft {
    const draft = GuideDraft.fromJSON(record, () => this.#core.environment.random(), [], history);
    return this.add(id, draft, known);
  }

  /** Closes all drafts and opens these instead. They do not follow the mirror before `watch`. */
  replaceAll(found: readonly OpenDraft[]): void {
    for (const open of this.#byId.values()) this.#release(open);
    for (const open of found) this.#byId.set(open.id, open);
    this.changed();
  }

  /** Lets a draft follow the mirror's record of its guide, once the guide has a real id. */
  watch(open: OpenDraft): void {
    const id = this.resolve(open.id);
    if (id.startsWith('tmp:') || this.#following.has(open.id)) return;
    const records = this.#core.mirror.one('guides', id);
    this.#following.set(
      open.id,
      records.subscribe((record) => this.#follow(open, record)),
    );
  }

  /** Closes a draft. What is stored of it stays. */
  drop(open: OpenDraft): void {
    this.#release(open);
    this.changed();
  }

  /** Closes a draft, and then removes everything that is stored of it. */
  async lose(open: OpenDraft): Promise<void> {
    this.drop(open);
    await open.erase();
  }

  /** Emits the open drafts again, because one of them changed. */
  changed(): void {
    this.#state.next(new Map(this.#byId));
  }

  #release(open: OpenDraft): void {
    this.#following.get(open.id)?.unsubscribe();
    this.#following.delete(open.id);
    if (this.includes(open)) this.#byId.delete(open.id);
    open.close();
  }
}
