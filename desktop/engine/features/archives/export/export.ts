import { firstValueFrom } from 'rxjs';

import { Problem } from '#shared/api/problem.ts';
import type { WriteOptions } from '#shared/formats/omanual/content.ts';
import { plainContext } from '#shared/formats/wikitext/context.ts';
import { markersSvg } from '#shared/rules/markers.ts';

import type { Services } from '#desktop/engine/features/services.ts';
import type { ExportChoice, Exported } from '#desktop/engine/api/archives.ts';
import { gather, type Gathered } from './content.ts';

const nothing =
  'There is no guide in it that is on this device. Guides that were never saved come along after that.';

/** Makes an archive of guides on this device. It stays among the archives until it is removed. */
export async function exportArchive(services: Services, choice: ExportChoice): Promise<Exported> {
  const { store } = services.archives;
  const { core } = services.sources;
  const session = core.session.current();
  const content = await chosen(services, choice);
  const { writeArchive } = await import('#shared/formats/omanual/write.ts');
  const marked = markersOnCanvas();
  const by = content.isPrivate ? { server: content.base, userid: session.user?.userid ?? 0 } : null;
  let linked = 0;
  const name = `${nameOf(choice, content)}.omanual`;
  const archiveid = await store.make(name, { kind: 'made', by }, async (sink) => {
    const options = { media: 'inside', ...(marked === undefined ? {} : { marked }) } as const;
    const { findings } = await writeArchive(content, sink, options);
    linked = findings.filter(({ code }) => code === 'medium-not-inside').length;
    // The archive of a person who signed out meanwhile must not stay on the device.
    core.mustHold();
  });
  return { archiveid, guides: content.guides.length, linked };
}

/** Saves a guide or a category as one HTML file for the person. False when they cancel. */
export async function exportPage(
  services: Services,
  choice: ExportChoice,
  title: string,
  locale: string,
): Promise<boolean> {
  const { environment } = services.sources.core;
  const content = await chosen(services, choice);
  const { writeCategoryPage, writeGuidePage } = await import('#shared/formats/print/page.ts');
  const { pageWordsIn } = await import('#shared/formats/print/words-in.ts');
  const printed = Math.floor(environment.now() / 1000);
  const site = { ...content, words: pageWordsIn(locale), printed };
  const [first] = content.guides;
  const [category] = content.categories;
  const filename = `${nameOf(choice, content)}.html`;
  return services.archives.giveOnce({ filename, title }, async (sink) => {
    if (category !== undefined) {
      const { mentions, guides } = content;
      await writeCategoryPage(
        { facts: category, wiki: content.wiki ?? plainContext, mentions, guides },
        site,
        sink,
      );
    } else if (first !== undefined) await writeGuidePage(first, site, sink);
  });
}

async function chosen(services: Services, choice: ExportChoice): Promise<Gathered> {
  const { user } = await firstValueFrom(services.sources.core.session.state);
  if (user === null) throw new Problem('unauthorized', 'Sign in first');
  const content = await gather(services, choice);
  if (content.guides.length === 0) throw new Problem('invalid', nothing);
  return content;
}

/** File name without extension: the category, the title of the only guide, or the site. */
function nameOf(choice: ExportChoice, { guides, title }: Gathered): string {
  const [only] = guides.length === 1 ? guides : [];
  const name = 'category' in choice ? choice.category : (only?.facts.title ?? title);
  return name.replaceAll(/[^\p{L}\p{N}.]+/gu, '-').replaceAll(/^-+|-+$/g, '') || 'guides';
}

/** Types that a canvas can write. Pictures of other types keep their markers as data. */
const writable = new Set(['image/jpeg', 'image/png', 'image/webp']);

/** A function that draws the markers of a picture into a copy of it, on a canvas. Undefined outside of a page. */
function markersOnCanvas(): WriteOptions['marked'] {
  if (typeof OffscreenCanvas === 'undefined' || typeof Image === 'undefined') return undefined;
  return async (image, bytes, mime) => {
    if (!writable.has(mime)) throw new TypeError(`A canvas does not write ${mime}`);
    const picture = await createImageBitmap(new Blob([bytes], { type: mime }));
    const { width, height } = picture;
    // Markers are in pixels of the original. The copy on this device may be smaller.
    const size = image.width > 0 ? image : { width, height };
    const overlay = markersSvg(image.markup, size);
    if (overlay === null) return bytes;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (context === null) throw new TypeError('There is no canvas');
    context.drawImage(picture, 0, 0);
    context.drawImage(await loaded(overlay), 0, 0, width, height);
    picture.close();
    const drawn = await canvas.convertToBlob({ type: mime, quality: 0.92 });
    return new Uint8Array(await drawn.arrayBuffer());
  };
}

async function loaded(svg: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  return image;
}
