import type { GuideFacts } from '#shared/model/guide.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import {
  fieldExtensions,
  type FormField,
  type NumericLimits,
  type StepForm,
} from '#shared/model/step-form.ts';

import { alignLines } from './align-lines.ts';
import { sameValue } from './same-value.ts';

/** The parts of a guide that are compared, besides steps. */
const comparedParts = [
  'title',
  'summary',
  'introduction_raw',
  'conclusion_raw',
  'category',
  'difficulty',
  'time_required',
  'tools',
  'parts',
  'documents',
  'prerequisites',
  'flags',
  'image',
  'attached',
  'quiz',
] as const;
export type ComparedPart = (typeof comparedParts)[number];

/** A line of a step in both versions. Null: the version does not have it. Equal values: it did not change. */
export interface LineDifference {
  before: ComparedLine | null;
  after: ComparedLine | null;
  /** It stands elsewhere among the lines that both versions have. */
  isMoved: boolean;
}

/** A picture of a step. `marked`: only its markers changed. */
export interface PictureDifference {
  guid: string;
  change: 'same' | 'added' | 'removed' | 'marked';
}

/** A step that differs. `before` and `after`: its titles; null: the version does not have the step. */
export interface StepDifference {
  /** Its position in the later version, or in the earlier one if it was removed. */
  number: number;
  /** Its position in the earlier version, if it was moved among the steps that both versions have. */
  movedFrom: number | null;
  before: string | null;
  after: string | null;
  /** All lines in the order of the later version, each removed one where it was. */
  lines: LineDifference[];
  pictures: PictureDifference[];
  /** Another video, or a video instead of pictures. */
  hasOtherMedia: boolean;
}

/** The differences between two versions. Parts and forms are given as texts; `null`: the version does not have it. */
export interface GuideDifference {
  parts: { part: ComparedPart; before: string; after: string }[];
  steps: StepDifference[];
  /** Forms of steps that differ between the two approvals; `number`: the position of the step. */
  forms: { number: number; before: string | null; after: string | null }[];
}

/** The forms that belong to the approval requests of the two versions. */
export interface ComparedForms {
  before: readonly StepForm[];
  after: readonly StepForm[];
}

/** What is compared of a guide: its record in the API, or as much of it as {@link comparedGuide} makes of its facts. */
export type ComparedGuide = Pick<
  Guide,
  | 'guideid'
  | 'title'
  | 'summary'
  | 'introduction_raw'
  | 'conclusion_raw'
  | 'category'
  | 'difficulty'
  | 'time_required'
  | 'intro_video_url'
> & {
  tools: readonly ComparedSupply[];
  parts: readonly ComparedSupply[];
  documents: readonly { text: string }[];
  prerequisites: readonly { title: string }[];
  flags: readonly (string | { title: string })[];
  image: { guid: string } | null;
  attachedQuiz: { title: string; quiz_revisionid: number } | null;
  steps: readonly ComparedStep[];
};

type ComparedSupply = Pick<Guide['tools'][number], 'quantity' | 'text' | 'type' | 'notes'>;
/** `id` or `lineid`: its identity, where it is known; else lines are matched by their words. */
export type ComparedLine = Pick<Guide['steps'][number]['lines'][number], 'bullet' | 'level' | 'text_raw'> & {
  id?: string;
  lineid?: number | null;
};
type ComparedPicture = { guid: string; markup?: string | null | undefined };
type ComparedStep = Pick<Guide['steps'][number], 'guideid' | 'stepid' | 'revisionid' | 'title'> & {
  lines: readonly ComparedLine[];
  media: { type: 'image'; data: readonly ComparedPicture[] } | { type: 'video' | 'embed'; data: unknown };
};

/**
 * The facts of a version of a guide, for a comparison on a device. Prerequisites and the quiz are left out: they have
 * revisions of their own.
 */
export function comparedGuide(facts: Omit<GuideFacts, 'prerequisites'>): ComparedGuide {
  const { guideid, title, summary, introduction_raw, conclusion_raw, category, difficulty } = facts;
  return {
    guideid,
    title,
    summary,
    introduction_raw,
    conclusion_raw,
    category,
    difficulty,
    time_required: `${facts.time_required_min}–${facts.time_required_max}`,
    intro_video_url: facts.intro_video === null ? null : facts.intro_video.filename,
    tools: facts.tools,
    parts: facts.parts,
    documents: facts.documents,
    prerequisites: [],
    flags: facts.flags,
    image: facts.image,
    attachedQuiz: null,
    steps: facts.steps.map((step) => ({ ...step, guideid })),
  };
}

