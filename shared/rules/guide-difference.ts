import type { GuideFacts } from '#shared/model/guide.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import {
  fieldExtensions,
  type FormField,
  type NumericLimits,
  type StepForm,
} from '#shared/model/step-form.ts';

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

/** The differences between two versions, as texts. `null`: the version does not have the step. */
export interface GuideDifference {
  parts: { part: ComparedPart; before: string; after: string }[];
  /**
   * `number`: the position of the step in the later version, or in the earlier one if it was removed. Equal texts: only
   * the markers on its pictures differ.
   */
  steps: { number: number; before: string | null; after: string | null }[];
  /** Forms of steps that differ between the two approvals; `number`: the position of the step. */
  forms: { number: number; before: string | null; after: string | null }[];
  /** Whether the steps that both versions have are in another order. */
  isReordered: boolean;
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
type ComparedStep = Pick<Guide['steps'][number], 'guideid' | 'stepid' | 'revisionid' | 'title'> & {
  lines: readonly Pick<Guide['steps'][number]['lines'][number], 'bullet' | 'level' | 'text_raw'>[];
  media: { type: 'image'; data: readonly { guid: string }[] } | { type: 'video' | 'embed'; data: unknown };
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

/** Compares two versions of one guide, without the steps of prerequisites. */
export function guideDifference(
  before: ComparedGuide,
  after: ComparedGuide,
  forms: ComparedForms = { before: [], after: [] },
): GuideDifference {
  const own = (guide: ComparedGuide): ComparedStep[] =>
    guide.steps.filter((step) => step.guideid === guide.guideid);
  const [old, now] = [own(before), own(after)];
  const numberOf = (steps: readonly ComparedStep[]): Map<number, number> =>
    new Map(steps.map((step, index) => [step.stepid, index + 1]));
  const [oldNumbers, newNumbers] = [numberOf(old), numberOf(now)];
  const changed = now.flatMap((step): GuideDifference['steps'] => {
    const known = old.find((one) => one.stepid === step.stepid);
    const number = newNumbers.get(step.stepid) ?? 0;
    const texts = { before: known === undefined ? null : stepText(known), after: stepText(step) };
    // The texts do not include the markers on pictures, but any change of a step changes its revision.
    const isSame = texts.before === texts.after && known?.revisionid === step.revisionid;
    return isSame ? [] : [{ number, ...texts }];
  });
  const removed = old
    .filter((step) => !newNumbers.has(step.stepid))
    .map((step) => ({ number: oldNumbers.get(step.stepid) ?? 0, before: stepText(step), after: null }));
  const common = (steps: readonly ComparedStep[], others: Map<number, number>): number[] =>
    steps.map((step) => step.stepid).filter((stepid) => others.has(stepid));
  return {
    parts: comparedParts.flatMap((part) => {
      const texts = { before: partText(before, part), after: partText(after, part) };
      return texts.before === texts.after ? [] : [{ part, ...texts }];
    }),
    steps: [...changed, ...removed],
    forms: formDifference(now, forms),
    isReordered: !sameValue(common(old, newNumbers), common(now, oldNumbers)),
  };
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

/** A step as text: its title, its lines with bullet and level, and its media. */
function stepText({ title, lines, media }: ComparedStep): string {
  const shown = media.type === 'image' ? media.data.map(({ guid }) => `[${guid}]`) : [`[${media.type}]`];
  const texts = lines.map(
    ({ bullet, level, text_raw }) =>
      `${'  '.repeat(level)}• ${bullet === 'black' ? '' : `(${bullet}) `}${text_raw}`,
  );
  return [title, ...texts, ...shown].filter(Boolean).join('\n');
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
