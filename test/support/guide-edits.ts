import fc from 'fast-check';

import { type GuideFacts, bullets, difficulties } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { type GuideEditOperation, applyEdit } from '#shared/rules/guide-edit.ts';

/** Facts of a small guide; `lines` has the texts of each step. */
export function guideOf(lines: string[][], change: Partial<GuideFacts> = {}): GuideFacts {
  let lineid = 1000;
  return {
    guideid: 7,
    revisionid: 70,
    guide_revisionid: 70,
    langid: 'en',
    userid: 1,
    public: true,
    type: 'replacement',
    category: 'Radio',
    subject: 'Battery',
    title: 'Radio battery replacement',
    summary: 'Replace a worn out battery.',
    introduction_raw: 'Use this guide to replace the battery.\nDischarge it first.',
    conclusion_raw: 'Follow the steps in reverse order.',
    difficulty: 'Moderate',
    time_required_min: 600,
    time_required_max: 1200,
    flags: ['GUIDE_STARRED'],
    image: null,
    parts: [
      { text: 'Battery', notes: null, type: 'part', quantity: 1, url: '/Item/Battery', thumbnail: null },
    ],
    tools: [{ text: 'T5 Torx', notes: 'long', type: 'tool', quantity: 1, url: '/Item/T5', thumbnail: null }],
    documents: [],
    featured_documentid: null,
    featured_document_embed_url: '',
    featured_document_thumbnail_url: '',
    intro_video: null,
    prerequisites: [3],
    steps: lines.map((texts, index) => ({
      stepid: 11 + index,
      revisionid: 110 + index,
      title: `Step title ${index + 1}`,
      lines: texts.map((text_raw) => ({
        id: `l${(lineid += 1)}`,
        lineid,
        bullet: 'black',
        level: 0,
        text_raw,
      })),
      media: { type: 'image', data: [] },
      time_estimate: 0,
    })),
    created_date: 1,
    published_date: 2,
    modified_date: 3,
    patrol_threshold: 0,
    ogdc_enabled: '',
    per_step_time_enabled: false,
    work_log_enabled: true,
    should_use_granular_permissions: false,
    ...change,
  };
}

export const plainGuide: GuideFacts = guideOf([
  ['Turn the radio off.', 'Remove the four red screws.'],
  ['Lift the back cover.'],
  ['Pull the battery out.', 'Note the two contacts.', 'Keep the spring.'],
  [],
  ['Put the new battery in.'],
]);

/** A random edit before it is applied to a content: the kind of edit, and numbers that choose place and value. */
export type RawEdit = { kind: number; where: number; which: number; to: number };

export const rawEdit: fc.Arbitrary<RawEdit> = fc.record({
  kind: fc.nat({ max: 99 }),
  where: fc.nat({ max: 999 }),
  which: fc.nat({ max: 999 }),
  to: fc.nat({ max: 999 }),
});
export const rawEdits = fc.array(rawEdit, { maxLength: 8 });

/** Turns raw edits into operations; `label` makes its keys and words unique. */
export class Editor {
  #count = 0;
  readonly #label: string;
  /** Words that this editor wrote. */
  readonly words: string[] = [];

  constructor(label: string) {
    this.#label = label;
  }

  edit(content: GuideContent, edits: readonly RawEdit[]): GuideContent {
    return edits.reduce((now, raw) => applyEdit(now, this.operation(now, raw)), content);
  }

