import { contentOf, emptyContent, type GuideContent } from '#shared/rules/guide-content.ts';
import { withTarget } from '#shared/rules/edit-target.ts';
import { applyEdit, type GuideEditOperation } from '#shared/rules/guide-edit.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { withoutNul } from '#shared/rules/without-nul.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import type { DraftManager } from '../editing/draft-manager.ts';
import type { OpenDraft } from '#desktop/engine/drafts/open-draft.ts';
import type { Sources } from '../records/sources.ts';
import { contestedWords, ownWords, type OwnWord } from '#desktop/engine/outbox/own-words.ts';

interface Deps {
  core: Core;
  sources: Sources;
  drafts: DraftManager;
}

/** A draft whose guide was lost. It stays in memory until the app ends, for edits that still arrive. */
interface LostDraft {
  /** The core of the home to which the draft belongs. */
  core: Core;
  recordid: string;
  uid: string | undefined;
  history: string;
  before: GuideContent;
  content: GuideContent;
  /** The person's texts in places with open conflicts. */
  contested: OwnWord[];
  /** Id of its kept words; null before any are kept. */
  id: string | null;
  stored: OwnWord[];
  storing: Promise<void>;
}

/**
 * Drafts that are removed because their guide was lost. Their words are kept, including those of late edits
 * (LEAVING-4).
 */
export class LostDrafts {
  readonly #deps: Deps;
  readonly #lost = new Map<string, LostDraft>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Keeps the person's words of a draft, and then removes the draft. Repeats the first step if edits came in between.
   */
  async lose(open: OpenDraft, history: string): Promise<void> {
    const { core, drafts, sources } = this.#deps;
    const { draft } = open;
    const recordid = sources.resolve(open.id);
    const lost: LostDraft = {
      core: core.held(),
      recordid,
      uid: draft.base?.uid,
      history,
      before: draft.base === null ? emptyContent() : contentOf(draft.base),
      content: draft.content(),
      contested: contestedWords(draft.conflicts),
      id: null,
      stored: [],
      storing: Promise.resolve(),
    };
    await this.#store(lost);
    while (open.isHeld || !sameValue(draft.content(), lost.content)) {
      if (open.isHeld) await open.flush();
      lost.content = draft.content();
      await this.#store(lost);
    }
    this.#lost.set(recordid, lost);
    await drafts.lose(open);
  }

  /** Adds an edit of a lost draft to the kept words. False if no such draft was lost. */
  async edit(guideid: string, given: GuideEditOperation): Promise<boolean> {
    const lost = this.#lost.get(this.#deps.sources.resolve(guideid));
    if (lost === undefined || lost.core !== this.#deps.core.held()) return false;
    const operation = withoutNul(given);
    const whole = withTarget(lost.content, operation, []);
    if (whole === null) return true;
    lost.content = applyEdit(whole, operation);
    const storing = lost.storing.then(() => this.#store(lost));
    lost.storing = storing.catch(() => undefined);
    await storing;
    return true;
  }

  async #store(lost: LostDraft): Promise<void> {
    const { core } = lost;
    const words = [...ownWords(lost.before, lost.content), ...lost.contested];
    if (words.length === 0 || sameValue(words, lost.stored)) return;
    const item = {
      version: 1,
      id: lost.id ?? `draft:${lost.recordid}`,
      collection: 'guides',
      recordid: lost.recordid,
      ...(lost.uid === undefined ? {} : { uid: lost.uid }),
      at: core.environment.now(),
      history: lost.history,
      isOnServer: false,
      isComment: false,
      words,
    } as const;
    if (lost.id === null) lost.id = (await core.leaving.keep([item]))[0] ?? null;
    else await core.leaving.rewrite(item);
    lost.stored = words;
  }
}
