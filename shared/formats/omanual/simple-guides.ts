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
  /** Longest duration, seconds. */
  seconds?: number;
  /** Default of both: 1970-01-01, so that the same guides give the same bytes. */
  created?: Date;
  modified?: Date;
  picture?: Blob;
  tools?: readonly SimpleSupply[];
  parts?: readonly SimpleSupply[];
  steps: readonly SimpleStep[];
}

/** A tool or part. */
export interface SimpleSupply {
  name: string;
  quantity?: number;
  notes?: string;
  /** Web address. */
  url?: string;
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
  const wiki: WikiContext = { ...plainContext, siteUrl: base };
  const written: GuideToWrite[] = [];
  for (const [index, guide] of guides.entries())
    written.push({
      facts: await factsOf(guide, index + 1, pictures),
      author: guide.author ?? '',
      tags: [],
      prerequisites: [],
      wiki,
    });
  const content = {
    base,
    title,
    langid: language,
    flags: new Map<string, { title: string; text: string }>(),
    modified: Math.max(0, ...written.map(({ facts }) => facts.modified_date)),
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
    return { id, guid, ...size };
  }

  bytes(guid: string): MediaBytes {
    return must(this.#known.get(guid), guid);
  }
}

async function factsOf(guide: SimpleGuide, guideid: number, pictures: Pictures): Promise<GuideFacts> {
  const modified = secondsOf(guide.modified ?? guide.created);
  const steps: StepFacts[] = [];
  for (const [index, step] of guide.steps.entries())
    steps.push(await stepOf(step, guideid * 1000 + index + 1, pictures));
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
    introduction_raw: guide.introduction ?? '',
    conclusion_raw: guide.conclusion ?? '',
    difficulty: guide.difficulty ?? 'Moderate',
    time_required_min: 0,
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

async function stepOf(step: SimpleStep, stepid: number, pictures: Pictures): Promise<StepFacts> {
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
      text_raw: text,
    })),
    media: { type: 'image', data },
    time_estimate: 0,
  };
}

function supplyOf({ name, quantity = 1, notes = '', url = '' }: SimpleSupply): SupplyFacts {
  return { text: name, notes, type: '', quantity, url, thumbnail: null };
}

function secondsOf(date: Date | undefined): number {
  return date === undefined ? 0 : Math.floor(date.getTime() / 1000);
}
