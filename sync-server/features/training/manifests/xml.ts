import { readLimits } from '#shared/formats/omanual/limits.ts';
import { elementIn, readXml, textIn, type XmlElement } from '#shared/formats/omanual/xml-tree.ts';

import type { PackageFiles } from '../package.ts';

/** Limits of a manifest. */
const limits = { ...readLimits, documentBytes: 4 * 1024 ** 2, nodes: 100_000 };

/** Reads an XML file of a package. Throws ArchiveRefused with the file and the position. */
export function readManifest(files: PackageFiles, path: string): Promise<XmlElement> {
  return readXml(files.pieces(path), path, limits);
}

/** An attribute by its local name, ignoring prefix and case, which differ between vendors. '' if it is missing. */
export function attributeOf(element: XmlElement, name: string): string {
  const wanted = name.toLowerCase();
  for (const [key, value] of element.attributes)
    if ((key.split(':').at(-1) ?? '').toLowerCase() === wanted) return value.trim();
  return '';
}

/** The trimmed text of the descendant element at this path of names; '' if it is missing. */
export function textAt(element: XmlElement, ...names: string[]): string {
  const found = names.reduce<XmlElement | undefined>(
    (at, name) => (at === undefined ? undefined : elementIn(at, name)),
    element,
  );
  return found === undefined ? '' : textIn(found).replaceAll(/\s+/g, ' ').trim();
}

/** The number in a text; null if it is not a number. */
export function numberIn(text: string): number | null {
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}
