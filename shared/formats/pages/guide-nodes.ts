import type { GuideFacts, StepFacts, SupplyFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { uri } from '#shared/formats/omanual/addresses.ts';
import type { GuideToWrite } from '#shared/formats/omanual/content.ts';
import { guideAddress, mediaAddress } from '#shared/formats/omanual/document-parts.ts';
import type { Notes } from '#shared/formats/omanual/findings.ts';
import { documentName } from '#shared/formats/omanual/names.ts';
import { parseMarkup } from '#shared/formats/wikitext/markup.ts';

import {
  durationText,
  factWords,
  sectionWords,
  signs,
  supplyWords,
  takeSign,
  type FactName,
} from './notation.ts';
import { mostLevel } from './page-limits.ts';
import { node, nodesText, printable, type PageElement, type PageNode } from './page-nodes.ts';
import { blockNodes, lineNodes, type PageTexts } from './wiki-nodes.ts';

/** The pictures of a guide by guid: a path, a data address, or the address on the site if there are no bytes. */
export type PicturePaths = ReadonlyMap<string, { src: string; isLink: boolean }>;

/** Converts one guide to the elements of its page. */
export class GuideNodes {
  readonly #guide: GuideToWrite;
  readonly #base: string;
  readonly #pictures: PicturePaths;
  readonly #notes: Notes;

  constructor(guide: GuideToWrite, base: string, pictures: PicturePaths, notes: Notes) {
    this.#guide = guide;
    this.#base = base;
    this.#pictures = pictures;
    this.#notes = notes;
  }

  article(): PageElement {
    const { facts } = this.#guide;
    this.#reportUnwritten(facts);
    const parts = [
      node('h1', [facts.title]),
      ...(facts.image === null ? [] : this.#pictureParagraph([facts.image], facts.title, 'picture')),
      this.#facts(facts),
      ...this.#texts('introduction', facts.introduction_raw),
      ...this.#supplies('tools', facts.tools),
      ...this.#supplies('parts', facts.parts),
      ...this.#documents(facts),
      ...this.#prerequisites(),
      ...facts.steps.flatMap((step, index) => this.#step(step, index + 1)),
      ...this.#texts('conclusion', facts.conclusion_raw),
    ];
    return node('article', parts, { lang: facts.langid });
  }

  #facts(facts: GuideFacts): PageElement {
    const { author, tags } = this.#guide;
    const { time_required_min: least, time_required_max: most } = facts;
    const time = least > 0 ? `${durationText(least)} – ${durationText(most)}` : durationText(most);
    const rows: [FactName, string][] = [
      ['summary', facts.summary],
      ['category', facts.category],
      ['subject', facts.subject],
      ['type', facts.type],
      ['difficulty', facts.difficulty],
      ['time', least > 0 || most > 0 ? time : ''],
      ['author', author],
      ['language', facts.langid],
      ...tags.map((tag): [FactName, string] => ['tag', tag]),
      ['created', facts.created_date === 0 ? '' : dateText(facts.created_date)],
      // Without it, reading takes the date of creation.
      ['changed', facts.modified_date === facts.created_date ? '' : dateText(facts.modified_date)],
    ];
    const shown = rows.filter(([, value]) => value.trim() !== '');
    return node(
      'ul',
      shown.map(([name, value]) => node('li', [node('strong', [`${factWords[name][0]}:`]), ` ${value}`])),
    );
  }

  #texts(name: 'introduction' | 'conclusion', raw: string): PageElement[] {
    const content = blockNodes(raw, this.#textsAt(`guide/${name}`));
    return content.length === 0 ? [] : [node('h2', [sectionWords[name][0]]), ...content];
  }

  #supplies(name: 'tools' | 'parts', supplies: readonly SupplyFacts[]): PageElement[] {
    if (supplies.length === 0) return [];
    const items = supplies.map((one, index) => this.#supply(one, `guide/${name}[${index + 1}]`));
    return [node('h2', [sectionWords[name][0]]), node('ul', items)];
  }

  #supply(
    { text, notes, type, quantity, url, thumbnail, isoptional: isOptional }: SupplyFacts,
    place: string,
  ): PageElement {
    if (thumbnail !== null && thumbnail !== '')
      this.#notes.add('dropped', 'supply-picture', place, 'The picture of a tool or part is left out');
    const address = uri(url, this.#base);
    const name = node('strong', [text]);
    const isLinked = printable(text).trim() !== '' && address !== undefined && isWeb(address);
    if (url !== '' && !isLinked)
      this.#notes.add('dropped', 'address', place, 'The address of a tool or part is left out');
    const details = [
      ...(type === '' ? [] : [detail(supplyWords.type[0], type)]),
      ...((notes ?? '') === '' ? [] : [detail(supplyWords.notes[0], notes ?? '')]),
      ...(isOptional === true ? [node('li', [node('strong', [supplyWords.optional[0]])])] : []),
    ];
    return node('li', [
      ...(quantity === 1 ? [] : [`${quantity} × `]),
      isLinked ? node('a', [name], { href: address }) : name,
      ...(details.length === 0 ? [] : [node('ul', details)]),
    ]);
  }

  #documents({ documents }: GuideFacts): PageElement[] {
    if (documents.length === 0) return [];
    const items = documents.map((document) => {
      const href = mediaAddress({ kind: 'document', document }, this.#base);
      const message = isWeb(href)
        ? `The document ${document.text} is only linked`
        : `The document ${document.text} has no address on the web, and only its name is written`;
      this.#notes.add('dropped', 'document', 'guide/documents', message);
      const name = documentName(document);
      return node('li', [isWeb(href) ? node('a', [name], { href }) : name]);
    });
    return [node('h2', [sectionWords.documents[0]]), node('ul', items)];
  }

  #prerequisites(): PageElement[] {
    const { prerequisites } = this.#guide;
    if (prerequisites.length === 0) return [];
    this.#notes.add('dropped', 'prerequisite', 'guide/prerequisites', 'Prerequisites are written as text');
    const items = prerequisites.map((mention) => {
      const href = this.#base === '' ? '' : guideAddress(mention, this.#base);
      return node('li', [isWeb(href) ? node('a', [mention.title], { href }) : mention.title]);
    });
    return [node('h2', [sectionWords.prerequisites[0]]), node('ul', items)];
  }

  #step(step: StepFacts, number: number): PageElement[] {
    const place = `guide/steps/step[${number}]`;
    const title = step.title.trim() === '' ? `Step ${number}` : `Step ${number}: ${step.title}`;
    if (step.time_estimate > 0)
      this.#notes.add('dropped', 'step-time', place, 'The time of a step is left out');
    return [node('h2', [title]), ...this.#media(step, number, place), ...this.#lines(step, place)];
  }

  #media({ media }: StepFacts, number: number, place: string): PageElement[] {
    if (media.type === 'image') return this.#pictureParagraph(media.data, `Step ${number}`, place);
    const url = media.type === 'video' ? media.data.encodings[0]?.url : media.data.url;
    const href = uri(url ?? '', this.#base) ?? '';
    const what = media.type === 'video' ? 'A video' : 'An embedded page';
    const message = isWeb(href)
      ? `${what} is only linked`
      : `${what} without an address on the web is left out`;
    this.#notes.add('dropped', media.type, place, message);
    return isWeb(href) ? [node('p', [node('a', [href], { href })])] : [];
  }

  #pictureParagraph(images: readonly ImageRef[], alt: string, place: string): PageElement[] {
    const shown = images.flatMap((image, index): PageNode[] => {
      if (parseMarkup(image.markup ?? '').draw.length > 0)
        this.#notes.add('dropped', 'markers', place, 'The markers of a picture are left out');
      const found = this.#pictures.get(image.guid);
      if (found === undefined || found.isLink) {
        this.#notes.add(
          'unresolved',
          'picture-linked',
          place,
          'A picture is not in the archive and is only linked',
        );
        return found === undefined ? [] : [node('a', [found.src], { href: found.src })];
      }
      const number = images.length === 1 ? '' : `, picture ${index + 1}`;
      return [node('img', [], { src: found.src, alt: `${alt}${number}` })];
    });
    const spaced = shown.flatMap((one, index): PageNode[] => (index === 0 ? [one] : [' ', one]));
    return spaced.length === 0 ? [] : [node('p', spaced)];
  }

  /** The lines as nested lists. A line is at most one level deeper than the one above it. */
  #lines({ lines }: StepFacts, place: string): PageElement[] {
    const texts = this.#textsAt(place);
    const inLines: PageTexts = {
      ...texts,
      picture: (imageid) => {
        const src = texts.picture(imageid);
        if (src !== null) texts.lost('picture-in-line', 'A picture in a line becomes a picture of its step');
        return src;
      },
    };
    let above = -1;
    const items = lines.map(({ text_raw: raw, bullet, level }, index) => {
      const depth = Math.min(level, above + 1, mostLevel);
      above = depth;
      if (depth !== level)
        this.#notes.add(
          'dropped',
          'line-level',
          `${place}/lines/line[${index + 1}]`,
          'A line is indented less',
        );
      const content = lineNodes(raw, inLines);
      const isSigned = bullet !== 'black' || takeSign(nodesText(content)) !== null;
      const { sign, name } = signs[bullet];
      const shown: PageNode[] = isSigned
        ? [node('span', [sign], { role: 'img', 'aria-label': name }), ' ', ...content]
        : content;
      return { depth, shown };
    });
    return items.length === 0 ? [] : [nested(items, 0)];
  }

  #textsAt(place: string): PageTexts {
    return {
      base: this.#base,
      wiki: this.#guide.wiki,
      picture: (imageid) => {
        const guid = this.#guide.wiki.image(imageid)?.guid;
        const found = guid === undefined ? undefined : this.#pictures.get(guid);
        return found === undefined || found.isLink ? null : found.src;
      },
      lost: (code, message) => this.#notes.add('dropped', code, place, message),
    };
  }

  #reportUnwritten(facts: GuideFacts): void {
    const add = (code: string, message: string): void => this.#notes.add('dropped', code, 'guide', message);
    if (facts.flags.length > 0) add('flag', `The flags are left out: ${facts.flags.join(', ')}`);
    if (facts.intro_video !== null) add('video', 'The video of the introduction is left out');
    if (facts.attached_quiz !== undefined) add('quiz', 'The quiz is left out');
    if ((this.#guide.forms ?? []).length > 0) add('form', 'The forms of its steps are left out');
    if (facts.approval !== undefined) add('signatures', 'Its signatures are left out');
  }
}

interface Item {
  depth: number;
  shown: readonly PageNode[];
}

/** Items as a list; deeper items are in lists inside the item above. */
function nested(items: readonly Item[], depth: number): PageElement {
  const starts = items.flatMap((item, index) => (item.depth === depth ? [index] : []));
  const made = starts.map((start, index) => {
    const inner = items.slice(start + 1, starts[index + 1] ?? items.length);
    const list = inner.length === 0 ? [] : [nested(inner, depth + 1)];
    return node('li', [...(items[start]?.shown ?? []), ...list]);
  });
  return node('ul', made);
}

function detail(word: string, value: string): PageElement {
  return node('li', [node('strong', [`${word}:`]), ` ${value}`]);
}

function isWeb(address: string): boolean {
  return /^https?:\/\//i.test(address);
}

function dateText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
