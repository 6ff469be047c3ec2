import type { GuideEdit, GuideEditBody, LineEdit } from '#shared/api/guides.ts';
import { must } from '#shared/must.ts';
import type {
  Bullet,
  DocumentRef,
  GuideFacts,
  MediaFacts,
  StepFacts,
  SupplyFacts,
} from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';

import { alignLines } from './align-lines.ts';
import {
  type GuideContent,
  type Id,
  type LineContent,
  type MediaContent,
  type StepContent,
  contentOf,
  documentIdOf,
  elementKeys,
  emptyStep,
  imageIdOf,
  isTemporaryId,
  stepContentOf,
  stepKeyOf,
} from './guide-content.ts';
import { sameValue } from './same-value.ts';

/** An image with its markers in one step. */
type MarkedImage = { imageid: Id; markup: string };
type MediaBody = { type: 'image'; data: (Id | MarkedImage)[] } | { type: 'object'; data: Id | null };
type LineBody = { text: string; bullet?: Bullet; level?: number; id?: string; lineid?: number | null };
type StepFields = { title?: string; lines?: LineBody[]; media?: MediaBody; time_estimate?: number };
export type StepBody = ({ stepid: number; revisionid: number } | { key: string }) & StepFields;
type SupplyBody = NonNullable<GuideEditBody['parts']>[number];

/** A guide patch that waits on a device: as in the API, but ids may be temporary. */
export type WaitingGuideEdit = Omit<
  GuideEditBody,
  'image' | 'documents' | 'featured_documentid' | 'prerequisites' | 'steps' | 'type' | 'difficulty'
> & {
  type?: string;
  difficulty?: string;
  image?: Id | null;
  documents?: Id[];
  featured_documentid?: Id | null;
  prerequisites?: Id[];
  steps?: StepBody[];
};

/** The body of a waiting call that creates a guide. */
export type WaitingNewGuide = Omit<WaitingGuideEdit, 'steps'> & {
  category: string;
  type: string;
  steps?: ({ key: string } & StepFields)[];
};

/**
 * The smallest PATCH body that turns `base` into `next`; null when nothing differs. It contains `steps` only if steps
 * differ. `steps` then lists every step in the new order, an unchanged one as `{stepid, revisionid}` only.
 */
export function guideEditBody(base: GuideFacts, next: GuideContent): WaitingGuideEdit | null {
  const body: WaitingGuideEdit = changedFields(contentOf(base), next);
  const steps = stepBodies(base, next.steps);
  if (steps !== null) body.steps = steps;
  const removed = removedSteps(base, next.steps);
  if (removed.length > 0) body.removed_steps = removed;
  return Object.keys(body).length === 0 ? null : body;
}

/**
 * The steps that the edit removes, with the revision that the person saw, so that the server refuses the removal of a
 * step that was edited meanwhile.
 */
function removedSteps(base: GuideFacts, next: StepContent[]): { stepid: number; revisionid: number }[] {
  const remaining = new Set(next.map((step) => step.key));
  return base.steps
    .filter((step) => !remaining.has(stepKeyOf(step)))
    .map(({ stepid, revisionid }) => ({ stepid, revisionid }));
}

/** The body of POST /guides for a guide that is not on the server: its differences from `empty`, and its steps. */
export function newGuideBody(empty: GuideContent, content: GuideContent): WaitingNewGuide {
  const steps = content.steps.map((step) => ({ key: step.key, ...changedStep(emptyStep(step.key), step) }));
  const body: WaitingNewGuide = {
    ...changedFields(empty, content),
    category: content.category,
    type: content.type,
  };
  if (steps.length > 0) body.steps = steps;
  return body;
}

type TopFields = Omit<WaitingGuideEdit, 'steps'>;

function changedFields(old: GuideContent, next: GuideContent): TopFields {
  const whole: TopFields = {
    title: next.title,
    summary: next.summary,
    subject: next.subject,
    category: next.category,
    type: next.type,
    difficulty: next.difficulty,
    time_required_min: next.time_required_min,
    time_required_max: next.time_required_max,
    introduction: next.introduction_raw,
    conclusion: next.conclusion_raw,
    flags: next.flags,
    image: next.image === null ? null : imageIdOf(next.image),
    parts: next.parts.map(supplyBody),
    tools: next.tools.map(supplyBody),
    documents: next.documents.map(documentIdOf),
    featured_documentid: next.featured_documentid,
    prerequisites: next.prerequisites,
  };
  const fieldOf = { introduction: 'introduction_raw', conclusion: 'conclusion_raw' } as const;
  const changed = Object.entries(whole).filter(([name]) => {
    const field = (fieldOf[name as keyof typeof fieldOf] ?? name) as keyof GuideContent;
    return !sameValue(old[field], next[field]);
  });
  return Object.fromEntries(changed) as TopFields;
}

