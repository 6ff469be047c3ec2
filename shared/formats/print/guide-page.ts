import {
  difficulty,
  type GuideFacts,
  type LineFacts,
  type StepFacts,
  type SupplyFacts,
} from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { uri } from '#shared/formats/omanual/addresses.ts';
import type { GuideToWrite, MediaBytes, MediaRef, SiteOfOrigin } from '#shared/formats/omanual/content.ts';
import { guideAddress, mediaAddress } from '#shared/formats/omanual/document-parts.ts';
import { mainPictureOf } from '#shared/formats/omanual/guide-document.ts';
import { documentName } from '#shared/formats/omanual/names.ts';
import { isApproved, signedRequests, utcText } from '#shared/rules/approvals.ts';
import { isColourBullet, outlineOf } from '#shared/rules/bullet-shapes.ts';
import { timeRequired } from '#shared/rules/guide-record.ts';
import { markersSvg } from '#shared/rules/markers.ts';

import { formPart } from './form-part.ts';
import { nothing, safe, trusted, type Html } from '#shared/html.ts';
import { dayOf, pageHead } from './page-head.ts';
import type { PageWriter } from './page-writer.ts';
import { RichText } from './rich-text.ts';
import type { PageWords } from './words.ts';

/** What writing a page needs from its site. */
export interface PageSite extends SiteOfOrigin {
  /** Name of the site. */
  title: string;
  /** The words around the content, in the language of the reader (`englishWords`). */
  words: PageWords;
  /** When the page is made, UNIX seconds. */
  printed: number;
  /** The font Inter as WOFF2 to embed; absent: the reader's own font is used. */
  font?: Uint8Array<ArrayBuffer>;
  /** The bytes of a picture, in a size for paper; null when they are not available. */
  media(ref: MediaRef): Promise<MediaBytes | null>;
}

/** SVG paths of the icons of notes, cautions and reminders, in a box of 24 by 24. */
const icons = {
  icon_note: 'M12 2.5a9.5 9.5 0 1 0 0 19a9.5 9.5 0 1 0 0-19zM12 11v6M12 7v.01',
  icon_caution: 'M12 3.5l9.8 17h-19.6zM12 10v4.5M12 17.5v.01',
  icon_reminder: 'M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15zM10 21.5h4M12 2.5v2',
} as const;

/**
 * Writes one guide into a page.
 * - PRINT-5 A page has Benchbook's light theme and fits A4 and Letter. Bullets differ by colour and shape, markers are
 *   drawn on the pictures, notes are blocks, and all cautions are also listed at the front. A step that fits on one
 *   sheet is not broken across two.
 * - PRINT-7 A guide with an approval process ends with the signatures of this version: name, meaning, stage, and time
 *   in UTC. A version that is not approved says so.
 * - PRINT-9 The video of the introduction is at the front, like those of steps: its first picture and its address.
 * - PRINT-10 A step lists the fields of its form with choices and limits. The guide names its quiz.
 */
export class GuidePage {
  readonly #guide: GuideToWrite;
  readonly #site: PageSite;
  readonly #page: PageWriter;
  readonly #text: RichText;

  constructor(guide: GuideToWrite, site: PageSite, page: PageWriter) {
    this.#guide = guide;
    this.#site = site;
    this.#page = page;
    this.#text = new RichText(guide.wiki, site.base);
  }

  async write(): Promise<void> {
    const { facts } = this.#guide;
    await this.#page.write(safe`<article id="guide-${facts.guideid}">`, headOf(this.#guide, this.#site));
    await this.#page.write(this.#flags(facts.flags));
    await this.#lead(facts);
    await this.#page.write(this.#lists(facts));
    await this.#cautions(facts.steps);
    for (const [index, step] of facts.steps.entries()) await this.#step(step, index);
    await this.#conclusion(facts.conclusion_raw);
    await this.#page.write(this.#signatures(facts));
    await this.#page.write(safe`</article>`);
  }

  #flags(flags: readonly string[]): Html {
    const known = flags.flatMap((id) => this.#site.flags.get(id) ?? []);
    if (known.length === 0) return nothing;
    const notices = known.map(
      ({ title, text }) => safe`<p class="notice"><strong>${title}.</strong> ${text}</p>`,
    );
    return safe`<div class="flags">${notices}</div>`;
  }

