import { basename, dirname, join } from 'node:path';

import type { UpdateArtefact } from '#shared/model/desktop-update.ts';

const kinds = [
  { ending: '.tar.gz', platform: 'linux', kind: 'folder' },
  { ending: '.deb', platform: 'linux', kind: 'deb' },
  { ending: '.AppImage', platform: 'linux', kind: 'appimage' },
  { ending: '.exe', platform: 'win32', kind: 'nsis' },
  { ending: '.dmg', platform: 'darwin', kind: 'dmg' },
] as const;

/** What the name of a package says. */
export type NamedPackage = Pick<UpdateArtefact, 'platform' | 'arch' | 'kind' | 'file'> & {
  /** Name of the file that was found. */
  from: string;
  version: string;
  /** The Electron in it, if it is not that of package.json. */
  otherElectron: string | null;
};

/** What the name of a package says; nothing for other files. */
export function packageNamed(from: string): NamedPackage[] {
  const known = kinds.find(({ ending }) => from.endsWith(ending));
  const [, version] = /^benchbook[a-z -]*[-_ ](\d+\.\d+\.\d+)(?=[-_.])/i.exec(from) ?? [];
  if (known === undefined || version === undefined) return [];
  const { platform, kind } = known;
  const arch = /arm64|aarch64/.test(from) ? 'arm64' : 'x64';
  const otherElectron = /\.electron-(\d+\.\d+\.\d+[\w.-]*?)\.(?:tar\.gz|[a-z]+)$/i.exec(from)?.[1] ?? null;
  return [{ platform, arch, kind, file: from.replaceAll(' ', '-'), from, version, otherElectron }];
}

/**
 * The path of a package with an Electron that is not that of package.json: its name says so, so that nobody signs it by
 * mistake. Other files keep their names.
 */
export function pathWithElectron(path: string, electron: string): string {
  const name = basename(path);
  const ending = kinds.find((one) => name.endsWith(one.ending))?.ending;
  return ending === undefined
    ? path
    : join(dirname(path), `${name.slice(0, -ending.length)}.electron-${electron}${ending}`);
}
