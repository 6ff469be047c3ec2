import { pictureSize, recognisedType } from '#shared/formats/omanual/media-kinds.ts';
import type { DocumentReport } from '#shared/formats/omanual/findings.ts';
import { elementsIn, type XmlElement } from '#shared/formats/omanual/xml-tree.ts';

import { mostPictures } from './page-limits.ts';

/** Reads a file beside the page by its path; null if there is none. */
export type PageFiles = (path: string) => Promise<Blob | null>;

const mimes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** The pictures of a page by their addresses. */
export class PagePictures {
  readonly #known = new Map<string, Blob>();

  /** Reads all pictures of the page. Those that cannot be used are reported and stay away. */
  static async read(root: XmlElement, files: PageFiles, report: DocumentReport): Promise<PagePictures> {
    const pictures = new PagePictures();
    const seen = new Set<string>();
    for (const image of imagesIn(root)) {
      const src = sourceOf(image);
      if (seen.has(src)) continue;
      if (seen.size === mostPictures) {
        const message = `Only the first ${mostPictures} pictures of the page are read.`;
        report.add('dropped', 'more-pictures', image, message);
        break;
      }
      seen.add(src);
      const blob = await pictures.#read(src, image, files, report);
      if (blob !== null) pictures.#known.set(src, blob);
    }
    return pictures;
  }

  /** The picture that an `img` shows; null if it could not be read. */
  of(src: string): Blob | null {
    return this.#known.get(src.trim()) ?? null;
  }

  async #read(
    src: string,
    image: XmlElement,
    files: PageFiles,
    report: DocumentReport,
  ): Promise<Blob | null> {
    const shown = src.slice(0, 100);
    if (/^(?:https?:)?\/\//i.test(src)) {
      report.add('dropped', 'picture-linked', image, `The picture ${shown} is on the web and is left out.`);
      return null;
    }
    const blob = /^data:/i.test(src) ? dataOf(src) : await files(pathOf(src));
    if (blob === null) {
      report.add('unresolved', 'file-missing', image, `The picture ${shown} is not beside the page.`);
      return null;
    }
    const head = new Uint8Array(await blob.slice(0, 64 * 1024).arrayBuffer());
    const mime = recognisedType(head)?.mime ?? '';
    if (mimes.includes(mime) && pictureSize(head) !== null) return blob;
    report.add('dropped', 'picture-kind', image, `${shown} is no JPEG, PNG, GIF or WebP picture.`);
    return null;
  }
}

/** The address of an `img`. */
export function sourceOf(image: XmlElement): string {
  return (image.attributes.get('src') ?? '').trim();
}

/** All `img` elements in order. */
export function imagesIn(element: XmlElement): XmlElement[] {
  return elementsIn(element).flatMap((child) => (child.name === 'img' ? [child] : imagesIn(child)));
}

function pathOf(src: string): string {
  const path = src.replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function dataOf(src: string): Blob | null {
  const found = /^data:[^,;]{0,100}(?:;[^,;]{0,100})*;base64,/i.exec(src);
  if (found === null) return null;
  try {
    const text = atob(src.slice(found[0].length));
    return new Blob([Uint8Array.from(text, (sign) => sign.charCodeAt(0))]);
  } catch {
    return null;
  }
}
