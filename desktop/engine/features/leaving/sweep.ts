import { firstValueFrom } from 'rxjs';

import { sameValue } from '#shared/rules/same-value.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import type { KeptWords } from '#desktop/engine/account/leaving/quarantine.ts';
import type { UnsavedForm } from '#desktop/engine/api/forms.ts';
import type { OpenDraft } from '#desktop/engine/drafts/open-draft.ts';
import { aboutOf, isComment, stripped, uidOf, withoutRecord } from '#desktop/engine/outbox/about-call.ts';
import type { About } from '#desktop/engine/outbox/kinds/kind.ts';
import { ownFields } from '#desktop/engine/outbox/own-words.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { UnsavedForms } from '#desktop/engine/account/unsaved-forms.ts';
import type { DraftManager } from '../editing/draft-manager.ts';
import type { MediaCache } from '../media/queue.ts';
import type { Sources } from '../records/sources.ts';
import type { CallWords } from './call-words.ts';
import type { LostDrafts } from './lost-drafts.ts';
import { findLost, forgetLostNames, ofLostRecords, type IsLost } from './lost-records.ts';
import { dropUnnamedMedia } from './named-media.ts';
import { regain } from './regain.ts';

/** The services that sweeps use. */
export interface SweepDeps {
  core: Core;
  sources: Sources;
  drafts: DraftManager;
  forms: UnsavedForms;
  media: MediaCache;
}

interface Parts {
  words: CallWords;
  lostDrafts: LostDrafts;
  /** Called when a sweep has found calls that are being sent. */
  foundUnderWay: () => void;
}

/**
 * Removes what is derived from guides and pages that the person may no longer see (LEAVING-1, LEAVING-4, LEAVING-5).
 */
export class Sweep {
  readonly #words: CallWords;
  readonly #lostDrafts: LostDrafts;
  readonly #foundUnderWay: () => void;
  #underWay = new Set<string>();

  constructor({ words, lostDrafts, foundUnderWay }: Parts) {
    this.#words = words;
    this.#lostDrafts = lostDrafts;
    this.#foundUnderWay = foundUnderWay;
  }

  /** Ids of calls about lost records that were being sent during the last sweep. They stay until they come back. */
  get underWay(): ReadonlySet<string> {
    return this.#underWay;
  }

