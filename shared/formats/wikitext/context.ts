/** A link target that depends on other content. */
export interface NamedLink {
  readonly title: string;
  readonly url: string;
}

export interface NamedGuide extends NamedLink {
  readonly guideid: number;
}

export interface WikiImage {
  readonly id: number;
  readonly guid: string;
  /** Address of the picture in one of the named sizes (`standard`, `medium` …). */
  url(size: string): string;
}

/**
 * What rendering needs to know besides the text. Lookups answer for one viewer and return null for what the viewer may
 * not see. Every answer is escaped, and its address checked, before it is written.
 */
export interface WikiContext {
  /** Address of the own site, such as `https://guides.example.com`; null when there is none. */
  readonly siteUrl: string | null;
  /** Host names of the own site: links to them have no `rel` and get the scheme of `siteUrl`. */
  readonly siteHosts: readonly string[];
  /** Hosts (with their subdomains) to which links have no `rel`. */
  readonly trustedHosts: readonly string[];
  guideTitle(guideid: number): NamedLink | null;
  /** The guide with exactly this title. */
  guideTitled(title: string): NamedGuide | null;
  image(imageid: number): WikiImage | null;
  product(code: string): NamedLink | null;
  /** Wiki text of a template page, or null. */
  template: (name: string) => string | null;
  /** Guides of a `[guidelist|…]`, or null to show the text itself. */
  guidelist(options: Readonly<Record<string, string>>): readonly NamedGuide[] | null;
}

/** The guide of a link, by id or by title. */
export function linkedGuide(context: WikiContext, guide: number | string): NamedLink | null {
  return typeof guide === 'number' ? context.guideTitle(guide) : context.guideTitled(guide);
}

/** A context without other content; spread it and override what is available. */
export const plainContext: WikiContext = {
  siteUrl: null,
  siteHosts: [],
  trustedHosts: ['youtube.com', 'youtu.be'],
  guideTitle: () => null,
  guideTitled: () => null,
  image: () => null,
  product: () => null,
  template: () => null,
  guidelist: () => null,
};
