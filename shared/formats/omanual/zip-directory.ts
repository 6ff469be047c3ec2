import { ArchiveRefused } from './archive.ts';
import { crc32 } from './crc32.ts';
import type { ReadLimits } from './limits.ts';
import type { ByteSource } from './source.ts';
import { decodeName, safeName } from './zip-names.ts';

/** A file in the package, as described by the central directory. */
export interface ZipMember {
  /** Its checked name in NFC. */
  readonly name: string;
  /** Length and checksum of the raw name, which the local header must repeat. */
  readonly nameLength: number;
  readonly nameSum: number;
  /** Its index in the directory, from 0. */
  readonly index: number;
  readonly flags: number;
  /** 0: stored; 8: deflated. */
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  /** Offset of its local header. */
  readonly offset: number;
  /**
   * Offset of the next member or of the directory, before which this member must end. Set when all members are known.
   */
  limit: number;
}

const endSize = 22;
const longestComment = 0xffff;
const chunkSize = 1024 * 1024;
const entrySize = 46;
const none32 = 0xffff_ffff;

/** Whether the bytes may be a package: it begins with a member, or is empty. */
export function looksLikeZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5);
}

/**
 * Reads the central directory (PKWARE APPNOTE 4.3.12 to 4.3.16, including zip64). Throws ArchiveRefused for names that
 * lead out of the package, links, encryption, duplicates, overlapping members, and exceeded limits.
 */
export async function readDirectory(source: ByteSource, limits: ReadLimits): Promise<ZipMember[]> {
  const end = await readEnd(source);
  if (end.count > limits.members) refuse('too-many-members', '', `The package has ${end.count} members.`);
  const members = await readEntries(source, end, limits);
  return withLimits(members, end.start);
}

interface Directory {
  count: number;
  start: number;
  size: number;
}

/** Finds and reads the end record, whose comment must extend exactly to the end of the file. */
async function readEnd(source: ByteSource): Promise<Directory> {
  const length = Math.min(source.size, endSize + longestComment);
  const tail = await source.read(source.size - length, length);
  const view = viewOf(tail);
  for (let at = length - endSize; at >= 0; at--) {
    if (view.getUint32(at, true) !== 0x0605_4b50) continue;
    if (at + endSize + view.getUint16(at + 20, true) !== length) continue;
    const position = source.size - length + at;
    if (view.getUint16(at + 4, true) !== 0 && view.getUint16(at + 4, true) !== 0xffff)
      refuse('zip-parts', '', 'The package is one of several parts.');
    const plain = {
      count: view.getUint16(at + 10, true),
      size: view.getUint32(at + 12, true),
      start: view.getUint32(at + 16, true),
    };
    const isLarge = plain.count === 0xffff || plain.size === none32 || plain.start === none32;
    const large = isLarge ? await readLargeEnd(source, position) : null;
    return checkedEnd(large ?? { ...plain, end: position });
  }
  return refuse('zip-damaged', '', 'The package has no directory; it is damaged or no ZIP file.');
}

function checkedEnd(found: Directory & { end: number }): Directory {
  if (found.start + found.size !== found.end || found.count * entrySize > found.size)
    refuse('zip-damaged', '', 'The directory of the package is not where it should be.');
  return found;
}

/** Reads the zip64 end record before the locator; null when there is none. */
async function readLargeEnd(
  source: ByteSource,
  position: number,
): Promise<(Directory & { end: number }) | null> {
  if (position < 20) return null;
  const locator = viewOf(await source.read(position - 20, 20));
  if (locator.getUint32(0, true) !== 0x0706_4b50) return null;
  const at = safeNumber(locator, 8);
  if (at + 56 > position - 20) refuse('zip-damaged', '', 'The directory of the package is damaged.');
  const record = viewOf(await source.read(at, 56));
  if (record.getUint32(0, true) !== 0x0606_4b50)
    refuse('zip-damaged', '', 'The directory of the package is damaged.');
  return {
    count: safeNumber(record, 32),
    size: safeNumber(record, 40),
    start: safeNumber(record, 48),
    end: at,
  };
}

async function readEntries(
  source: ByteSource,
  directory: Directory,
  limits: ReadLimits,
): Promise<ZipMember[]> {
  const members: ZipMember[] = [];
  const names = new Set<string>();
  const total = { size: 0, packedSize: 0 };
  let rest = new Uint8Array(0);
  let read = 0;
  for (let index = 0; index < directory.count; index++) {
    let length = entryLength(rest);
    while (length > rest.length) {
      const more = Math.min(Math.max(chunkSize, length - rest.length), directory.size - read);
      if (more === 0) refuse('zip-damaged', '', 'The directory of the package ends too early.');
      rest = joined(rest, await source.read(directory.start + read, more));
      read += more;
      length = entryLength(rest);
    }
    const member = readEntry(rest.subarray(0, length), index);
    rest = rest.subarray(length);
    if (names.has(member.name)) refuse('name-twice', member.name, `The package has ${member.name} twice.`);
    names.add(member.name);
    checkSizes(member, total, limits);
    members.push(member);
  }
  await refuseMore(source, directory, rest.length + directory.size - read);
  for (const { name } of members) refuseClash(name, names);
  return members;
}

/**
 * Refuses a directory that goes on after the stated number of members, which other readers would show too. Only a
 * signature may follow (APPNOTE 4.3.13).
 */
