import type { ConflictChoice } from '#desktop/engine/api/conflict-records.ts';
import { must } from '#shared/must.ts';
import type { GuideContent, GuideEditOperation } from '#shared/rules/guide-edit.ts';
import { decided } from '#test/support/decided.ts';
import { pdfFile } from '#test/support/media-files.ts';

import { choiceFor, textOf } from '../choices.ts';
import { SimulatedDevice } from '../device.ts';
import type { Writing } from './plan.ts';

/** The person's own work on a device, and the guides that it shows. */
export interface Kept {
  /** Texts of waiting and refused calls and drafts. */
  texts: string[];
  /** Both sides of decisions that can be shown. */
  decisions: string[];
  /** Announced decisions that cannot be shown. */
  hidden: string[];
  /** Shown texts of guides, by title. */
  guides: Record<string, string>;
  /** Whether no call waits only for the network. */
  isQuiet: boolean;
}

/** Virtual ms after which a device counts as at rest, although calls wait behind a refusal or a decision. */
const quietMs = 40_000;

/** A device of a person whose server is sometimes restored. */
export class RestoredDevice extends SimulatedDevice {
  readonly #drafts = new Set<string>();

  /** Writes `word`; false if there is nothing to write on. `title`: of the guide. */
  async write(writing: Writing, title: string, page: string, word: string): Promise<boolean> {
    if (writing.do === 'guide') return this.#newGuide(word);
    if (writing.do === 'page') return this.#page(page, word);
    const guideid = await this.#guide(title);
    if (guideid === null) return false;
    switch (writing.do) {
      case 'comment':
        await this.act('comment', 'guide', guideid, word);
        return true;
      case 'tag':
        await this.act('tagGuide', guideid, word, true);
        return true;
      case 'document':
        return this.#document(guideid, word);
      case 'order':
        return this.#order(guideid, word, writing.finishes);
      default:
        return this.#edit(guideid, writing, word);
    }
  }

  /** Waits until everything is sent, or nothing happens for a while. */
  async settle(): Promise<void> {
    let began: number | null = null;
    let last = '';
    let since = 0;
    await this.passUntil(async (now) => {
      const state = await this.look('syncState');
      began ??= now;
      const isIdle = state.phase === 'idle' && state.pending === 0;
      if (!this.isConnected) return isIdle || now - began > 2000;
      if (isIdle && state.connection === 'online' && now - began > 2000) {
        const isEqual = (state.lastSyncedAt ?? 0) >= began;
        if (isEqual) return true;
      }
      if (this.isDeaf) return state.pending === 0 || now - began > quietMs;
      // An offline device retries again and again.
      const account = JSON.stringify({ ...state, lastSyncedAt: null, waitUntil: null });
      if (account !== last) [last, since] = [account, now];
      return now - since > quietMs;
    });
  }

  /** Makes all possible decisions; returns the texts that were shown. */
  async decideAll(choices: readonly number[]): Promise<string[]> {
    const shown: string[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      const [id] = await this.#contested();
      const open = id === undefined ? null : await this.look('conflict', id);
      const conflict = open?.conflicts[0];
      if (id === undefined || conflict === undefined) break;
      const choice: ConflictChoice = choiceFor(conflict, choices[turn % choices.length] ?? 0, turn);
      shown.push(textOf(conflict.mine), textOf(conflict.theirs), conflict.base);
      await this.act('resolveConflicts', id, [decided(conflict, choice)]);
    }
    return shown;
  }

  async kept(): Promise<Kept> {
    const activity = await this.look('activity');
    const waiting = activity.filter(({ state }) => state !== 'on-the-server');
    const texts = waiting.map(({ call, subject, detail }) => JSON.stringify({ call, subject, detail }));
    texts.push(JSON.stringify(await this.look('keptWords')));
    for (const id of this.#drafts) {
      const draft = await this.look('draft', id).catch(() => null);
      if (draft !== null) texts.push(JSON.stringify(draft.content));
    }
    const decisions: string[] = [];
    const hidden: string[] = [];
    for (const id of await this.#contested()) {
      const open = await this.look('conflict', id);
      if (open === null || open.conflicts.length === 0) hidden.push(id);
      for (const { mine, theirs, base } of open?.conflicts ?? [])
        decisions.push(textOf(mine), textOf(theirs), base);
    }
    const { pending, phase } = await this.look('syncState');
    return {
      texts,
      decisions,
      hidden,
      guides: await this.#guides(),
      isQuiet: phase === 'idle' && pending === 0,
    };
  }

