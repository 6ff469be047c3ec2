import type { ApprovalPurpose, SignatureMeaning } from '#shared/model/approval.ts';
import type { Bullet, difficulties } from '#shared/model/guide.ts';
import type { FieldType } from '#shared/model/step-form.ts';
import type { TimeCount } from '#shared/rules/guide-record.ts';

/** The words of a page around its content. */
export interface PageWords {
  step(number: number, count: number): string;
  tools: string;
  parts: string;
  optional: string;
  documents: string;
  prerequisites: string;
  /** The quiz that belongs to a guide. */
  quiz: string;
  /** The heading of a step's form. */
  form: string;
  fieldTypes: Readonly<Record<FieldType, string>>;
  required: string;
  number: (value: number) => string;
  /** What a number should be. `tolerance`: null: none. */
  target: (target: string, tolerance: string | null) => string;
  computed: (expression: string) => string;
  /** A code that is scanned. */
  scanned: string;
  /** The name of somebody who confirms the step. */
  secondPerson: string;
  photos: (most: number) => string;
  reasonWhenFailed: string;
  /** `limit`: with its unit. */
  atLeast: (limit: string) => string;
  atMost: (limit: string) => string;
  decimals: (count: number) => string;
  cautions: string;
  conclusion: string;
  signatures: string;
  /** The purposes of approvals. */
  purposes: Readonly<Record<ApprovalPurpose, string>>;
  meanings: Readonly<Record<SignatureMeaning, string>>;
  /** Shown on a version that waits for signatures, was rejected, or has none. */
  notApproved: string;
  guides: string;
  film: string;
  author: string;
  difficulty: string;
  difficulties: Readonly<Record<(typeof difficulties)[number], string>>;
  time: string;
  /** `from`: null for a single time. */
  timeRequired: (from: TimeCount | null, to: TimeCount) => string;
  steps: string;
  revision: string;
  changed: string;
  printed: string;
  /** The caption of the QR code. */
  scan: string;
  /** Shown in place of the QR code when other devices cannot reach the site. */
  noCode: string;
  pictureMissing: string;
  bullets: Readonly<Record<Bullet, string>>;
}

/** The English names of bullets, on printed pages and in the app. */
export const englishBullets: Readonly<Record<Bullet, string>> = {
  black: 'Black',
  red: 'Red',
  orange: 'Orange',
  yellow: 'Yellow',
  green: 'Green',
  light_blue: 'Light blue',
  blue: 'Blue',
  violet: 'Violet',
  icon_note: 'Note',
  icon_caution: 'Caution',
  icon_reminder: 'Reminder',
};

export const englishWords: PageWords = {
  step: (number, count) => `Step ${number} of ${count}`,
  tools: 'Tools',
  parts: 'Parts',
  optional: 'optional',
  documents: 'Documents',
  prerequisites: 'Do this first',
  quiz: 'Quiz',
  form: 'To record',
  fieldTypes: {
    'Text Input': 'Text',
    'Text Area': 'Longer text',
    'Numeric Input': 'Number',
    Checkbox: 'Yes or no',
    Radios: 'One of',
    Select: 'One of',
    Image: 'Picture',
    Video: 'Film',
    Document: 'Document',
  },
  required: 'required',
  number: String,
  target: (target, tolerance) =>
    tolerance === null ? `target ${target}` : `target ${target} ± ${tolerance}`,
  computed: (expression) => `computed: ${expression}`,
  scanned: 'scanned',
  secondPerson: 'another person confirms this step',
  photos: (most) => `up to ${most} photos`,
  reasonWhenFailed: 'with a reason if it fails',
  atLeast: (limit) => `at least ${limit}`,
  atMost: (limit) => `at most ${limit}`,
  decimals: (count) =>
    count === 0 ? 'whole number' : count === 1 ? 'up to 1 decimal' : `up to ${count} decimals`,
  cautions: 'Take care',
  conclusion: 'When you are done',
  signatures: 'Signatures',
  purposes: { publish: 'Publication', release: 'Release' },
  meanings: { approved: 'Approved', reviewed: 'Reviewed', rejected: 'Rejected' },
  notApproved: 'This version is not approved.',
  guides: 'Guides',
  film: 'Film',
  author: 'Written by',
  difficulty: 'Difficulty',
  difficulties: {
    'Very easy': 'Very easy',
    Easy: 'Easy',
    Moderate: 'Moderate',
    Difficult: 'Difficult',
    'Very difficult': 'Very difficult',
  },
  time: 'Time',
  timeRequired: (from, to) => {
    const name = ({ count, unit }: TimeCount): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
    if (from === null) return name(to);
    return from.unit === to.unit ? `${from.count}–${name(to)}` : `${name(from)} – ${name(to)}`;
  },
  steps: 'Steps',
  revision: 'Revision',
  changed: 'Changed',
  printed: 'Saved',
  scan: 'Scan to open the newest version',
  noCode: 'No code to scan: this site has no address that other devices can reach.',
  pictureMissing: 'This picture was not at hand.',
  bullets: englishBullets,
};
