import { ArchiveRefused } from './archive.ts';
import type { PackageFiles } from './package-files.ts';
import { roundTripFolder } from './round-trip.ts';
import { xmlDecoder } from './xml-decoding.ts';

/** The XML documents of a package by kind, recognised by their names or first elements. */
export interface DocumentKinds {
  /** Categories (1.0) and manifests (0.2 to 0.4), the one at the root first. */
  indexes: string[];
  /** Topics and devices of the older versions. */
  subjects: string[];
  /** Guides and procedures. */
  guides: string[];
  /** Other XML documents. */
  others: string[];
}

const namesOfIndexes = new Set(['category.xml', 'manifest.xml']);
const namesOfGuides = new Set(['guide.xml', 'procedure.xml']);

/** Sorts the XML documents of a package by kind, without media folders. */
export async function documentKinds(files: PackageFiles, root: string): Promise<DocumentKinds> {
  const kinds: DocumentKinds = { indexes: [], subjects: [], guides: [], others: [] };
  for (const name of files.names) {
    const inner = name.slice(root.length);
    const isOther = /(?:^|\/)media\//i.test(inner) || name.startsWith(roundTripFolder);
    if (name !== '' && (!/\.xml$/i.test(name) || isOther)) continue;
    const base = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
    if (namesOfIndexes.has(base)) kinds.indexes.push(name);
    else if (namesOfGuides.has(base)) kinds.guides.push(name);
    else kinds[kindOfElement(await firstElement(files, name))].push(name);
  }
  const depth = (name: string): number => name.split('/').length;
  kinds.indexes.sort((a, b) => depth(a) - depth(b) || compare(a, b));
  kinds.guides.sort((a, b) => depth(a) - depth(b) || compare(a, b));
  return kinds;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function kindOfElement(name: string): keyof DocumentKinds {
  if (name === 'category' || name === 'manifest') return 'indexes';
  if (name === 'topic' || name === 'device') return 'subjects';
  return name === 'guide' || name === 'procedure' ? 'guides' : 'others';
}

/** The local name of the first element; '' when the first bytes do not show it. */
async function firstElement(files: PackageFiles, name: string): Promise<string> {
  const head = await files.head(name, 4096);
  try {
    const text = xmlDecoder(head, name).decode(head, { stream: true });
    const found = /^(?:\s|<\?[^]*?\?>|<!--[^]*?-->)*<(?:[\w.-]+:)?([\w.-]+)/.exec(text)?.[1];
    return found ?? '';
  } catch (error) {
    if (error instanceof TypeError || error instanceof ArchiveRefused) return '';
    throw error;
  }
}

/** The single folder that contains everything, with its slash; '' when there is none. */
export function topFolder(names: readonly string[]): string {
  const [first = ''] = names;
  const folder = first.slice(0, first.indexOf('/') + 1);
  return folder !== '' && names.every((name) => name.startsWith(folder)) ? folder : '';
}