  operation(content: GuideContent, raw: RawEdit): GuideEditOperation {
    const { kind, to } = raw;
    if (kind < 15) return this.#fieldEdit(content, raw);
    const step = content.steps[raw.where % Math.max(1, content.steps.length)];
    if (kind < 25 || step === undefined) {
      const key = this.#fresh('step');
      const lines = [{ id: this.#fresh('line'), bullet: 'black' as const, level: 0, text_raw: this.#word() }];
      const made = {
        key,
        title: this.#word(),
        lines,
        media: { type: 'image' as const, data: [] },
        time_estimate: 0,
      };
      return { op: 'insertStep', step: made, index: to % (content.steps.length + 1) };
    }
    if (kind < 32) return { op: 'removeStep', step: step.key };
    if (kind < 42) return { op: 'moveStep', step: step.key, index: to % content.steps.length };
    if (kind < 48) return { op: 'setStepTitle', step: step.key, value: this.#changed(step.title, raw) };
    if (kind < 52) return { op: 'setStepTime', step: step.key, value: to };
    const line = step.lines[raw.which % Math.max(1, step.lines.length)];
    if (kind < 65 || line === undefined) {
      const made = {
        id: this.#fresh('line'),
        bullet: 'black' as const,
        level: to % 3,
        text_raw: this.#word(),
      };
      return { op: 'insertLine', step: step.key, line: made, index: to % (step.lines.length + 1) };
    }
    const at = { step: step.key, line: line.id };
    if (kind < 70) return { op: 'removeLine', ...at };
    if (kind < 76) return { op: 'moveLine', ...at, index: to % step.lines.length };
    if (kind < 80) return { op: 'setLineBullet', ...at, value: must(bullets[to % bullets.length], 'bullet') };
    if (kind < 85) return { op: 'setLineLevel', ...at, value: to % 3 };
    return { op: 'setLineText', ...at, value: this.#changed(line.text_raw, raw) };
  }

  #fieldEdit(content: GuideContent, { kind, to, which, where }: RawEdit): GuideEditOperation {
    if (kind < 3)
      return {
        op: 'setText',
        field: 'title',
        value: this.#changed(content.title, { to, which, where, kind }),
      };
    if (kind < 7) {
      const value = this.#changed(content.introduction_raw, { to, which, where, kind });
      return { op: 'setText', field: 'introduction_raw', value };
    }
    if (kind < 9) return { op: 'setField', field: 'time_required_max', value: to };
    if (kind < 11)
      return {
        op: 'setField',
        field: 'difficulty',
        value: must(difficulties[to % difficulties.length], 'difficulty'),
      };
    if (kind < 12)
      return {
        op: 'setList',
        field: 'flags',
        value: [`flag ${to % 5}`, ...content.flags.slice(0, which % 3)].filter(isFirst),
      };
    if (kind < 13)
      return {
        op: 'setList',
        field: 'prerequisites',
        value: [...content.prerequisites, 1 + (to % 6)].filter(isFirst),
      };
    const supply = {
      text: `part ${to % 4}`,
      notes: this.#word(),
      type: 'part',
      quantity: 1 + (to % 3),
      url: '',
      thumbnail: null,
    };
    const parts = content.parts.filter((part) => part.text !== supply.text).slice(which % 2);
    return { op: 'setList', field: 'parts', value: [...parts, supply] };
  }

  /** Replaces, removes or adds one word. */
  #changed(text: string, { to, which }: RawEdit): string {
    const words = text.split(' ');
    const at = which % (words.length + 1);
    if (to % 3 === 0) return words.toSpliced(at, 1, this.#word()).join(' ');
    if (to % 3 === 1) return words.toSpliced(at, 0, this.#word()).join(' ');
    return words.toSpliced(at, 1).join(' ');
  }

  #fresh(what: string): string {
    this.#count += 1;
    return `${what}-${this.#label}-${this.#count}`;
  }

  #word(): string {
    this.#count += 1;
    const word = `w${this.#label}${this.#count}`;
    this.words.push(word);
    return word;
  }
}

function isFirst<T>(value: T, index: number, all: T[]): boolean {
  return all.indexOf(value) === index;
}

/** Id of the first line of `plainGuide`. */
export const firstLine = must(plainGuide.steps[0]?.lines[0], 'a line').id;

/** The edit that sets the text of that line. */
export function setLine(value: string): GuideEditOperation {
  return { op: 'setLineText', step: '11', line: firstLine, value };
}