function supplyBody(supply: SupplyFacts): SupplyBody {
  return {
    name: supply.text,
    ...(supply.type === '' ? {} : { type: supply.type }),
    ...(supply.quantity === 1 ? {} : { quantity: supply.quantity }),
    ...(supply.notes === null ? {} : { notes: supply.notes }),
    ...(supply.url === '' ? {} : { url: supply.url }),
    ...(supply.featured === undefined ? {} : { featured: supply.featured }),
    ...(supply.isoptional === undefined ? {} : { isoptional: supply.isoptional }),
  };
}

function stepBodies(base: GuideFacts, next: StepContent[]): StepBody[] | null {
  if (sameValue(contentOf(base).steps, next)) return null;
  const facts = new Map(base.steps.map((step) => [stepKeyOf(step), step]));
  const contents = new Map(contentOf(base).steps.map((step) => [step.key, step]));
  return next.map((step) => {
    const known = facts.get(step.key);
    if (known === undefined) return { key: step.key, ...changedStep(emptyStep(step.key), step) };
    const { stepid, revisionid } = known;
    return { stepid, revisionid, ...changedStep(must(contents.get(step.key), 'step content'), step) };
  });
}

function changedStep(old: StepContent, next: StepContent): StepFields {
  return {
    ...(old.title === next.title ? {} : { title: next.title }),
    ...(sameValue(old.lines, next.lines) ? {} : { lines: next.lines.map(lineBody) }),
    ...(sameValue(old.media, next.media) ? {} : { media: mediaBody(old.media, next.media) }),
    ...(old.time_estimate === next.time_estimate ? {} : { time_estimate: next.time_estimate }),
  };
}

/** A line without the values that the API fills in by default. */
function lineBody(line: LineContent): LineBody {
  return {
    id: line.id,
    text: line.text_raw,
    ...(line.bullet === 'black' ? {} : { bullet: line.bullet }),
    ...(line.level === 0 ? {} : { level: line.level }),
  };
}

function mediaBody(old: MediaContent, next: MediaContent): MediaBody {
  if (next.type === 'image') {
    return { type: 'image', data: next.data.map((image) => pictureBody(picturesOf(old), image)) };
  }
  return { type: 'object', data: next.type === 'object' ? next.data : next.data.objectid };
}

/** The id of an image, with its markers only if the step does not show it with the same markers already. */
function pictureBody(old: readonly ImageRef[], image: ImageRef): Id | MarkedImage {
  const imageid = imageIdOf(image);
  const known = old.find((other) => imageIdOf(other) === imageid);
  const { markup } = image;
  return markup === undefined || known?.markup === markup ? imageid : { imageid, markup };
}

function picturesOf(media: MediaContent): ImageRef[] {
  return media.type === 'image' ? media.data : [];
}

/** The ids of the images in the media of a step, with or without markers. */
export function imageIdsOf(data: readonly (Id | MarkedImage)[]): Id[] {
  return data.map((image) => (typeof image === 'object' ? image.imageid : image));
}

/** Resolves ids of a body that the guide does not contain yet. */
export type BodyLookup = {
  image(id: Id): ImageRef | undefined;
  document(id: Id): DocumentRef | undefined;
  /** A video or embed by its objectid. */
  object(id: Id): MediaContent | undefined;
  /** Makes the identity of a line that has none. */
  newLineId(): string;
};

/**
 * The content of `base` after a waiting or received patch. Throws for a step that `base` does not have, and for an id
 * that neither `base` nor `found` knows.
 */
export function applyBody(
  base: GuideFacts,
  body: WaitingGuideEdit | GuideEdit,
  found: BodyLookup,
): GuideContent {
  const old = contentOf(base);
  const lookup = withOwnMedia(old, found);
  const next: GuideContent = {
    ...old,
    title: body.title ?? old.title,
    summary: body.summary ?? old.summary,
    subject: body.subject ?? old.subject,
    category: body.category ?? old.category,
    type: body.type ?? old.type,
    difficulty: body.difficulty ?? old.difficulty,
    time_required_min: body.time_required_min ?? old.time_required_min,
    time_required_max: body.time_required_max ?? old.time_required_max,
    introduction_raw: body.introduction ?? old.introduction_raw,
    conclusion_raw: body.conclusion ?? old.conclusion_raw,
    flags: body.flags ?? old.flags,
    prerequisites: body.prerequisites ?? old.prerequisites,
    parts: body.parts === undefined ? old.parts : suppliesOf(old.parts, body.parts),
    tools: body.tools === undefined ? old.tools : suppliesOf(old.tools, body.tools),
  };
  if (body.featured_documentid !== undefined) next.featured_documentid = body.featured_documentid;
  if (body.image !== undefined)
    next.image = body.image === null ? null : must(lookup.image(body.image), 'image');
  if (body.documents !== undefined) {
    const ids = body.documents.map((item) => (typeof item === 'object' ? item.documentid : item));
    next.documents = ids.map((id) => must(lookup.document(id), `document ${id}`));
  }
  if (body.steps !== undefined) next.steps = body.steps.map((step) => stepAfter(base.steps, step, lookup));
  return next;
}