/**
 * Compares two versions of one guide, without the steps of prerequisites.
 *
 * - COMPARE-2 A step is added, removed, moved or changed; as few steps as possible count as moved.
 * - COMPARE-3 In a step that differs, every line of both versions appears once: by its identity, or by its words.
 * - COMPARE-4 A picture is added or removed, or its markers changed.
 */
export function guideDifference(
  before: ComparedGuide,
  after: ComparedGuide,
  forms: ComparedForms = { before: [], after: [] },
): GuideDifference {
  const own = (guide: ComparedGuide): ComparedStep[] =>
    guide.steps.filter((step) => step.guideid === guide.guideid);
  const [old, now] = [own(before), own(after)];
  const idsOf = (steps: readonly ComparedStep[]): string[] => steps.map(({ stepid }) => String(stepid));
  const moved = movedBetween(idsOf(old), idsOf(now));
  const steps = now.flatMap((step, index): StepDifference[] => {
    const at = old.findIndex(({ stepid }) => stepid === step.stepid);
    const movedFrom = moved.has(String(step.stepid)) ? at + 1 : null;
    const difference = stepDifference(old[at] ?? null, step);
    const isSame = at >= 0 && movedFrom === null && isUnchanged(difference);
    return isSame ? [] : [{ number: index + 1, movedFrom, ...difference }];
  });
  const kept = new Set(now.map(({ stepid }) => stepid));
  const removed = old.flatMap((step, index): StepDifference[] =>
    kept.has(step.stepid) ? [] : [{ number: index + 1, movedFrom: null, ...stepDifference(step, null) }],
  );
  return {
    parts: comparedParts.flatMap((part) => {
      const texts = { before: partText(before, part), after: partText(after, part) };
      return texts.before === texts.after ? [] : [{ part, ...texts }];
    }),
    steps: [...steps, ...removed],
    forms: formDifference(now, forms),
  };
}

/** Whether nothing differs. */
export function isEqualVersion({ parts, steps, forms }: GuideDifference): boolean {
  return parts.length + steps.length + forms.length === 0;
}

type StepContents = Omit<StepDifference, 'number' | 'movedFrom'>;

function stepDifference(before: ComparedStep | null, after: ComparedStep | null): StepContents {
  const pictures = pictureDifference(before, after);
  const lines = lineDifference(before?.lines ?? [], after?.lines ?? []);
  const hasOtherMedia =
    before !== null &&
    after !== null &&
    (before.media.type !== 'image' || after.media.type !== 'image') &&
    !sameValue(before.media, after.media);
  return { before: before?.title ?? null, after: after?.title ?? null, lines, pictures, hasOtherMedia };
}

function isUnchanged({ before, after, lines, pictures, hasOtherMedia }: StepContents): boolean {
  return (
    before === after &&
    !hasOtherMedia &&
    pictures.every(({ change }) => change === 'same') &&
    lines.every((line) => !line.isMoved && isSameLine(line))
  );
}

/** Whether a line did not change. */
export function isSameLine({ before, after }: LineDifference): boolean {
  return (
    before !== null &&
    after !== null &&
    before.text_raw === after.text_raw &&
    before.bullet === after.bullet &&
    before.level === after.level
  );
}

function lineDifference(before: readonly ComparedLine[], after: readonly ComparedLine[]): LineDifference[] {
  const known = before.map((line, index) => ({ ...line, id: line.id ?? `line ${index}` }));
  const ids = alignLines(
    known,
    after.map(({ id, lineid, text_raw }) => ({ id, lineid, text: text_raw })),
  );
  const moved = movedBetween(
    known.map(({ id }) => id),
    ids.filter((id) => id !== null),
  );
  const rows = after.map((line, index): LineDifference => {
    const id = ids[index] ?? null;
    const old = known.find((one) => one.id === id) ?? null;
    return { before: old, after: line, isMoved: id !== null && moved.has(id) };
  });
  known.forEach((line, index) => {
    if (ids.includes(line.id)) return;
    const above = known.slice(0, index).findLast((one) => rows.some((row) => row.before?.id === one.id));
    const at = rows.findIndex((row) => above !== undefined && row.before?.id === above.id);
    rows.splice(at + 1, 0, { before: line, after: null, isMoved: false });
  });
  return rows;
}

