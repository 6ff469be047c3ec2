import { isReachable } from '#shared/rules/urls.ts';

/** New ids of the records that imported wiki text refers to; undefined for records that were not imported. */
export interface LinkTargets {
  guide: (source: number) => number | undefined;
  step: (source: number) => number | undefined;
  image: (source: number) => number | undefined;
  /** Address of the text's site (`http://bench.local:8080`), without a trailing slash; '' if unknown. */
  origin: string;
}

/**
 * Wiki text with translated links: `[guide|id]` and `[image|id]` get the new ids, and addresses of the other site
 * become relative. Links to guides that were not imported lead to the other site; pictures that were not imported are
 * left out.
 */
export function relinked(text: string, targets: LinkTargets): string {
  const guides = text.replaceAll(/\[guide\|(\d+)((?:\|[^\]]*)?)\]/g, (_, id: string, options: string) =>
    guideLink(Number(id), options, targets),
  );
  const images = guides.replaceAll(/\[image\|(\d+)((?:\|[^\]]*)?)\]/g, (_, id: string, options: string) => {
    const imageid = targets.image(Number(id));
    return imageid === undefined ? '' : `[image|${imageid}${options}]`;
  });
  return targets.origin === '' || !images.includes('://') ? images : ownLinks(images, targets);
}

function guideLink(source: number, options: string, targets: LinkTargets): string {
  const guideid = targets.guide(source);
  if (guideid === undefined) return linkThere(source, options, targets.origin);
  const followed = options.replaceAll(/\|stepid=(\d+)/g, (_, stepid: string) => {
    const step = targets.step(Number(stepid));
    return step === undefined ? '' : `|stepid=${step}`;
  });
  return `[guide|${guideid}${followed}]`;
}

/**
 * A link to a guide on its own site, at the same step. Only the label if the address of that site is unknown, or leads
 * everybody to their own machine (`http://localhost`).
 */
function linkThere(source: number, options: string, origin: string): string {
  const parts = options.split('|').filter((part) => part !== '');
  const label = parts.find((part) => !part.includes('=')) ?? `Guide ${source}`;
  // Brackets of an IPv6 address would end the link.
  if (!isReachable(origin) || /[\s|[\]]/.test(origin)) return label;
  const stepid = parts.map((part) => /^stepid=(\d+)$/.exec(part)?.[1]).find((id) => id !== undefined);
  const window = parts.includes('new_window=true') ? '|new_window=true' : '';
  const step = stepid === undefined ? '' : `#s${stepid}`;
  return `[${origin}/Guide/-/${source}${step}|${label}${window}]`;
}

/** `[http://site/path|…]` and `[link|http://site/path|…]` become relative, `/Guide/…/id` with the new id. */
function ownLinks(text: string, targets: LinkTargets): string {
  const { host, pathname } = new URL(targets.origin);
  const site = (host + pathname.replace(/\/$/, '')).replaceAll(/[.*+?^$(){}[\]]/g, String.raw`\$&`);
  const own = new RegExp(
    String.raw`(\[(?:link\|)?)https?://(?:www\.)?${site}(/[^\s|\]]*)((?:\|[^\]]*)?\])`,
    'gi',
  );
  return text.replaceAll(own, (whole: string, before: string, path: string, after: string) => {
    const guide = /^(\/(?:Guide|Teardown)\/[^/]*\/)(\d+)(?:#s(\d+))?/.exec(path);
    if (guide === null) return before + path + after;
    const guideid = targets.guide(Number(guide[2]));
    if (guideid === undefined) return isReachable(targets.origin) ? whole : labelOf(after, guide[2] ?? '');
    const stepid = guide[3] === undefined ? undefined : targets.step(Number(guide[3]));
    return `${before}${guide[1]}${guideid}${stepid === undefined ? '' : `#s${stepid}`}${after}`;
  });
}

function labelOf(after: string, source: string): string {
  const label = after.split('|')[1]?.replace(/\]$/, '') ?? '';
  return label === '' ? `Guide ${source}` : label;
}
