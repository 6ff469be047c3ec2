import type { EmbedFacts } from '#shared/model/guide.ts';
import { videoTarget } from '#shared/formats/wikitext/urls.ts';

import { attributeText, wholeNumber } from './field-text.ts';
import type { DocumentReport } from './findings.ts';
import type { XmlElement } from './xml-tree.ts';

/** Reads an embedded page. Its HTML is rewritten for a known player and empty for anything else. */
export function readEmbed(element: XmlElement, report: DocumentReport): EmbedFacts | null {
  const text = (name: string): string => attributeText(element, name);
  const number = (name: string): number => Math.max(0, wholeNumber(text(name)) ?? 0);
  const facts = safeEmbed({
    embedid: 0,
    objectid: 0,
    url: text('url'),
    width: number('width'),
    height: number('height'),
    title: text('title'),
    type: ['photo', 'video', 'link', 'rich'].includes(text('type')) ? text('type') : 'rich',
    version: text('version') || '1.0',
    html: element.attributes.get('html') ?? '',
    provider_url: text('provider_url'),
    provider_name: text('provider_name'),
    author_url: text('author_url'),
    author_name: text('author_name'),
    cache_age: number('cache_age'),
  });
  if (facts.url === '') {
    report.add('dropped', 'embed', element, 'An embedded page without an address was left out.');
    return null;
  }
  if (facts.html === '')
    report.add('dropped', 'embed-html', element, `${facts.url} is linked: it is no player we know.`);
  return facts;
}

/** The frame of a known player as live servers write it. */
const ownFrame =
  /^<iframe width="\d{1,5}" height="\d{1,5}" src="https:\/\/(?:www\.)?(?:youtube-nocookie\.com|youtube\.com|player\.vimeo\.com)\/[\w./?=&%-]{1,300}" allowfullscreen><\/iframe>$/;

/** The facts with web addresses only, and with the frame of a known player or none. */
export function safeEmbed(embed: EmbedFacts): EmbedFacts {
  return {
    ...embed,
    html: ownFrame.test(embed.html) ? embed.html : frameOf(embed),
    url: safeAddress(embed.url),
    provider_url: safeAddress(embed.provider_url),
    author_url: safeAddress(embed.author_url),
  };
}

const players = {
  youtube: 'https://www.youtube-nocookie.com/embed/',
  vimeo: 'https://player.vimeo.com/video/',
};

function frameOf({ html, url, width, height }: EmbedFacts): string {
  const frame = /<iframe[^>]{0,2000}\ssrc=["']([^"']{1,500})["']/i.exec(html)?.[1] ?? '';
  const target = videoTarget(frame) ?? videoTarget(url);
  if (target === null) return '';
  return `<iframe width="${width}" height="${height}" src="${players[target.service]}${target.id}" allowfullscreen></iframe>`;
}

/** A web address or a path of the site; '' for anything else. */
export function safeAddress(address: string): string {
  return /^(?:https?:\/\/|\/(?![/\\]))/i.test(address) ? address : '';
}