function pictureDifference(before: ComparedStep | null, after: ComparedStep | null): PictureDifference[] {
  const picturesOf = (step: ComparedStep | null): readonly ComparedPicture[] =>
    step?.media.type === 'image' ? step.media.data : [];
  const [old, now] = [picturesOf(before), picturesOf(after)];
  const kept = now.map(({ guid, markup }): PictureDifference => {
    const same = old.find((one) => one.guid === guid);
    if (same === undefined) return { guid, change: 'added' };
    return { guid, change: (same.markup ?? '') === (markup ?? '') ? 'same' : 'marked' };
  });
  const removed = old.filter(({ guid }) => !now.some((one) => one.guid === guid));
  return [...removed.map(({ guid }): PictureDifference => ({ guid, change: 'removed' })), ...kept];
}

/** The ids that both lists have and that are not in the longest part whose order is the same in both. */
function movedBetween(before: readonly string[], after: readonly string[]): Set<string> {
  const positions = after.filter((id) => before.includes(id)).map((id) => ({ id, at: before.indexOf(id) }));
  const best: { length: number; from: number }[] = [];
  positions.forEach(({ at }, index) => {
    let found = { length: 1, from: -1 };
    for (let earlier = 0; earlier < index; earlier += 1) {
      const length = (best[earlier]?.length ?? 0) + 1;
      if ((positions[earlier]?.at ?? 0) < at && length >= found.length) found = { length, from: earlier };
    }
    best.push(found);
  });
  const moved = new Set(positions.map(({ id }) => id));
  let index = best.reduce((top, one, at) => (one.length > (best[top]?.length ?? 0) ? at : top), 0);
  while (index >= 0 && positions[index] !== undefined) {
    moved.delete(positions[index]?.id ?? '');
    index = best[index]?.from ?? -1;
  }
  return moved;
}

function formDifference(steps: readonly ComparedStep[], forms: ComparedForms): GuideDifference['forms'] {
  const textOf = (all: readonly StepForm[], stepid: number): string | null => {
    const form = all.find((one) => one.stepid === stepid);
    return form === undefined || form.fields.length === 0 ? null : formText(form);
  };
  return steps.flatMap(({ stepid }, index) => {
    const texts = { before: textOf(forms.before, stepid), after: textOf(forms.after, stepid) };
    return texts.before === texts.after ? [] : [{ number: index + 1, ...texts }];
  });
}

function partText(guide: ComparedGuide, part: ComparedPart): string {
  switch (part) {
    case 'tools':
    case 'parts':
      return guide[part]
        .map(({ quantity, text, type, notes }) =>
          [`${quantity} × ${text}`, type, notes ?? ''].filter(Boolean).join(', '),
        )
        .join('\n');
    case 'documents':
      return guide.documents.map(({ text }) => text).join('\n');
    case 'prerequisites':
      return guide.prerequisites.map(({ title }) => title).join('\n');
    case 'flags':
      return guide.flags.map((flag) => (typeof flag === 'string' ? flag : flag.title)).join('\n');
    case 'image':
      return guide.image === null ? '' : guide.image.guid;
    case 'attached':
      return guide.intro_video_url ?? '';
    case 'quiz':
      return guide.attachedQuiz === null
        ? ''
        : `${guide.attachedQuiz.title} (${guide.attachedQuiz.quiz_revisionid})`;
    default:
      return guide[part];
  }
}

/** A form as text for comparison: one line for each field with its type, limits and choices; `*`: required. */
export function formText({ fields }: Pick<StepForm, 'fields'>): string {
  return fields.map(fieldText).join('\n');
}

function fieldText(field: FormField): string {
  const { label, field_type, options, placeholder, textarea, required } = field;
  const more = [
    ...(Array.isArray(options) ? [options.join(', ')] : limitsText(options)),
    placeholder,
    textarea,
    ...extensionTexts(field),
  ].filter((one) => one !== '');
  return [`${label}${required ? ' *' : ''} (${field_type})`, ...more].join(' · ');
}

/** What a field has beyond the spec, by name, so that a reviewer sees every change. */
function extensionTexts(field: FormField): string[] {
  return Object.entries(field).flatMap(([name, value]) =>
    name in fieldExtensions ? [`${name}: ${JSON.stringify(value)}`] : [],
  );
}

function limitsText(limits: NumericLimits): string[] {
  return [
    limits.limit_min ? `≥ ${limits.min}` : '',
    limits.limit_max ? `≤ ${limits.max}` : '',
    limits.limit_decimals ? (0).toFixed(limits.decimals) : '',
  ];
}
