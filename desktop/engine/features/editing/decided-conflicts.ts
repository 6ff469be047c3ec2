import { BehaviorSubject, type Observable } from 'rxjs';

import type { MergeConflict } from '#shared/merge/conflict.ts';
import type { WikiContent } from '#shared/merge/wiki.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';

import type { GuideContest } from '#desktop/engine/outbox/kinds/guides.ts';
import type { WikiSave } from '#desktop/engine/outbox/kinds/pages.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';

/** A guide as it was before its conflicts were decided. */
export interface UndecidedGuide {
  kind: 'guide';
  content: GuideContent;
  conflicts: readonly MergeConflict[];
  contest: GuideContest;
  /** The content that the decisions made. */
  decided: GuideContent;
  /** The save that the decisions became. */
  saveId: string;
  /** The decisions left nothing to send. */
  isDropped: boolean;
  /** The server's version with which the guide was merged. */
  revisionid: number;
}

/** The contested save of a page before its conflicts were decided. */
export interface UndecidedPage {
  kind: 'page';
  call: OutboxCall;
  save: WikiSave;
  /** The content that the decisions made. */
  decided: WikiContent;
  /** The call that the decisions became; null if nothing was left to send. */
  callid: string | null;
}

export type Undecided = UndecidedGuide | UndecidedPage;

/**
 * What the latest decisions replaced, by the id of the conflict screen, so that they can be taken back. It is kept in
 * memory: the words themselves are in the waiting save, or the person chose those of the other.
 */
export class DecidedConflicts {
  readonly #state = new BehaviorSubject<ReadonlyMap<string, Undecided>>(new Map());

  get state(): Observable<ReadonlyMap<string, Undecided>> {
    return this.#state;
  }

  get(id: string): Undecided | undefined {
    return this.#state.value.get(id);
  }

  /** `null` forgets. */
  set(id: string, undecided: Undecided | null): void {
    const next = new Map(this.#state.value);
    if (undecided === null) next.delete(id);
    else next.set(id, undecided);
    this.#state.next(next);
  }

  /** Forgets everything: another person signs in. */
  clear(): void {
    this.#state.next(new Map());
  }
}