  async #contested(): Promise<string[]> {
    const activity = await this.look('activity');
    const ids = activity.filter(({ state }) => state === 'needs-decision').map(({ id }) => id);
    return [...new Set(ids)].filter((id) => id.startsWith('conflict:')).map((id) => id.slice(9));
  }

  async #guides(): Promise<Record<string, string>> {
    const { guides } = await this.look('library', { category: null });
    const shown: Record<string, string> = {};
    for (const { guideid, title } of guides) {
      const guide = await this.look('guide', guideid);
      if (guide === null) continue;
      const steps = guide.steps.map((step) => [step.title, ...step.lines.map(({ html }) => html)]);
      shown[title] = JSON.stringify([
        guide.title,
        guide.summary,
        guide.introductionHtml,
        steps,
        guide.documents,
      ]);
    }
    return shown;
  }

  async #guide(title: string): Promise<string | null> {
    const { guides } = await this.look('library', { category: null });
    return guides.find((guide) => guide.title === title)?.guideid ?? null;
  }

  async #newGuide(word: string): Promise<boolean> {
    const id = await this.act('openDraft', null);
    this.#drafts.add(id);
    await this.act('editDraft', id, { op: 'setText', field: 'title', value: `Guide ${word}` });
    await this.act('editDraft', id, { op: 'setField', field: 'category', value: 'Radio' });
    await this.act('saveDraft', id);
    await this.act('publish', id, true);
    return true;
  }

  async #page(title: string, word: string): Promise<boolean> {
    const cards = await this.look('pages', 'INFO');
    const card = cards.find((one) => one.title === title);
    const page = card === undefined ? null : await this.look('page', card.wikiid);
    if (page === null || page.editState === 'conflict') return false;
    const { displayTitle, description, contents } = page.text;
    const text = { displayTitle, description, contents: `${contents} ${word}` };
    await this.act('savePage', page.wikiid, text);
    return true;
  }

  async #order(guideid: string, word: string, finishes: boolean): Promise<boolean> {
    const guide = must(await this.look('guide', guideid), 'a guide');
    const entry = await this.act('startWorkOrder', guideid, word);
    const field = guide.steps[0]?.fields[0];
    if (field !== undefined) await this.act('recordValue', entry, field, `value-${word}`);
    if (finishes) await this.act('moveWorkOrder', entry, 'finish');
    return true;
  }

  async #document(guideid: string, word: string): Promise<boolean> {
    const id = await this.act('openDraft', guideid);
    this.#drafts.add(id);
    if ((await this.look('guide', guideid))?.editState === 'conflict') return false;
    await this.act('addDraftDocument', id, new Blob([pdfFile()], { type: 'application/pdf' }), `${word}.pdf`);
    await this.act('saveDraft', id);
    return true;
  }

  async #edit(guideid: string, writing: Writing, word: string): Promise<boolean> {
    const id = await this.act('openDraft', guideid);
    this.#drafts.add(id);
    if ((await this.look('guide', guideid))?.editState === 'conflict') return false;
    const draft = must(await this.look('draft', id), 'a draft');
    const operation = operationOf(writing, draft.content, word);
    if (operation === null) return false;
    await this.act('editDraft', id, operation);
    if (writing.do !== 'unsaved') await this.act('saveDraft', id);
    return true;
  }
}

function operationOf(writing: Writing, content: GuideContent, word: string): GuideEditOperation | null {
  const [step] = content.steps;
  const line = step?.lines[0];
  if (writing.do === 'unsaved')
    return { op: 'setText', field: 'conclusion_raw', value: `${content.conclusion_raw} ${word}`.trim() };
  if (writing.do === 'step') {
    const media = { type: 'image' as const, data: [] };
    const made = {
      key: `step-${word}-of-this-run`,
      title: `Step ${word}`,
      lines: [],
      media,
      time_estimate: 0,
    };
    return { op: 'insertStep', step: made, index: content.steps.length };
  }
  if (writing.do !== 'append' && writing.do !== 'replace') return null;
  const joined = (text: string): string => (writing.do === 'append' ? `${text} ${word}`.trim() : word);
  switch (writing.place) {
    case 'introduction':
      return { op: 'setText', field: 'introduction_raw', value: joined(content.introduction_raw) };
    case 'summary':
      return { op: 'setText', field: 'summary', value: joined(content.summary) };
    case 'step-title':
      return step === undefined ? null : { op: 'setStepTitle', step: step.key, value: joined(step.title) };
    default:
      return step === undefined || line === undefined
        ? null
        : { op: 'setLineText', step: step.key, line: line.id, value: joined(line.text_raw) };
  }
}
