import type { MediaBytes, MediaRef, SiteOfOrigin } from '#shared/formats/omanual/content.ts';

import type { PageWords } from './words.ts';

/** What a page needs from its site. */
export interface PageSite extends SiteOfOrigin {
  /** Name of the site. */
  title: string;
  /** The words around the content, in the language of the reader (`englishWords`). */
  words: PageWords;
  /** When the page is made, in UNIX seconds. */
  printed: number;
  /** Inter as WOFF2 to put inside; absent: the reader's own font. */
  font?: Uint8Array<ArrayBuffer>;
  /** The bytes of a picture, in the size that is wanted on paper; null: not at hand. */
  media(ref: MediaRef): Promise<MediaBytes | null>;
}