  /** Sweeps once. Does nothing if this tab does not lead, or before the first load from a server. */
  async run(deps: SweepDeps): Promise<void> {
    const { core, drafts } = deps;
    if (!(await firstValueFrom(core.sync.leads))) return;
    await drafts.ready();
    const history = await core.leaving.history();
    if (history === null) return;
    const calls = await firstValueFrom(core.outbox.calls);
    const sent = await core.leaving.sentCalls();
    const open = [...(await firstValueFrom(drafts.drafts)).values()];
    const typed = [...(await deps.forms.all())].flatMap(([id, form]) =>
      form.wikiid === null ? [] : [{ id, form, about: { collection: 'wikis', id: form.wikiid } as const }],
    );
    const abouts = typed.map(({ about }) => about);
    const isLost = await findLost(deps, [...calls, ...sent], open, abouts);
    this.#words.noteUids([...calls, ...sent], open);
    const left = [
      ...(await this.#loseDrafts(open, isLost, history)),
      ...(await this.#loseCalls(deps, calls, isLost, history)),
      ...(await this.#loseSent(deps, sent, isLost, history)),
      ...(await this.#loseRecords(deps, calls, await core.leaving.sentCalls())),
      ...(await loseForms(
        deps,
        typed.filter(({ about }) => isLost(about, undefined)),
        history,
      )),
      ...((await forgetLostNames(deps)) ? ['damage'] : []),
    ];
    if (left.length > 0) await core.leaving.mark();
    // A record that was only read leaves nothing behind but media.
    await core.leaving.dropMedia(() => dropUnnamedMedia(deps));
    if (left.length > 0) await core.leaving.purge();
    await regain(deps, history);
  }

  async #loseDrafts(open: readonly OpenDraft[], isLost: IsLost, history: string): Promise<string[]> {
    const gone = open.filter(({ id, draft }) => isLost({ collection: 'guides', id }, draft.base?.uid));
    for (const one of gone) await this.#lostDrafts.lose(one, history);
    return gone.map(({ id }) => id);
  }

  async #loseCalls(
    { core }: SweepDeps,
    calls: readonly OutboxCall[],
    isLost: IsLost,
    history: string,
  ): Promise<string[]> {
    const changed: string[] = [];
    this.#underWay = new Set();
    // Later calls first: a removed call hands its revision on to the call that follows it.
    for (const call of calls.toReversed()) {
      const about = aboutOf(call);
      if (about === null || !isLost(about, uidOf(call).uid) || call.state === 'done') continue;
      if (this.#isUnderWay(core, call.id)) continue;
      const kept = this.#words.keptOf(call, about, history, false);
      if (kept !== null) {
        await core.leaving.keep([kept]);
        await core.outbox.removeKept(call.id);
        changed.push(call.id);
        continue;
      }
      const bare = stripped(call);
      if (bare === call) continue;
      await core.outbox.strip(call.id, bare);
      // Sending may have begun before it was stripped.
      this.#isUnderWay(core, call.id);
      changed.push(call.id);
    }
    return changed;
  }

  /** Removes calls from the log of sent calls. Their words are kept, in case the server loses them in a restore. */
  async #loseSent(
    { core }: SweepDeps,
    sent: readonly OutboxCall[],
    isLost: IsLost,
    history: string,
  ): Promise<string[]> {
    const changes = new Map<string, OutboxCall | null>();
    const kept: KeptWords[] = [];
    for (const call of sent) {
      const about = aboutOf(call);
      if (about === null || !isLost(about, uidOf(call).uid) || call.kind === 'guide-create') continue;
      const words = isComment(call) ? null : this.#words.keptOf(call, about, history, true);
      if (words !== null) {
        kept.push(words);
        changes.set(call.id, null);
      } else if (stripped(call) !== call) changes.set(call.id, stripped(call));
    }
    await core.leaving.keep(kept);
    await core.leaving.rewriteSent(changes);
    return [...changes.keys()];
  }

  /**
   * Removes what calls say of records that others made and that left the device (LEAVING-9). A call that waits keeps its
   * subject, by which the person recognises it. Returns the ids of the calls.
   */
  async #loseRecords(
    { core }: SweepDeps,
    calls: readonly OutboxCall[],
    sent: readonly OutboxCall[],
  ): Promise<string[]> {
    const waiting = calls.filter(({ state }) => state !== 'done');
    const lost = await ofLostRecords({ core }, [...waiting, ...sent]);
    const rewritten = new Map<string, OutboxCall>();
    const changed: string[] = [];
    for (const call of lost) {
      const bare = withoutRecord(call);
      if (sent.includes(call) && bare !== call) rewritten.set(call.id, bare);
      const waits = { ...bare, subject: call.subject };
      if (sent.includes(call) || sameValue(waits, call)) continue;
      if (this.#isUnderWay(core, call.id)) continue;
      await core.outbox.strip(call.id, waits);
      // Sending may have begun before it was stripped.
      this.#isUnderWay(core, call.id);
      changed.push(call.id);
    }
    if (this.#underWay.size > 0) this.#foundUnderWay();
    await core.leaving.rewriteSent(rewritten);
    return [...changed, ...rewritten.keys()];
  }

  /** Whether a call is being sent now. If so, it is looked at again when it returns. */
  #isUnderWay(core: SweepDeps['core'], id: string): boolean {
    if (core.outbox.get(id)?.state !== 'sending') return false;
    this.#underWay.add(id);
    return true;
  }
}

/** Removes the unsaved forms of lost pages. The person's words are kept. Returns the ids of the forms. */
async function loseForms(
  { core, sources, forms }: SweepDeps,
  lost: readonly { id: string; form: UnsavedForm; about: About }[],
  history: string,
): Promise<string[]> {
  for (const { id, form, about } of lost) {
    const words = ownFields(Object(form.start), Object(form.typed));
    const kept: KeptWords = {
      version: 1,
      id: `form:${id}`,
      collection: about.collection,
      recordid: sources.resolve(about.id),
      at: form.at,
      history,
      isOnServer: false,
      isComment: false,
      words,
    };
    if (words.length > 0) await core.leaving.keep([kept]);
    await forms.keep(id, null);
  }
  return lost.map(({ id }) => id);
}