  async #lead(facts: GuideFacts): Promise<void> {
    const cover = mainPictureOf(facts);
    const { intro_video: film } = facts;
    if (facts.introduction_raw.trim() === '' && cover === null && film === null) return;
    await this.#page.write(safe`<div class="lead">`);
    if (facts.introduction_raw.trim() !== '') {
      await this.#page.write(safe`<div class="rich">`);
      await this.#text.blocks(facts.introduction_raw, this.#page);
      await this.#page.write(safe`</div>`);
    }
    if (cover !== null) await this.#picture(cover, facts.title);
    if (film !== null) await this.#film(film.image?.image ?? null, film.encodings[0]?.url, facts.title);
    await this.#page.write(safe`</div>`);
  }

  #lists({ tools, parts, documents, attached_quiz: quiz }: GuideFacts): Html {
    const { words, base } = this.#site;
    const lists = [
      listOf(
        words.prerequisites,
        'plain',
        this.#guide.prerequisites.map(
          (mention) => safe`<li>${linkTo(guideAddress(mention, base), mention.title)}</li>`,
        ),
      ),
      listOf(
        words.tools,
        'supplies',
        tools.map((tool) => this.#supply(tool)),
      ),
      listOf(
        words.parts,
        'supplies',
        parts.map((part) => this.#supply(part)),
      ),
      listOf(
        words.documents,
        'plain',
        documents.map(
          (document) =>
            safe`<li>${linkTo(mediaAddress({ kind: 'document', document }, base), documentName(document))}</li>`,
        ),
      ),
      listOf(words.quiz, 'plain', quiz === undefined ? [] : [safe`<li>${quiz.title}</li>`]),
    ].filter((list) => list !== nothing);
    return lists.length === 0 ? nothing : safe`<div class="lists">${lists}</div>`;
  }

  #supply({ text, type, quantity, notes, url, isoptional: isOptional }: SupplyFacts): Html {
    const name = safe`<b>${linkTo(uri(url, this.#site.base) ?? '', text)}</b>`;
    const more = [type, notes ?? '', isOptional === true ? this.#site.words.optional : ''].filter(
      (one) => one !== '',
    );
    const small = more.length === 0 ? nothing : safe`<small>${more.join(' · ')}</small>`;
    return safe`<li><span class="count">${quantity} ×</span><span>${name}${small}</span></li>`;
  }

  /** Lists all cautions at the front, because a reader of paper may begin anywhere. */
  async #cautions(steps: readonly StepFacts[]): Promise<void> {
    const { words } = this.#site;
    const found = steps.flatMap(({ lines }, index) =>
      lines.filter(({ bullet }) => bullet === 'icon_caution').map((line) => ({ line, number: index + 1 })),
    );
    if (found.length === 0) return;
    await this.#page.write(safe`<section class="cautions"><h2>${words.cautions}</h2><ol>`);
    for (const { line, number } of found) {
      const where = safe`<a href="#${this.#stepId(number)}">${words.step(number, steps.length)}</a>`;
      await this.#page.write(safe`<li>${where}<span>`);
      await this.#text.line(line.text_raw, this.#page);
      await this.#page.write(safe`</span></li>`);
    }
    await this.#page.write(safe`</ol></section>`);
  }

  #stepId(number: number): string {
    return `guide-${this.#guide.facts.guideid}-step-${number}`;
  }

  async #step(step: StepFacts, index: number): Promise<void> {
    const { words } = this.#site;
    const number = index + 1;
    const place = words.step(number, this.#guide.facts.steps.length);
    await this.#page.write(
      safe`<section class="step" id="${this.#stepId(number)}"><h2><small>${place}</small>${step.title}</h2><div class="work">`,
    );
    await this.#media(step, place);
    if (step.lines.length > 0) {
      await this.#page.write(safe`<ul class="lines">`);
      for (const line of step.lines) await this.#line(line);
      await this.#page.write(safe`</ul>`);
    }
    await this.#page.write(safe`</div>`);
    const form = this.#guide.forms?.find(({ stepid }) => stepid === step.stepid);
    if (form !== undefined) await this.#page.write(formPart(form, words));
    await this.#page.write(safe`</section>`);
  }

  async #media({ media }: StepFacts, label: string): Promise<void> {
    if (media.type === 'image' && media.data.length > 0) {
      await this.#page.write(safe`<div class="pictures">`);
      for (const image of media.data) await this.#picture(image, label);
      await this.#page.write(safe`</div>`);
    }
    if (media.type === 'video')
      await this.#film(media.data.image?.image ?? null, media.data.encodings[0]?.url, label);
    if (media.type === 'embed') await this.#film(null, media.data.url, label);
  }

  /** Writes a video as its first picture and its address. */
  async #film(poster: ImageRef | null, url: string | undefined, label: string): Promise<void> {
    const address = uri(url ?? '', this.#site.base);
    await this.#page.write(safe`<div>`);
    if (poster !== null) await this.#picture(poster, label);
    if (address !== undefined) {
      await this.#page.write(
        safe`<p class="film">${this.#site.words.film}: <a href="${address}">${address}</a></p>`,
      );
    }
    await this.#page.write(safe`</div>`);
  }

  async #picture(image: ImageRef, label: string): Promise<void> {
    const markers = markersSvg(image.markup, image, ' aria-hidden="true"');
    const after = safe`" alt="${label}">${markers === null ? nothing : trusted(markers)}</figure>`;
    const missing = safe`<figure class="picture missing">${this.#site.words.pictureMissing}</figure>`;
    await this.#page.picture(
      { kind: 'image', image },
      safe`<figure class="picture"><img src="`,
      after,
      missing,
    );
  }

  async #line(line: LineFacts): Promise<void> {
    const { bullet } = line;
    const kind = isColourBullet(bullet) ? '' : ` block ${bullet}`;
    await this.#page.write(
      safe`<li class="level-${Math.min(line.level, 3)}${kind}">${this.#bullet(bullet)}<span class="rich">`,
    );
    await this.#text.line(line.text_raw, this.#page);
    await this.#page.write(safe`</span></li>`);
  }

  #bullet(bullet: LineFacts['bullet']): Html {
    const name = this.#site.words.bullets[bullet];
    return isColourBullet(bullet)
      ? safe`<svg class="mark ${bullet}" viewBox="0 0 24 24" role="img" aria-label="${name}">
          <path d="${outlineOf(bullet)}" fill-rule="evenodd" />
        </svg>`
      : safe`<svg class="icon" viewBox="0 0 24 24" role="img" aria-label="${name}">
          <path d="${icons[bullet]}" />
        </svg>`;
  }

  /** Writes who signed this version, with which meaning, and when (21 CFR 11.50). */
  #signatures(facts: GuideFacts): Html {
    const { words } = this.#site;
    if (facts.approval === undefined) return nothing;
    const rows = signedRequests(facts).flatMap(({ process, purpose, stages, signatures }) =>
      signatures.map(({ approval_stageid, name, meaning, date }) => {
        const stage = stages.find((one) => one.approval_stageid === approval_stageid)?.name ?? '';
        return safe`<li><b>${name}</b><span>${words.meanings[meaning]}</span><span>${words.purposes[purpose]} · ${process} · ${stage}</span><span>${utcText(date)}</span></li>`;
      }),
    );
    const note = isApproved(facts) ? nothing : safe`<p class="notice">${words.notApproved}</p>`;
    const list = rows.length === 0 ? nothing : safe`<ul class="signatures">${rows}</ul>`;
    return safe`<section class="after"><h2>${words.signatures}</h2>${note}${list}</section>`;
  }

  async #conclusion(raw: string): Promise<void> {
    if (raw.trim() === '') return;
    await this.#page.write(
      safe`<section class="after"><h2>${this.#site.words.conclusion}</h2><div class="rich">`,
    );
    await this.#text.blocks(raw, this.#page);
    await this.#page.write(safe`</div></section>`);
  }
}

function headOf({ facts, author }: GuideToWrite, { base, words }: PageSite): Html {
  const address = guideAddress(facts, base);
  const time = timeRequired(facts.time_required_min, facts.time_required_max);
  const level = difficulty.safeParse(facts.difficulty);
  const about: [string, string | number][] = [
    [words.difficulty, level.success ? words.difficulties[level.data] : facts.difficulty],
    [words.time, time === null ? '' : words.timeRequired(time.from, time.to)],
    [words.steps, facts.steps.length],
    [words.revision, facts.revisionid],
    [words.changed, dayOf(facts.modified_date)],
    [words.author, author],
  ];
  const over = [facts.category, facts.subject].filter((one) => one !== '').join(' · ');
  return pageHead({ over, title: facts.title, summary: facts.summary, about, address, words });
}

/** A link, or only its text without an address. */
function linkTo(address: string, text: string): Html {
  return address === '' ? safe`${text}` : safe`<a href="${address}">${text}</a>`;
}

function listOf(title: string, kind: 'plain' | 'supplies', items: readonly Html[]): Html {
  return items.length === 0
    ? nothing
    : safe`<section><h2>${title}</h2><ul class="${kind}">${items}</ul></section>`;
}
