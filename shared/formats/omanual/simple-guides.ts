import type { GuideFacts, LineFacts, StepFacts, SupplyFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { must } from '#shared/must.ts';
import { plainContext, type WikiContext } from '#shared/formats/wikitext/context.ts';

import type { GuideToWrite, MediaBytes, WriteReport } from './content.ts';
import { pictureSize, recognisedType } from './media-kinds.ts';
import type { ByteSink } from './source.ts';
import { writeArchive } from './write.ts';

/** A guide to write with `writeGuides`. Texts are wiki text: `'''bold'''`, `''italic''`, `[https://…|link]`. */
export interface SimpleGuide {
  title: string;
  /** The device or topic that it is about. */
  category: string;
  /** The part that is replaced or shown. Default: none. */
  subject?: string;
  /** Such as `repair` or `replacement`. Default: `technique`. */
  type?: string;
  /** Language tag. Default: `en`. */
  language?: string;
  author?: string;
  summary?: string;
  introduction?: string;
  conclusion?: string;
  /** `Very easy`, `Easy`, `Moderate`, `Difficult` or `Very difficult`. Default: `Moderate`. */
  difficulty?: GuideFacts['difficulty'];
  /** Longest and shortest duration, seconds. */
  seconds?: number;
  leastSeconds?: number;
  tags?: readonly string[];
  /** Default of both: 1970-01-01, so that the same guides give the same bytes. */
  created?: Date;
  modified?: Date;
  picture?: Blob;
  /** Pictures that texts show: `[image|1]` is the first of them. */
  pictures?: readonly Blob[];
  tools?: readonly SimpleSupply[];
  parts?: readonly SimpleSupply[];
  steps: readonly SimpleStep[];
}

/** A tool or part. */
export interface SimpleSupply {
  name: string;
  quantity?: number;
  notes?: string;
  /** Such as `steel` or `10 mm`. */
  type?: string;
  /** Web address. */
  url?: string;
  /** Default: false. */
  isOptional?: boolean;
}

/** A step with at most three pictures (PNG, JPEG, GIF or WebP). */
export interface SimpleStep {
  title?: string;
  lines: readonly (string | SimpleLine)[];
  pictures?: readonly Blob[];
}

export interface SimpleLine {
  text: string;
  /** Default: `black`. */
  bullet?: LineFacts['bullet'];
  /** Indentation, from 0. */
  level?: number;
}

/** The site that addresses in the archive lead to, and the title and language of the archive. */
export interface SimpleSite {
  /** `https://guides.example.com`, without a trailing slash. */
  base: string;
  title: string;
  /** Default: `en`. */
  language?: string;
}

/**
 * Writes guides as an archive of version 1.0, numbered from 1 in their order. Throws a TypeError for a picture that is
 * none.
 */
export async function writeGuides(
  guides: readonly SimpleGuide[],
  sink: ByteSink,
  { base, title, language = 'en' }: SimpleSite,
): Promise<WriteReport> {
  const pictures = new Pictures();
  const wiki: WikiContext = {
    ...plainContext,
    siteUrl: base,
    image: (id) => {
      const image = pictures.byId(id);
      return image === null ? null : { id, guid: image.guid, url: () => '' };
    },
  };
  const written: GuideToWrite[] = [];
  let steps = 0;
  for (const [index, guide] of guides.entries()) {
    written.push({
      facts: await factsOf(guide, { guideid: index + 1, stepid: steps + 1 }, pictures),
      author: guide.author ?? '',
      tags: guide.tags ?? [],
      prerequisites: [],
      wiki,
    });
    steps += guide.steps.length;
  }
  const content = {
    base,
    title,
    langid: language,
    flags: new Map<string, { title: string; text: string }>(),
    modified: written.reduce((latest, { facts }) => Math.max(latest, facts.modified_date), 0),
    categories: [],
    ancestors: [],
    wiki,
    guides: written,
  };
  return writeArchive(
    { ...content, media: async (ref) => (ref.kind === 'image' ? pictures.bytes(ref.image.guid) : null) },
    sink,
    { media: 'inside' },
  );
}

class Pictures {
  readonly #known = new Map<string, MediaBytes>();
  readonly #images: ImageRef[] = [];

  async add(blob: Blob): Promise<ImageRef> {
    const head = new Uint8Array(await blob.slice(0, 64 * 1024).arrayBuffer());
    const type = recognisedType(head);
    const size = pictureSize(head);
    if (type?.kind !== 'image' || size === null)
      throw new TypeError('A picture of a guide is a PNG, JPEG, GIF or WebP file');
    const id = this.#known.size + 1;
    const guid = `Picture${id}`;
    const open = async (): Promise<Uint8Array<ArrayBuffer>[]> => [new Uint8Array(await blob.arrayBuffer())];
    this.#known.set(guid, { mime: type.mime, size: blob.size, open });
    const image = { id, guid, ...size };
    this.#images.push(image);
    return image;
  }

  byId(id: number): ImageRef | null {
    return this.#images[id - 1] ?? null;
  }

  bytes(guid: string): MediaBytes {
    return must(this.#known.get(guid), guid);
  }
}

/** The facts of a guide. `stepid`: the number of its first step. */
async function factsOf(
  guide: SimpleGuide,
  { guideid, stepid }: { guideid: number; stepid: number },
  pictures: Pictures,
): Promise<GuideFacts> {
  const modified = secondsOf(guide.modified ?? guide.created);
  const inTexts: ImageRef[] = [];
  for (const blob of guide.pictures ?? []) inTexts.push(await pictures.add(blob));
  const textOf = (raw: string): string => withPictures(raw, inTexts);
  const steps: StepFacts[] = [];
  for (const [index, step] of guide.steps.entries())
    steps.push(await stepOf(step, stepid + index, pictures, textOf));
  return {
    guideid,
    revisionid: 1,
    guide_revisionid: 1,
    langid: guide.language ?? 'en',
    userid: 0,
    public: true,
    type: guide.type ?? 'technique',
    category: guide.category,
    subject: guide.subject ?? '',
    title: guide.title,
    summary: guide.summary ?? '',
    introduction_raw: textOf(guide.introduction ?? ''),
    conclusion_raw: textOf(guide.conclusion ?? ''),
    difficulty: guide.difficulty ?? 'Moderate',
    time_required_min: guide.leastSeconds ?? 0,
    time_required_max: guide.seconds ?? 0,
    flags: [],
    image: guide.picture === undefined ? null : await pictures.add(guide.picture),
    parts: (guide.parts ?? []).map(supplyOf),
    tools: (guide.tools ?? []).map(supplyOf),
    documents: [],
    featured_documentid: null,
    featured_document_embed_url: '',
    featured_document_thumbnail_url: '',
    intro_video: null,
    prerequisites: [],
    steps,
    created_date: secondsOf(guide.created),
    published_date: secondsOf(guide.created),
    modified_date: modified,
    patrol_threshold: 0,
    ogdc_enabled: '',
    per_step_time_enabled: false,
    work_log_enabled: false,
    should_use_granular_permissions: false,
  };
}

/** The text with the numbers that its pictures have in the archive. */
function withPictures(raw: string, pictures: readonly ImageRef[]): string {
  return pictures.length === 0
    ? raw
    : raw.replaceAll(/\[image\|(\d{1,6})/g, (whole, number: string) => {
        const image = pictures[Number(number) - 1];
        return image === undefined ? whole : `[image|${image.id}`;
      });
}

async function stepOf(
  step: SimpleStep,
  stepid: number,
  pictures: Pictures,
  textOf: (raw: string) => string,
): Promise<StepFacts> {
  const data: ImageRef[] = [];
  for (const blob of step.pictures ?? []) data.push(await pictures.add(blob));
  const lines = step.lines.map((line) => (typeof line === 'string' ? { text: line } : line));
  return {
    stepid,
    revisionid: 1,
    title: step.title ?? '',
    lines: lines.map(({ text, bullet = 'black', level = 0 }: SimpleLine, index) => ({
      id: `${stepid}.${index + 1}`,
      lineid: null,
      bullet,
      level,
      text_raw: textOf(text),
    })),
    media: { type: 'image', data },
    time_estimate: 0,
  };
}

function supplyOf({
  name,
  quantity = 1,
  notes = '',
  type = '',
  url = '',
  isOptional,
}: SimpleSupply): SupplyFacts {
  const optional = isOptional === true ? { isoptional: true } : {};
  return { text: name, notes, type, quantity, url, thumbnail: null, ...optional };
}

function secondsOf(date: Date | undefined): number {
  return date === undefined ? 0 : Math.floor(date.getTime() / 1000);
}
