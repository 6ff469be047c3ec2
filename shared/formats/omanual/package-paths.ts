import type { PackageFiles } from './package-files.ts';

/** The meaning of a path in a document. */
export type PathMeaning =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'member'; readonly member: string; readonly isGuess: boolean }
  | { readonly kind: 'missing' }
  /** The path leads out of the package, or is an absolute path of some computer. */
  | { readonly kind: 'outside' };

const missing: PathMeaning = { kind: 'missing' };

/** The form of most paths: words separated by single dots and slashes. */
const plain = /^\w[\w-]*(?:[./]\w[\w-]*)*$/;

/**
 * Resolves a path, in the order of the format's reference: a web address; with a leading slash, from the root; relative
 * to the document; relative to the root; one of these in other letter case; its last segment in the media folder beside
 * the document. `root`: the folder that counts as the root, '' or ending with a slash.
 */
export function resolvePath(
  written: string,
  document: string,
  root: string,
  { has, inAnyCase }: Pick<PackageFiles, 'has' | 'inAnyCase'>,
): PathMeaning {
  const path = written.trim();
  if (path === '') return missing;
  if (/^https?:\/\/[^/]/i.test(path)) return { kind: 'url', url: path };
  if (/^\/\/[^/]/.test(path)) return { kind: 'url', url: `https:${path}` };
  if (path.includes('\\') || /^[a-z][a-z\d+.-]*:/i.test(path)) return { kind: 'outside' };
  const folder = document.slice(0, document.lastIndexOf('/') + 1);
  if (plain.test(path) && has(folder + path))
    return { kind: 'member', member: folder + path, isGuess: false };
  const places = path.startsWith('/') ? [root, ''] : [folder, root, ''];
  const inside = places.map((place) => within(place, path)).filter((one) => one !== null);
  if (inside.length === 0) return { kind: 'outside' };
  const found = inside.flatMap(spellings).find((name) => name !== '' && has(name));
  if (found !== undefined) return { kind: 'member', member: found, isGuess: false };
  const last = path.split('/').at(-1) ?? '';
  const beside = last === '' ? [] : [`${folder}media/${last}`];
  const guess = [...inside, ...beside]
    .flatMap(spellings)
    .map(inAnyCase)
    .find((name) => name !== undefined);
  return guess === undefined ? missing : { kind: 'member', member: guess, isGuess: true };
}

/** The path joined to its folder, without dots; null when it leaves the package. */
function within(folder: string, path: string): string | null {
  const segments: string[] = [];
  for (const segment of `${folder}${path}`.normalize('NFC').split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && segments.pop() === undefined) return null;
    if (segment !== '..') segments.push(segment);
  }
  return segments.join('/');
}

/** The path as written, and percent-decoded. */
function spellings(path: string): string[] {
  if (!path.includes('%')) return [path];
  try {
    const decoded = decodeURIComponent(path);
    return decoded.split('/').includes('..') ? [path] : [path, decoded];
  } catch (error) {
    if (error instanceof URIError) return [path];
    throw error;
  }
}
