import { must } from '#shared/must.ts';

import { ArchiveRefused } from './archive.ts';
import type { ReadLimits } from './limits.ts';
import type { ByteSource } from './source.ts';
import type { ZipMember } from './zip-directory.ts';
import { ZipReader } from './zip-reader.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The members of a package, or a lone document (its name is ''). */
export interface PackageFiles {
  readonly names: readonly string[];
  readonly has: (name: string) => boolean;
  /** The member with this name in any letter case; undefined when there is none, or more than one. */
  readonly inAnyCase: (name: string) => string | undefined;
  /** Its number in the package, from 1. */
  numberOf(name: string): number;
  size(name: string): number;
  pieces(name: string): AsyncIterable<Bytes>;
  head(name: string, length: number): Promise<Bytes>;
  bytes(name: string, most: number): Promise<Bytes>;
  /** Its entry in the directory, by which `memberFiles` reads it; null for a lone document. */
  entry(name: string): ZipMember | null;
}

/** Files that operating systems add to packages. */
const junk = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._[^/]*$)/i;

/** Opens a package, without the files that operating systems added. */
export async function packageFiles(source: ByteSource, limits: ReadLimits): Promise<PackageFiles> {
  const zip = await ZipReader.open(source, limits);
  const all = [...zip.members.keys()];
  const left = new Set(all.filter((name) => junk.test(name)));
  const has = (name: string): boolean => zip.members.has(name) && !left.has(name);
  const member = (name: string): ZipMember => {
    const found = has(name) ? zip.members.get(name) : undefined;
    if (found === undefined) throw new ArchiveRefused('missing', name, `The package has no ${name}.`);
    return found;
  };
  const names = left.size === 0 ? all : all.filter(has);
  return { names, has, inAnyCase: inAnyCase(names), ...contents(zip, member) };
}

/** The contents of these members, found by another reader, whose directory need not be in memory. */
export function memberFiles(source: ByteSource, members: readonly ZipMember[]): MemberContents {
  const zip = new ZipReader(source, members);
  return contents(zip, (name) => must(zip.members.get(name), name));
}

type MemberContents = Pick<PackageFiles, 'numberOf' | 'size' | 'pieces' | 'head' | 'bytes' | 'entry'>;

function contents(zip: ZipReader, member: (name: string) => ZipMember): MemberContents {
  return {
    numberOf: (name) => member(name).index + 1,
    size: (name) => member(name).size,
    pieces: (name) => zip.pieces(member(name)),
    head: (name, length) => zip.head(member(name), length),
    bytes: (name, most) => zip.bytes(member(name), most),
    entry: member,
  };
}

/** Makes a lookup of names that ignores letter case, like the file systems of Windows and macOS. */
function inAnyCase(names: readonly string[]): (name: string) => string | undefined {
  let known: Map<string, string | undefined> | undefined;
  return (name) => {
    if (known === undefined) {
      known = new Map();
      for (const one of names) {
        const key = one.toLowerCase();
        known.set(key, known.has(key) ? undefined : one);
      }
    }
    return known.get(name.toLowerCase());
  };
}

/** Opens a lone document. */
export function loneFile(source: ByteSource, limits: ReadLimits): PackageFiles {
  if (source.size > limits.documentBytes)
    throw new ArchiveRefused('too-large', '', `The document has more than ${limits.documentBytes} bytes.`);
  const read = (): Promise<Bytes> => source.read(0, source.size);
  return {
    names: [''],
    has: (name) => name === '',
    inAnyCase: () => undefined,
    numberOf: () => 1,
    size: () => source.size,
    pieces: async function* () {
      yield await read();
    },
    head: (_name, length) => source.read(0, Math.min(length, source.size)),
    bytes: read,
    entry: () => null,
  };
}
