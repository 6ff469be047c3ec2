import { firstValueFrom } from 'rxjs';

import { Problem } from '#shared/api/problem.ts';
import { plainContext } from '#shared/formats/wikitext/context.ts';

import type { Services } from '#desktop/engine/features/services.ts';
import type { ExportChoice, Exported } from '#desktop/engine/api/archives.ts';
import { gather, type Gathered } from './content.ts';
import { markersOnCanvas } from './marked.ts';

const nothing =
  'There is no guide in it that is on this device. Guides that were never saved come along after that.';

/** Makes an archive of what is on this device; it stays among the archives until it is removed. */
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
    // What is finished for somebody who left would stay behind them.
    core.mustHold();
  });
  return { archiveid, guides: content.guides.length, linked };
}

/** Gives the person a guide or a category as one file that every browser shows; false when they change their mind. */
export async function exportPage(services: Services, choice: ExportChoice, title: string): Promise<boolean> {
  const { environment } = services.sources.core;
  const content = await chosen(services, choice);
  const { writeCategoryPage, writeGuidePage } = await import('#shared/formats/print/page.ts');
  const { englishWords } = await import('#shared/formats/print/words.ts');
  const printed = Math.floor(environment.now() / 1000);
  const site = { ...content, words: englishWords, printed };
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

/** The only guide's title, the category, or the site. */
function nameOf(choice: ExportChoice, { guides, title }: Gathered): string {
  const [only] = guides.length === 1 ? guides : [];
  const name = 'category' in choice ? choice.category : (only?.facts.title ?? title);
  return name.replaceAll(/[^\p{L}\p{N}.]+/gu, '-').replaceAll(/^-+|-+$/g, '') || 'guides';
}
