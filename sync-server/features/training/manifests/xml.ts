import { readLimits } from '#shared/formats/omanual/limits.ts';
import { elementIn, readXml, textIn, type XmlElement } from '#shared/formats/omanual/xml-tree.ts';

import type { PackageFiles } from '../package.ts';

/** Manifests are short; more than this is none. */
const limits = { ...readLimits, documentBytes: 4 * 1024 ** 2, nodes: 100_000 };

/** Reads an XML file of a package. Throws ArchiveRefused with the file and the place. */
export function readManifest(files: PackageFiles, path: string): Promise<XmlElement> {
  return readXml(files.pieces(path), path, limits);
}

/** An attribute by its local name, whatever its prefix and case: vendors spell both as they like. '' when missing. */
export function attributeOf(element: XmlElement, name: string): string {
  const wanted = name.toLowerCase();
  for (const [key, value] of element.attributes)
    if ((key.split(':').at(-1) ?? '').toLowerCase() === wanted) return value.trim();
  return '';
}

/** The text of the element found by going down these names, without space around it; '' when missing. */
export function textAt(element: XmlElement, ...names: string[]): string {
  const found = names.reduce<XmlElement | undefined>(
    (at, name) => (at === undefined ? undefined : elementIn(at, name)),
    element,
  );
  return found === undefined ? '' : textIn(found).replaceAll(/\s+/g, ' ').trim();
}

/** A number written in a manifest; null when there is none. */
export function numberIn(text: string): number | null {
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}
