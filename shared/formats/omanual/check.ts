import { ArchiveRefused } from './archive.ts';
import { checkContent, everyElement, type CheckRank } from './check-content.ts';
import { checkStructure } from './check-structure.ts';
import { attributeText } from './field-text.ts';
import { readLimits, type ReadLimits } from './limits.ts';
import { claimedType, pictureSize, recognisedType } from './media-kinds.ts';
import { resolvePath } from './package-paths.ts';
import type { PackageFiles } from './package-files.ts';
import { archiveOf, openFiles } from './read.ts';
import { documentKinds, topFolder } from './read-documents.ts';
import { requireClaimed } from './read-media.ts';
import { versionOf } from './read-index.ts';
import { roundTripFolder } from './round-trip.ts';
import type { ByteSource } from './source.ts';
import { falseEncoding } from './xml-decoding.ts';
import { elementIn, elementsIn, placeOf, readXml, textIn, type XmlElement } from './xml-tree.ts';

/** A problem found by a check. */
export interface CheckLine {
  rank: CheckRank;
  /** Stable code in kebab-case; README.md lists all codes. */
  code: string;
  /** The member that it is about; '' for the package or a lone document. */
  member: string;
  /** The path of elements from the root, with line and column; '' for the member as a whole. */
  place: string;
  message: string;
}

/**
 * Checks a package or a lone document against version 1.0: what its schemas require, and what they leave open. An older
 * version is read as an import would read it; what had to be interpreted is a warning. Never throws because of the
 * content of the file.
 */
export async function checkArchive(
  source: ByteSource,
  filename: string,
  limits: ReadLimits = readLimits,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  try {
    const files = await openFiles(source, filename, limits);
    await new Checker(files, limits, lines).check();
    if (!lines.some(({ rank }) => rank === 'error')) await readAll(files, filename, limits, lines);
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error;
    const { code, member, message } = error;
    lines.push({ rank: 'error', code, member, place: '', message });
  }
  return lines;
}

/** Reads everything as an import would; for older versions, reports what was interpreted. */
async function readAll(
  files: PackageFiles,
  filename: string,
  limits: ReadLimits,
  lines: CheckLine[],
): Promise<void> {
  const archive = await archiveOf(files, filename, limits);
  for (const { member } of archive.entries) await archive.guide(member);
  const own = archive.findings.filter(({ code }) => code === 'round-trip');
  const reported = archive.version === '1.0' ? own : archive.findings;
  for (const { code, member, place, message: found } of reported)
    lines.push({ rank: 'warning', code, member, place, message: found });
  if (archive.version === '1.0') return;
  const message = `The archive is of version ${archive.version}; only version 1.0 is checked in full.`;
  lines.push({ rank: 'warning', code: 'version', member: '', place: '', message });
}

