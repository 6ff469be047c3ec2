import type { DocumentRef, VideoFacts } from '#shared/model/guide.ts';
import { imageObjectOf, imageSizes, type ImageRef } from '#shared/model/image.ts';
import { guidePath } from '#shared/rules/urls.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

import { uri } from './addresses.ts';
import type { GuideMention, MediaRef, SiteOfOrigin } from './content.ts';
import type { Notes } from './findings.ts';
import { blocksHtml, lineHtml, type HtmlSurroundings } from './simplified-html.ts';
import { element, lines, textElement, type Attributes } from './xml-writer.ts';

/** The namespace of version 1.0, with its slash. */
export const namespace = 'http://omanual.com/';

/** The paths or addresses with which a document refers to other files. */
export interface Paths {
  /** Path of a medium relative to the document, or its address. */
  media(ref: MediaRef): string;
  /** Path or address of a picture in running text; null: unknown. */
  pictureInText(imageid: number): string | null;
  /** Paths of a guide's document and of its picture. */
  guide(mention: GuideMention): { path: string; image: string };
}

/** Everything that is needed to write the parts of one document. */
export interface Writing {
  site: SiteOfOrigin;
  wiki: WikiContext;
  paths: Paths;
  notes: Notes;
}

/** Paths for a lone document: absolute addresses for everything. */
export function linkPaths(site: SiteOfOrigin, wiki: WikiContext): Paths {
  return {
    media: (ref) => mediaAddress(ref, site.base),
    pictureInText: (imageid) => {
      const url = wiki.image(imageid)?.url('original') ?? wiki.image(imageid)?.url('large') ?? null;
      return url === null ? null : (uri(url, site.base) ?? null);
    },
    guide: (mention) => ({
      path: `${site.base}/api/2.0/guides/${mention.guideid}?type=XML`,
      image: mention.image === null ? '' : mediaAddress({ kind: 'image', image: mention.image }, site.base),
    }),
  };
}

/** The address of a medium on the site. */
export function mediaAddress(ref: MediaRef, base: string): string {
  switch (ref.kind) {
    case 'image': {
      const { original } = imageObjectOf(ref.image, '');
      return uri(original, base) ?? original;
    }
    case 'video':
      return uri(ref.encoding.url, base) ?? '';
    case 'document':
      return uri(ref.document.download_url || ref.document.url, base) ?? '';
  }
}

export function guideAddress(guide: { guideid: number; title: string; type: string }, base: string): string {
  return uri(guidePath(guide), base) ?? '';
}

/** Writes a picture; one that is only linked also lists its smaller sizes. */
export function imageElement(
  name: string,
  image: ImageRef | null,
  { site, paths }: Pick<Writing, 'site' | 'paths'>,
  attributes: Attributes = {},
): string {
  if (image === null) return element(name, attributes);
  const path = paths.media({ kind: 'image', image });
  const isLink = /^https?:/i.test(path);
  return textElement(name, path, { ...attributes, ...(isLink ? sizeAddresses(image, site.base) : {}) });
}

/** Maximum width and height of the format's five sizes. Those of our sizes that may be larger are left out. */
const boxes = {
  large: [800, 600],
  medium: [592, 444],
  standard: [300, 225],
  thumbnail: [96, 72],
  mini: [56, 42],
} as const;

function sizeAddresses(image: ImageRef, base: string): Attributes {
  const urls = imageObjectOf(image, '');
  const found: Record<string, string | undefined> = {};
  for (const [size, [width, height]] of Object.entries(boxes) as [keyof typeof boxes, readonly number[]][]) {
    const ours = imageSizes[size];
    const isFlat = image.height * 4 <= image.width * 3 && image.width > 0;
    const fits = (ours.width === width && ours.height === height) || isFlat;
    const url = urls[size];
    if (fits && url !== undefined) found[size] = uri(url, base);
  }
  return found;
}

/** Id of the notice that lists signatures; it is no flag of the site. */
export const signaturesFlag = 'x-benchbook-signatures';

/** Writes the notices of a guide or category. `signatures`: the signatures as sentences; '': none. */
export function flagsElement(flags: readonly string[], { site }: Writing, signatures = ''): string {
  const all = flags.map((id) => {
    const known = site.flags.get(id);
    return textElement('flag', known?.text ?? '', { id, title: known?.title ?? id });
  });
  const signed =
    signatures === '' ? [] : [textElement('flag', signatures, { id: signaturesFlag, title: 'Signatures' })];
  return element('flags', {}, lines([...all, ...signed]));
}

/** Writes a text of blocks as an element. `extra`: XML to append. */
export function htmlElement(name: string, raw: string, writing: Writing, place: string, extra = ''): string {
  return element(name, {}, blocksHtml(raw, htmlSurroundings(writing, `${place}/${name}`)) + extra);
}

/** The content of a step line. */
export function lineContent(raw: string, writing: Writing, place: string): string {
  return lineHtml(raw, htmlSurroundings(writing, place));
}

/** Reports each kind of loss once per text. */
function htmlSurroundings({ site, wiki, paths, notes }: Writing, place: string): HtmlSurroundings {
  const reported = new Set<string>();
  return {
    base: site.base,
    wiki,
    picture: (imageid) => paths.pictureInText(imageid),
    lost: (code, message) => {
      if (reported.has(code)) return;
      reported.add(code);
      notes.add('dropped', code, place, message);
    },
  };
}

/** An address that is valid in the schema; another is left out with a finding. */
export function address(url: string, writing: Writing, place: string): string | undefined {
  const found = uri(url, writing.site.base);
  if (found === undefined && url.trim() !== '') {
    writing.notes.add('dropped', 'address-refused', place, `The address ${url.slice(0, 100)} is left out`);
  }
  return found;
}

/** Documents with their paths or addresses; one without is left out with a finding. */
export function placedDocuments(
  documents: readonly DocumentRef[],
  { paths, notes }: Writing,
  place: string,
): { document: DocumentRef; path: string }[] {
  const placed = documents.map((document) => ({
    document,
    path: paths.media({ kind: 'document', document }),
  }));
  for (const { document, path } of placed) {
    if (path !== '') continue;
    notes.add('dropped', 'document-without-file', place, `The document ${document.text} has no file`);
  }
  return placed.filter(({ path }) => path !== '');
}

/** References to the encodings of a video, in order. */
export function videoRefs(video: VideoFacts): MediaRef[] {
  return video.encodings.map((encoding) => ({ kind: 'video', video, encoding }));
}

/** References to documents, in order. */
export function documentRefs(documents: readonly DocumentRef[]): MediaRef[] {
  return documents.map((document) => ({ kind: 'document', document }));
}
