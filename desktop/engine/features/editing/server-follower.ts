import { type Observable, Subject } from 'rxjs';

import { mergeGuide } from '#shared/merge/guide.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { guideEditBody } from '#shared/rules/guide-edit-body.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import type { GuideDraft } from '#desktop/engine/drafts/guide-draft.ts';
import type { OpenDraft } from '#desktop/engine/drafts/open-draft.ts';
import { appliesOnTop } from '#desktop/engine/outbox/applies-on-top.ts';
import type { GuideContest, GuideSave } from '#desktop/engine/outbox/kinds/guides.ts';
import { contestedWords } from '#desktop/engine/outbox/own-words.ts';
import type { Mirrored } from '#desktop/engine/platform/ports.ts';
import { awaitedSavesOf, openSavesOf } from './guide-saves.ts';
import type { OpenDrafts } from './open-drafts.ts';
import { isOtherGuide } from './restored-history.ts';

interface Deps {
  core: Core;
  open: OpenDrafts;
  /** Whether this tab edits the drafts. */
  leads: () => boolean;
}

/** Brings open drafts up to the server's versions of their guides. Only the leading tab does this. */
export class ServerFollower {
  readonly #deps: Deps;
  readonly #decided = new Subject<string>();
  readonly #announcing = new Map<OpenDraft, Promise<void>>();
  readonly #cleaning = new Set<Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Guideids of drafts that have a contested save, but no conflict that a person has to decide. */
  get decided(): Observable<string> {
    return this.#decided;
  }

  /** Lets a draft follow the present record of its guide, where that needs no decision by a person. */
  async settle(draft: OpenDraft): Promise<void> {
    const { core, open } = this.#deps;
    const id = open.resolve(draft.id);
    const record = id.startsWith('tmp:') ? null : await core.mirror.get('guides', id);
    if (open.includes(draft)) this.follow(draft, record);
  }

  /** Settles all open drafts. */
  settleAll(): void {
    const { open } = this.#deps;
    for (const one of open.values()) {
      open.watch(one);
      // The mirror may be closing. Drafts are settled again when the home is opened next.
      this.settle(one).catch(() => undefined);
    }
  }

  /** Takes over a newer version of a draft's guide. Then reports a decided save, or announces open conflicts. */
  follow(open: OpenDraft, record: Mirrored<'guides'> | null): void {
    const { draft } = open;
    if (!this.#deps.leads() || open.isHeld || record === null || isOtherGuide(draft.base, record.facts))
      return;
    if (record.facts.revisionid > (draft.base?.revisionid ?? 0)) this.#takeOver(open, record);
    const waiting = openSavesOf(this.#deps.core, open.id);
    const isContested = draft.conflicts.length > 0;
    if (!isContested && waiting.some(({ state }) => state === 'conflict')) this.#decided.next(open.id);
    // A failure is tried again with the next change.
    if (isContested && waiting.length === 0) void this.announce(open).catch(() => undefined);
  }

  /**
   * Puts the open conflicts of a draft up for decision, as a contested save that is sent once they are decided. Does
   * nothing while saves of the draft wait: those have a decision already, or lead to one.
   */
  announce(open: OpenDraft, contest: Partial<GuideContest> = {}): Promise<void> {
    const announcing =
      this.#announcing.get(open) ??
      this.#announce(open, contest).finally(() => this.#announcing.delete(open));
    this.#announcing.set(open, announcing);
    return announcing;
  }

  /** Resolves when the stored form of drafts that the server holds entirely is removed. */
  async cleaned(): Promise<void> {
    await Promise.all(this.#cleaning);
  }

  close(): void {
    this.#decided.complete();
  }

  async #announce(open: OpenDraft, contest: Partial<GuideContest>): Promise<void> {
    const { outbox, environment } = this.#deps.core.held();
    const { base } = open.draft;
    if (base === null || open.draft.conflicts.length === 0) return;
    if (openSavesOf(this.#deps.core, open.id).length > 0) return;
    open.markSaved(true);
    await open.flush();
    const content = open.draft.content();
    const guideid = String(base.guideid);
    const save: GuideSave = {
      saveId: environment.uuid(),
      base,
      before: contentOf(base),
      content,
      contest: {
        merges: [],
        mine: contestedWords(open.draft.conflicts),
        mineAt: environment.now(),
        theirsAt: base.modified_date * 1000,
        ...contest,
      },
    };
    await outbox.add([
      {
        kind: 'guide-save',
        lane: `guide:${guideid}`,
        method: 'PATCH',
        path: `/guides/${guideid}`,
        query: { revisionid: String(base.revisionid) },
        body: guideEditBody(base, content) ?? {},
        target: { collection: 'guides', id: guideid },
        subject: base.title,
        context: save,
        state: 'conflict',
      },
    ]);
  }

  /**
   * Rebases a draft on the server's version, unless a save of the draft is still on its way. A draft with unsaved edits
   * that contradict the version stays on its base: its save will meet the contradiction and ask the person. Where the
   * last save caused the contradiction, it becomes a conflict here.
   */
  #takeOver(open: OpenDraft, record: Mirrored<'guides'>): void {
    const { core } = this.#deps;
    const { draft } = open;
    const waiting = openSavesOf(core, open.id);
    if (waiting.some((call) => call.state !== 'conflict')) return;
    if (awaitedSavesOf(core, open).some((call) => appliesOnTop(call, record.seq))) return;
    const after = open.sentIds().at(-1);
    const isContested = waiting.length > 0;
    if (after === undefined && !isContested && draft.isDirty() && contradicts(draft, record.facts)) return;
    draft.rebase(record.facts, isContested ? undefined : after);
    open.markSaved(isContested);
    this.#deps.open.changed();
    if (!draft.isDirty() && !isContested) this.#clean(open);
  }

  /** Removes the stored form of a draft: the server's version holds all of it. */
  #clean(open: OpenDraft): void {
    // If the app ends before, the draft follows the server again at the next start.
    const cleaning = open
      .tidy()
      .catch(() => undefined)
      .finally(() => this.#cleaning.delete(cleaning));
    this.#cleaning.add(cleaning);
  }
}

function contradicts(draft: GuideDraft, theirs: GuideFacts): boolean {
  if (draft.base === null) return false;
  return mergeGuide(contentOf(draft.base), draft.content(), contentOf(theirs)).conflicts.length > 0;
}