function withOwnMedia(content: GuideContent, found: BodyLookup): BodyLookup {
  const images = [content.image, ...content.steps.flatMap(({ media }) => picturesOf(media))];
  return {
    image: (id) =>
      images.find((image) => image !== null && imageIdOf(image) === id) ?? found.image(id) ?? undefined,
    document: (id) =>
      content.documents.find((document) => documentIdOf(document) === id) ?? found.document(id),
    object: (id) => ownObject(content, id) ?? found.object(id),
    newLineId: () => found.newLineId(),
  };
}

function ownObject(content: GuideContent, id: Id): MediaFacts | undefined {
  for (const { media } of content.steps) {
    if ((media.type === 'video' || media.type === 'embed') && media.data.objectid === id) return media;
  }
  return undefined;
}

/**
 * The parts or tools of a body. Each keeps its thumbnail, which cannot be written, from the old element of the same
 * identity.
 */
function suppliesOf(old: SupplyFacts[], written: SupplyBody[]): SupplyFacts[] {
  const supplies = written.map((supply): SupplyFacts => ({
    text: supply.name,
    notes: supply.notes ?? null,
    type: supply.type ?? '',
    quantity: supply.quantity ?? 1,
    url: supply.url ?? '',
    thumbnail: null,
    ...(supply.isoptional === undefined ? {} : { isoptional: supply.isoptional }),
    ...(supply.featured === undefined ? {} : { featured: supply.featured }),
  }));
  const oldKeys = elementKeys('parts', old);
  const newKeys = elementKeys('parts', supplies);
  return supplies.map((supply, index) => ({
    ...supply,
    thumbnail: old[oldKeys.indexOf(newKeys[index] ?? '')]?.thumbnail ?? null,
  }));
}

type ArrivingStep = NonNullable<WaitingGuideEdit['steps'] | GuideEdit['steps']>[number];

function stepAfter(steps: StepFacts[], written: ArrivingStep, found: BodyLookup): StepContent {
  const facts =
    'stepid' in written ? must(findStep(steps, written.stepid), `step ${written.stepid}`) : undefined;
  const old = facts === undefined ? emptyStep('key' in written ? written.key : '') : stepContentOf(facts);
  return {
    key: old.key,
    title: written.title ?? old.title,
    lines: written.lines === undefined ? old.lines : linesAfter(facts?.lines ?? [], written.lines, found),
    media: written.media === undefined ? old.media : mediaAfter(old.media, written.media, found),
    time_estimate: written.time_estimate ?? old.time_estimate,
  };
}

function findStep(steps: StepFacts[], stepid: number): StepFacts | undefined {
  return steps.find((step) => step.stepid === stepid);
}

function linesAfter(
  old: StepFacts['lines'],
  written: (LineBody | LineEdit)[],
  found: BodyLookup,
): LineContent[] {
  const ids = alignLines(old, written);
  return written.map((line, index) => ({
    id: ids[index] ?? line.id ?? found.newLineId(),
    bullet: line.bullet ?? 'black',
    level: line.level ?? 0,
    text_raw: line.text,
  }));
}

/** A picture keeps its markers in this step; elsewhere in the guide the same picture may have others. */
function mediaAfter(old: MediaContent, media: MediaBody, found: BodyLookup): MediaContent {
  if (media.type === 'image') {
    const own = picturesOf(old);
    const imageOf = (id: Id): ImageRef =>
      must(own.find((image) => imageIdOf(image) === id) ?? found.image(id), `image ${id}`);
    const data = media.data.map((image) =>
      typeof image === 'object' ? { ...imageOf(image.imageid), markup: image.markup } : imageOf(image),
    );
    return { type: 'image', data };
  }
  if (media.data === null) return { type: 'image', data: [] };
  if (isTemporaryId(media.data)) return found.object(media.data) ?? { type: 'object', data: media.data };
  return must(found.object(media.data), `object ${media.data}`);
}
