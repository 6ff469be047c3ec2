import type {
  Bullet,
  DocumentRef,
  GuideFacts,
  MediaFacts,
  StepFacts,
  SupplyFacts,
} from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';

/** `tmp:<uuid>`: stands for the id of something that a waiting call will create. */
export type TemporaryId = `tmp:${string}`;
export type Id = number | TemporaryId;

/** Media of a step while it is edited. `object`: a video or embed that is not on the server yet. */
export type MediaContent = MediaFacts | { type: 'object'; data: TemporaryId };

/** A line while it is edited. `id`: its identity. */
export type LineContent = { id: string; bullet: Bullet; level: number; text_raw: string };

/** A step while it is edited. `key`: its identity, which is the key given by its device, else its stepid as text. */
export type StepContent = {
  key: string;
  title: string;
  lines: LineContent[];
  media: MediaContent;
  time_estimate: number;
};

/**
 * The fields of a guide that people can edit: no revision numbers, dates or derived values.
 *
 * Images and documents that are not on the server yet are ordinary references with id 0 and their temporary id as guid
 * (`{id: 0, guid: 'tmp:…'}`), so that code that shows pictures by guid needs no special case.
 */
export type GuideContent = {
  title: string;
  summary: string;
  subject: string;
  category: string;
  type: string;
  difficulty: string;
  time_required_min: number;
  time_required_max: number;
  introduction_raw: string;
  conclusion_raw: string;
  flags: string[];
  image: ImageRef | null;
  parts: SupplyFacts[];
  tools: SupplyFacts[];
  documents: DocumentRef[];
  featured_documentid: Id | null;
  prerequisites: Id[];
  steps: StepContent[];
};

/** Texts that are merged word by word. */
export const textFields = ['title', 'summary', 'introduction_raw', 'conclusion_raw'] as const;
export type TextField = (typeof textFields)[number];

/** Fields that are replaced as a whole. */
export const scalarFields = [
  'subject',
  'category',
  'type',
  'difficulty',
  'time_required_min',
  'time_required_max',
  'image',
  'featured_documentid',
] as const;
export type ScalarField = (typeof scalarFields)[number];

/** Lists whose elements have an identity (`elementKeys`). */
export const listFields = ['flags', 'parts', 'tools', 'documents', 'prerequisites'] as const;
export type ListField = (typeof listFields)[number];

export function isListField(name: string): name is ListField {
  return (listFields as readonly string[]).includes(name);
}

export type ListElement<F extends ListField = ListField> = GuideContent[F][number];

/**
 * The path of a value in a record that is edited or merged: a field of the guide; an element of a list or a field of
 * it; a step or a field of it; a line or a field of it. Without `field`, the path names the whole element.
 */
export type ContentPath = { list?: string; element?: string; step?: string; line?: string; field?: string };

/** A place as a string; equal places give equal strings. */
export function pathId(place: ContentPath): string {
  const parts = [
    place.list === undefined ? undefined : `list:${place.list}`,
    place.element === undefined ? undefined : `element:${place.element}`,
    place.step === undefined ? undefined : `step:${place.step}`,
    place.line === undefined ? undefined : `line:${place.line}`,
    place.field,
  ];
  return parts.filter((part) => part !== undefined).join('/');
}

export function isTemporaryId(value: unknown): value is TemporaryId {
  return typeof value === 'string' && value.startsWith('tmp:');
}

/** The id to write for an image: its number, or its temporary id until it is on the server. */
export function imageIdOf(image: ImageRef): Id {
  return isTemporaryId(image.guid) ? image.guid : image.id;
}

/** The id to write for a document: its number, or its temporary id until it is on the server. */
export function documentIdOf(document: DocumentRef): Id {
  return isTemporaryId(document.guid) ? document.guid : document.documentid;
}

/**
 * The identity of a step: the key with which a device or the server created it; for older steps, the stepid as text.
 */
export function stepKeyOf(step: StepFacts): string {
  return step.key ?? String(step.stepid);
}

/** The editable content of a guide. */
export function contentOf(facts: GuideFacts): GuideContent {
  return {
    title: facts.title,
    summary: facts.summary,
    subject: facts.subject,
    category: facts.category,
    type: facts.type,
    difficulty: facts.difficulty,
    time_required_min: facts.time_required_min,
    time_required_max: facts.time_required_max,
    introduction_raw: facts.introduction_raw,
    conclusion_raw: facts.conclusion_raw,
    flags: facts.flags,
    image: facts.image,
    parts: facts.parts,
    tools: facts.tools,
    documents: facts.documents,
    featured_documentid: facts.featured_documentid,
    prerequisites: facts.prerequisites,
    steps: facts.steps.map(stepContentOf),
  };
}

/** The editable content of a step. */
export function stepContentOf(step: StepFacts): StepContent {
  return {
    key: stepKeyOf(step),
    title: step.title,
    lines: step.lines.map(({ id, bullet, level, text_raw }) => ({ id, bullet, level, text_raw })),
    media: step.media,
    time_estimate: step.time_estimate,
  };
}

/** The content of a new guide. */
export function emptyContent(): GuideContent {
  return {
    title: '',
    summary: '',
    subject: '',
    category: '',
    type: 'how-to',
    difficulty: 'Moderate',
    time_required_min: 0,
    time_required_max: 0,
    introduction_raw: '',
    conclusion_raw: '',
    flags: [],
    image: null,
    parts: [],
    tools: [],
    documents: [],
    featured_documentid: null,
    prerequisites: [],
    steps: [],
  };
}

/** An empty step. */
export function emptyStep(key: string): StepContent {
  return { key, title: '', lines: [], media: { type: 'image', data: [] }, time_estimate: 0 };
}

/**
 * The identities of the elements of a list, unique within it: the value of flags and prerequisites, the id of
 * documents, and type, text and URL of parts and tools. The second of equal ones is marked `#2`, and so on.
 */
export function elementKeys(field: ListField, elements: readonly ListElement[]): string[] {
  const seen = new Map<string, number>();
  return elements.map((element) => {
    const key = elementKey(field, element);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? key : `${key}#${count}`;
  });
}

function elementKey(field: ListField, element: ListElement): string {
  if (typeof element !== 'object') return String(element);
  if ('guid' in element) return String(documentIdOf(element));
  return [element.type, element.text, element.url].join('|');
}
