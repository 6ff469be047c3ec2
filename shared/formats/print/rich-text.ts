import { pictureInTextRef } from '#shared/formats/omanual/media-of.ts';
import { renderBlocks, renderLine } from '#shared/formats/wikitext/html.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

import { nothing, safe, trusted } from '#shared/html.ts';
import type { PageWriter } from './page-writer.ts';

/** Parts of our rendered HTML that a page replaces. */
const anchor = /<a class="anchor"[^>]*>[^<]*<\/a>/g;
const sectionId = /(<h[2-6]) id="[^"]*"/g;
const youtube =
  /<div class="[^"]*" style="width:570px"><div class="videoBox"><div videoid=([\w-]+)[^>]*><\/div><\/div><\/div>/g;
const vimeo =
  /<div class="[^"]*" style="width:570px"><div class="videoBox"><iframe src="https:\/\/player\.vimeo\.com\/video\/(\d+)"[^>]*><\/iframe><\/div><\/div>/g;
/** A picture in a text, with the fragment that replaces its address during rendering. */
const picture = /<img class="[^"]*" src="#picture-(\d+)" alt="" \/>/;

/** Renders texts for a page that loads nothing: embedded pictures, videos as links, absolute addresses. */
export class RichText {
  readonly #wiki: WikiContext;
  readonly #own: WikiContext;
  readonly #base: string;

  constructor(wiki: WikiContext, base: string) {
    this.#wiki = wiki;
    this.#base = base;
    this.#own = {
      ...wiki,
      image: (imageid) => {
        const found = wiki.image(imageid);
        return found === null ? null : { ...found, url: () => `#picture-${imageid}` };
      },
    };
  }

  /** Writes an introduction, conclusion or page. */
  async blocks(raw: string, page: PageWriter): Promise<void> {
    await this.#write(renderBlocks(raw, this.#own), page);
  }

  /** Writes a step line. */
  async line(raw: string, page: PageWriter): Promise<void> {
    await this.#write(renderLine(raw, this.#own), page);
  }

  async #write(rendered: string, page: PageWriter): Promise<void> {
    const [first = '', ...rest] = this.#mended(rendered).split(picture);
    await page.write(trusted(first));
    for (let at = 0; at < rest.length; at += 2) {
      const ref = pictureInTextRef(Number(rest[at]), this.#wiki);
      if (ref !== null) await page.picture(ref, safe`<img src="`, safe`" alt="">`, nothing);
      await page.write(trusted(rest[at + 1] ?? ''));
    }
  }

  #mended(rendered: string): string {
    return rendered
      .replaceAll(anchor, '')
      .replaceAll(sectionId, '$1')
      .replaceAll(youtube, (_, id: string) => film(`https://www.youtube.com/watch?v=${id}`))
      .replaceAll(vimeo, (_, id: string) => film(`https://vimeo.com/${id}`))
      .replaceAll('href="/', () => safe`href="${this.#base}/`.text);
  }
}

function film(url: string): string {
  return safe`<p><a href="${url}">${url}</a></p>`.text;
}