async function refuseMore(
  source: ByteSource,
  { start, size, count }: Directory,
  left: number,
): Promise<void> {
  if (left === 0) return;
  const next = left < 4 ? null : viewOf(await source.read(start + size - left, 4)).getUint32(0, true);
  if (next !== 0x0505_4b50)
    refuse('zip-disagree', '', `The directory of the package goes on after the stated ${count} members.`);
}

/** Refuses a file whose name is also the folder of another file. */
function refuseClash(name: string, names: ReadonlySet<string>): void {
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const folder = name.slice(0, at);
    if (names.has(folder)) refuse('name-twice', folder, `${folder} is a file and a folder in the package.`);
  }
}

/** The length of the entry at the beginning, or of its fixed part if the rest is not read yet. */
function entryLength(bytes: Uint8Array): number {
  if (bytes.length < entrySize) return entrySize;
  const view = viewOf(bytes);
  return entrySize + view.getUint16(28, true) + view.getUint16(30, true) + view.getUint16(32, true);
}

function readEntry(bytes: Uint8Array, index: number): ZipMember {
  const view = viewOf(bytes);
  if (view.getUint32(0, true) !== 0x0201_4b50) refuse('zip-damaged', '', 'The directory is damaged.');
  const flags = view.getUint16(8, true);
  const nameEnd = entrySize + view.getUint16(28, true);
  const rawName = bytes.subarray(entrySize, nameEnd);
  const name = safeName(decodeName(rawName, (flags & 0x800) !== 0));
  const extra = bytes.subarray(nameEnd, nameEnd + view.getUint16(30, true));
  const method = view.getUint16(10, true);
  if (name === '') refuse('name-empty', '', 'A member of the package has no name.');
  if ((flags & 0x2041) !== 0) refuse('encrypted', name, `${name} is encrypted.`);
  if (method !== 0 && method !== 8) refuse('zip-method', name, `${name} is packed in an unknown way.`);
  checkKind(name, view.getUint32(38, true) >>> 16);
  const sizes = largeSizes(extra, {
    size: view.getUint32(24, true),
    packedSize: view.getUint32(20, true),
    offset: view.getUint32(42, true),
  });
  if (method === 0 && sizes.size !== sizes.packedSize)
    refuse('zip-disagree', name, `${name} is stored with two different sizes.`);
  if (name.endsWith('/') && sizes.size > 0) refuse('zip-disagree', name, `The folder ${name} has content.`);
  return {
    name,
    nameLength: rawName.length,
    nameSum: crc32(rawName),
    index,
    flags,
    method,
    crc: view.getUint32(16, true),
    ...sizes,
    limit: 0,
  };
}

/** Checks the UNIX file type: a plain file, a folder, or unspecified. */
function checkKind(name: string, mode: number): void {
  const kind = mode & 0xf000;
  if (kind === 0xa000) refuse('link', name, `${name} is a link.`);
  if (kind !== 0 && kind !== 0x8000 && kind !== 0x4000) refuse('link', name, `${name} is no ordinary file.`);
}

interface Sizes {
  size: number;
  packedSize: number;
  offset: number;
}

/** Reads sizes and offset from the zip64 extra field, in its order, where the plain fields refer to it. */
function largeSizes(extra: Uint8Array, plain: Sizes): Sizes {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length;) {
    const id = view.getUint16(at, true);
    const end = at + 4 + view.getUint16(at + 2, true);
    if (end > extra.length) break;
    if (id === 1) {
      let next = at + 4;
      const large = (value: number): number => {
        if (value !== none32) return value;
        if (next + 8 > end) refuse('zip-damaged', '', 'The directory of the package is damaged.');
        next += 8;
        return safeNumber(view, next - 8);
      };
      return { size: large(plain.size), packedSize: large(plain.packedSize), offset: large(plain.offset) };
    }
    at = end;
  }
  return plain;
}

/** Members up to this size in bytes may expand by any ratio: small texts of one letter legitimately do. */
const honestSize = 1024 * 1024;

function checkSizes(
  member: ZipMember,
  total: { size: number; packedSize: number },
  limits: ReadLimits,
): void {
  const { name, size, packedSize } = member;
  if (size > honestSize && size > packedSize * limits.ratio)
    refuse('bomb', name, `${name} would expand to ${size} bytes from ${packedSize}.`);
  total.size += size;
  total.packedSize += packedSize;
  if (total.size > limits.totalBytes) refuse('bomb', name, 'The package would expand to too many bytes.');
  if (total.size > 16 * honestSize && total.size > total.packedSize * limits.ratio)
    refuse('bomb', name, 'The package would expand to far more bytes than it has.');
}

/** Sets the limit of each member; throws when two overlap. Folders are left out. */
function withLimits(members: ZipMember[], directoryStart: number): ZipMember[] {
  let limit = directoryStart;
  for (const member of members.toSorted((a, b) => b.offset - a.offset)) {
    if (member.offset + 30 + member.nameLength + member.packedSize > limit)
      refuse('overlap', member.name, `${member.name} overlaps with something else in the package.`);
    member.limit = limit;
    limit = member.offset;
  }
  return members.filter((member) => !member.name.endsWith('/'));
}

function safeNumber(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) refuse('zip-damaged', '', 'A size in the package is absurd.');
  return Number(value);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

function refuse(code: string, member: string, message: string): never {
  throw new ArchiveRefused(code, member, message);
}
