import type { PageFormat } from './parse-page.ts';

/** Maximum length of a page in characters; HTML contains its pictures. A longer one is refused. */
export const mostCharacters: Readonly<Record<PageFormat, number>> = {
  markdown: 2 * 1024 ** 2,
  html: 256 * 1024 ** 2,
};
/** Maximum number of elements and texts of a page. */
export const mostNodes = 500_000;
/** Maximum depth of its elements. */
export const mostDepth = 100;
/** Of a page, this many guides are read, and of a guide this many steps; the others are left out. */
export const mostGuides = 10_000;
export const mostSteps = 5000;
/** Number of pictures of a page that are read. */
export const mostPictures = 10_000;
/** The deepest level of a line; deeper lines get this one. */
export const mostLevel = 20;