/** Elements and attributes that contain a path. */
const pathTexts = new Set(['image', 'path', 'encoding', 'poster']);
const pathAttributes: ReadonlyMap<string, readonly string[]> = new Map([
  ['image', ['large', 'medium', 'standard', 'thumbnail', 'mini']],
  ['poster', ['large', 'medium', 'standard', 'thumbnail', 'mini']],
  ['tool', ['thumbnail']],
  ['part', ['thumbnail']],
  ['flag', ['image']],
  ['document', ['url']],
]);
/** Names that Windows does not allow: device names, special characters, dots and blanks at the end. */
const notOnWindows = /[<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Maximum length of a name on common file systems, in bytes of UTF-8. */
const longestOnDisk = 255;
const utf8 = new TextEncoder();
/** Marks, embeddings, overrides and isolates of the direction of writing (Unicode, UAX 9). */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
/** Maximum width and height of each picture size (reference, section 3). */
const boxes: Readonly<Record<string, readonly [number, number]>> = {
  mini: [56, 42],
  thumbnail: [96, 72],
  standard: [300, 225],
  medium: [592, 444],
  large: [800, 600],
};

class Checker {
  readonly #files: PackageFiles;
  readonly #limits: ReadLimits;
  readonly #lines: CheckLine[];
  readonly #root: string;
  readonly #listed = new Set<string>();
  readonly #looked = new Set<string>();
  /** Whether there is an index of version 1.0; other indexes are checked when they are read. */
  #hasIndex = false;

  constructor(files: PackageFiles, limits: ReadLimits, lines: CheckLine[]) {
    this.#files = files;
    this.#limits = limits;
    this.#lines = lines;
    this.#root = topFolder(files.names);
  }

  async check(): Promise<void> {
    const kinds = await documentKinds(this.#files, this.#root);
    if (kinds.indexes.length + kinds.guides.length + kinds.subjects.length === 0) {
      if (kinds.others.includes('')) await this.#read('');
      throw new ArchiveRefused('no-omanual', '', 'There is neither an index nor a guide in it.');
    }
    const [index, ...more] = kinds.indexes;
    if (index !== undefined)
      await this.#document(index, more.length === 0 ? this.#limits.indexNodes : undefined);
    for (const member of [...more, ...kinds.guides]) await this.#document(member);
    for (const member of kinds.guides) {
      if (this.#hasIndex && !this.#listed.has(member))
        this.#add('warning', 'guide-unlisted', member, '', `No index lists ${member}.`);
    }
    for (const name of this.#files.names) {
      this.#name(name);
      await this.#content(name);
    }
  }

  /** Reports names that cannot be unpacked on every system: file systems of Windows and macOS ignore letter case. */
  #name(name: string): void {
    if (this.#files.inAnyCase(name) === undefined && name !== '')
      this.#add('warning', 'name-case', name, '', 'Another member has this name in other letter case.');
    if (name.split('/').some((part) => notOnWindows.test(part)))
      this.#add('warning', 'name-windows', name, '', 'Windows cannot have a file of this name.');
    if (name.split('/').some((part) => utf8.encode(part).length > longestOnDisk))
      this.#add(
        'error',
        'name-too-long',
        name,
        '',
        `No file or folder can have a name of more than ${longestOnDisk} bytes.`,
      );
    if (turning.test(name))
      this.#add(
        'warning',
        'name-bidi',
        name,
        '',
        'Characters that turn the direction of writing make the name look like another.',
      );
  }

  /** Reads a member to its end to check its checksum and its type. */
  async #content(name: string): Promise<void> {
    if (name === '' || name.endsWith('.xml')) return;
    if (!name.startsWith(roundTripFolder)) requireClaimed(name, await this.#files.head(name, 64), null);
    for await (const piece of this.#files.pieces(name)) if (piece.length === 0) return;
  }

  #read(member: string, nodes = this.#limits.nodes): Promise<XmlElement> {
    return readXml(this.#files.pieces(member), member, { ...this.#limits, nodes });
  }

  async #document(member: string, nodes?: number): Promise<void> {
    const root = await this.#read(member, nodes);
    const declared = falseEncoding(await this.#files.head(member, 400), member);
    if (declared !== null)
      this.#add(
        'error',
        'xml-encoding',
        member,
        '',
        `The document declares ${declared}, but is written in another encoding.`,
      );
    if (versionOf(root) !== '1.0') return;
    checkStructure(root, (code, element, message) => this.#add('error', code, member, element, message));
    checkContent(root, (rank, code, element, message) => this.#add(rank, code, member, element, message));
    await this.#paths(root, member);
    if (root.name === 'category') this.#index(root, member);
  }

  async #paths(root: XmlElement, member: string): Promise<void> {
    for (const element of everyElement(root)) {
      const isGuide = element.name === 'path';
      const text = pathTexts.has(element.name) ? textIn(element).trim() : '';
      if (text !== '') await this.#path(text, element, member, null);
      if (isGuide && text === '') this.#add('error', 'path-missing', member, element, 'The path is empty.');
      if (element.name === 'document' && !element.attributes.has('url'))
        await this.#path(textIn(element).trim(), element, member, null);
      for (const name of pathAttributes.get(element.name) ?? []) {
        const path = attributeText(element, name);
        if (path !== '') await this.#path(path, element, member, name);
      }
    }
  }

  async #path(path: string, element: XmlElement, member: string, size: string | null): Promise<void> {
    const meaning = resolvePath(path, member, this.#root, this.#files);
    const shown = JSON.stringify(path.slice(0, 200));
    if (meaning.kind === 'url') return;
    if (meaning.kind === 'outside')
      return this.#add(
        'error',
        'path-outside',
        member,
        element,
        `The path ${shown} leads out of the package.`,
      );
    const isLone = member === '';
    if (meaning.kind === 'missing' || meaning.isGuess) {
      const rank = isLone ? 'warning' : 'error';
      const said =
        meaning.kind === 'missing'
          ? `${shown} is not in the package.`
          : `${shown} is not in the package; ${meaning.member} may be meant.`;
      return this.#add(rank, 'path-missing', member, element, said);
    }
    if (path.startsWith('/'))
      this.#add(
        'warning',
        'path-from-root',
        member,
        element,
        `${shown} counts from the root; some readers cannot follow.`,
      );
    await this.#picture(meaning.member, element, member, size);
  }

  /** Checks that a picture fits the box of its size. */
  async #picture(name: string, element: XmlElement, member: string, size: string | null): Promise<void> {
    const box = size === null ? undefined : boxes[size];
    if (box === undefined || claimedType(name)?.kind !== 'image' || this.#looked.has(`${size} ${name}`))
      return;
    this.#looked.add(`${size} ${name}`);
    const head = await this.#files.head(name, 64 * 1024);
    const found = recognisedType(head) === null ? null : pictureSize(head);
    if (found === null || (found.width <= box[0] && found.height <= box[1])) return;
    const message = `${name} is ${found.width} × ${found.height}; ${size} is at most ${box.join(' × ')}.`;
    this.#add('warning', 'picture-box', member, element, message);
  }

  /** Checks that each guide is listed once and has its own id. */
  #index(root: XmlElement, member: string): void {
    this.#hasIndex = true;
    const list = elementIn(root, 'guides');
    const ids = new Set<string>();
    for (const guide of list === undefined ? [] : elementsIn(list, 'guide')) {
      const id = attributeText(guide, 'id');
      if (id !== '' && ids.has(id))
        this.#add('error', 'guide-id-twice', member, guide, `Two guides have the id ${id}.`);
      ids.add(id);
      const path = elementIn(guide, 'path');
      const meaning = path === undefined ? null : resolvePath(textIn(path), member, this.#root, this.#files);
      if (meaning?.kind !== 'member') continue;
      if (this.#listed.has(meaning.member))
        this.#add('error', 'guide-twice', member, guide, `${meaning.member} is listed twice.`);
      this.#listed.add(meaning.member);
    }
  }

  #add(rank: CheckRank, code: string, member: string, place: XmlElement | string, message: string): void {
    const where = typeof place === 'string' ? place : placeOf(place);
    if (this.#lines.length < this.#limits.findings)
      this.#lines.push({ rank, code, member, place: where, message });
  }
}

/** A check line as one line of text for people: `error guide.xml guide/steps (3:5): …`. */
export function checkLineText({ rank, code, member, place, message }: CheckLine): string {
  const where = [member, place].filter(Boolean).join(' ');
  return `${rank} ${code}${where === '' ? '' : ` in ${where}`}: ${message}`;
}
