import { groupedBy } from '#shared/grouped-by.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';

import {
  ArchiveRefused,
  type Archive,
  type ArchivedCategory,
  type ArchivedGuide,
  type ArchiveEntry,
  type ArchiveVersion,
  type Finding,
} from './archive.ts';
import { isReachable } from '#shared/rules/urls.ts';
import { siteOf } from './addresses.ts';
import { childText } from './field-text.ts';
import { signaturesText } from './guide-document.ts';
import { readLimits, type ReadLimits } from './limits.ts';
import { loneFile, packageFiles, type PackageFiles } from './package-files.ts';
import { readCategory } from './read-category.ts';
import { documentKinds, kindOfElement, topFolder, type DocumentKinds } from './read-documents.ts';
import { readEntries, type IndexDocument, type ListedEntry } from './read-entries.ts';
import { readGuide } from './read-guide.ts';
import { producerOf, siteIn, subjectPaths, versionOf } from './read-index.ts';
import { mediaBytes, mediaStream } from './read-bytes.ts';
import { DocumentMedia, type PackageAround } from './read-media.ts';
import {
  believedMedia,
  readRoundTripGuide,
  readRoundTripPackage,
  safeGuideFacts,
  safeWikiFacts,
  type FoundPackage,
} from './read-round-trip.ts';
import { Report } from './findings.ts';
import type { RoundTripCategory } from './round-trip.ts';
import type { ByteSource } from './source.ts';
import { readXml, type XmlElement } from './xml-tree.ts';
import { looksLikeZip } from './zip-directory.ts';

/**
 * Opens a package or a lone document of any version, recognised by its content. Reads the index and the categories;
 * guides and media are read on request. Throws ArchiveRefused when it is dangerous, damaged or not oManual.
 */
export async function openArchive(
  source: ByteSource,
  filename: string,
  limits: ReadLimits = readLimits,
): Promise<Archive> {
  return archiveOf(await openFiles(source, filename, limits), filename, limits);
}

/** The same for an opened package. */
export async function archiveOf(files: PackageFiles, filename: string, limits: ReadLimits): Promise<Archive> {
  const archive = new OpenArchive(files, limits);
  await archive.open(filename);
  return archive;
}

/** Opens a package or a lone document, recognised by its content. */
export async function openFiles(
  source: ByteSource,
  filename: string,
  limits: ReadLimits,
): Promise<PackageFiles> {
  const head = await source.read(0, Math.min(64, source.size));
  if (looksLikeZip(head)) return packageFiles(source, limits);
  const start = String.fromCharCode(...head).replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '');
  if (/^[\s\0]*</.test(start)) return loneFile(source, limits);
  throw new ArchiveRefused('no-omanual', '', `${filename} is neither a ZIP package nor an XML document.`);
}

class OpenArchive implements Archive {
  version: ArchiveVersion = '1.0';
  producer: Archive['producer'] = 'unknown';
  base = '';
  title = '';
  entries: ListedEntry[] = [];
  categories: ArchivedCategory[] = [];
  readonly #files: PackageFiles;
  readonly #limits: ReadLimits;
  readonly #report: Report;
  readonly #around: PackageAround;
  #roundTrip: FoundPackage | null = null;
  #byMember = new Map<string, ListedEntry>();
  #byUrl = new Map<string, ListedEntry>();
  #numbers: ReadonlySet<number> = new Set();

  constructor(files: PackageFiles, limits: ReadLimits) {
    this.#files = files;
    this.#limits = limits;
    this.#report = new Report(limits.findings);
    this.#around = { files, root: topFolder(files.names), linked: new Map() };
  }

  get findings(): readonly Finding[] {
    return this.#report.findings;
  }

  async open(filename: string): Promise<void> {
    const kinds = await documentKinds(this.#files, this.#around.root);
    if (kinds.indexes.length + kinds.subjects.length + kinds.guides.length === 0)
      await this.#refuseStranger(kinds, filename);
    for (const name of kinds.others)
      this.#report.add('dropped', 'document-unknown', name, '', `${name} is no document of oManual.`);
    this.#roundTrip = await readRoundTripPackage(this.#files, this.#limits, this.#report);
    const indexes: IndexDocument[] = [];
    for (const member of kinds.indexes) indexes.push({ member, root: await this.#readIndex(member, kinds) });
    const [index, ...more] = indexes;
    if (index !== undefined && more.length === 0)
      this.title = childText(index.root, 'title', this.#report.of(index.member));
    await this.#openEntries(indexes, kinds);
    await this.#openOrigin(indexes, kinds.subjects);
    await this.#openAllCategories(indexes, kinds.subjects);
    if (this.#around.root !== '' && kinds.indexes.some((name) => name.startsWith(this.#around.root)))
      this.#report.add('repaired', 'top-folder', '', '', `Everything is in the folder ${this.#around.root}`);
  }

  async guide(member: string): Promise<ArchivedGuide> {
    const entry = this.#byMember.get(member);
    if (entry === undefined)
      throw new ArchiveRefused('missing', member, `The archive has no guide ${member}.`);
    return (await this.#believedGuide(entry)) ?? this.#documentGuide(entry);
  }

  media(member: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    return mediaStream(this.#files, member);
  }

  bytes(member: string, most: number): Promise<Uint8Array<ArrayBuffer>> {
    return mediaBytes(this.#files, member, most);
  }

  #read(member: string): Promise<XmlElement> {
    return readXml(this.#files.pieces(member), member, this.#limits);
  }

  #readIndex(member: string, { indexes }: DocumentKinds): Promise<XmlElement> {
    const nodes = indexes.length === 1 ? this.#limits.indexNodes : this.#limits.nodes;
    return readXml(this.#files.pieces(member), member, { ...this.#limits, nodes });
  }

  /**
   * Refuses a package without known documents. A lone document is parsed first, so that a dangerous one is refused as
   * such.
   */
  async #refuseStranger({ others }: DocumentKinds, filename: string): Promise<never> {
    if (others.includes('')) {
      const { name } = await this.#read('');
      throw new ArchiveRefused(
        'no-omanual',
        '',
        `${filename} is XML, but ${name} is no document of oManual.`,
      );
    }
    throw new ArchiveRefused('no-omanual', '', `${filename} has neither an index nor a guide in it.`);
  }

  async #openEntries(indexes: IndexDocument[], kinds: DocumentKinds): Promise<void> {
    this.entries = await readEntries(indexes, kinds.guides, {
      around: this.#around,
      report: this.#report,
      roundTrip: this.#roundTrip?.found ?? null,
      read: (member) => this.#read(member),
    });
    this.#byMember = new Map(this.entries.map((entry) => [entry.member, entry]));
    this.#numbers = new Set(this.entries.map(({ guideid }) => guideid));
    this.#byUrl = new Map(this.entries.filter(({ url }) => url !== '').map((entry) => [entry.url, entry]));
  }

  /** Finds version, producer and base address in the index, or else in the first guide or subject. */
  async #openOrigin(indexes: IndexDocument[], subjects: readonly string[]): Promise<void> {
    const first = indexes[0]?.root;
    const [entry] = this.entries;
    const known = first === undefined ? 'unknown' : producerOf(first);
    const guide = known === 'unknown' && entry !== undefined ? await this.#read(entry.member) : undefined;
    const [subject] = first === undefined && entry === undefined ? subjects : [];
    const root = first ?? guide ?? (subject === undefined ? undefined : await this.#read(subject));
    if (root !== undefined) this.version = versionOf(root);
    if (this.#roundTrip !== null) {
      this.producer = 'benchbook';
      const { base } = this.#roundTrip.found;
      this.base = siteOf(base) === '' ? '' : base;
      return;
    }
    this.producer = known === 'unknown' && guide !== undefined ? producerOf(guide) : known;
    if (this.producer === 'dita') return;
    const sites = this.entries.map((one) => siteOf(one.url)).filter((site) => site !== '');
    this.base = sites[0] ?? (root === undefined ? '' : siteIn(root));
  }

  /**
   * Reads the categories from the round-trip member. If the index was changed since, its own category is read from the
   * index; the others have no document of their own.
   */
  async #openAllCategories(indexes: IndexDocument[], subjects: string[]): Promise<void> {
    if (this.#roundTrip === null) {
      await this.#openCategories(indexes, subjects);
      return;
    }
    const { found, fitsIndex } = this.#roundTrip;
    const { member, category } = found.index;
    const changed = fitsIndex ? undefined : found.categories.find(({ facts }) => facts.title === category);
    const index = changed && indexes.find((one) => one.member === member);
    if (changed !== undefined && index !== undefined)
      await this.#addCategory(member, index.root, changed.facts.wikiid);
    await this.#openBelieved(
      found.categories.filter((one) => one !== changed),
      member,
    );
  }

  async #openCategories(indexes: IndexDocument[], subjects: string[]): Promise<void> {
    const documents = indexes.filter(({ root }) => root.name === 'category');
    const named = new Set<string>();
    for (const { member, root } of indexes) {
      const report = this.#report.of(member);
      const media = new DocumentMedia(this.#around, report);
      for (const { element, path } of subjectPaths(root, report)) {
        const meaning = media.resolve(path);
        if (meaning.kind === 'member') named.add(meaning.member);
        else report.add('unresolved', 'file-missing', element, `The document ${path} is not in the package.`);
      }
    }
    for (const member of new Set([...named, ...subjects])) {
      const root = await this.#read(member);
      if (kindOfElement(root.name) === 'subjects') documents.push({ member, root });
    }
    for (const { member, root } of documents) await this.#addCategory(member, root);
  }

  async #addCategory(member: string, root: XmlElement, wikiid = this.categories.length + 1): Promise<void> {
    const report = this.#report.of(member);
    const category = await readCategory(root, {
      wikiid,
      report,
      media: new DocumentMedia(this.#around, report),
      link: (path) => this.#link(path),
    });
    if (category !== null) this.categories.push(category);
  }

  async #openBelieved(categories: readonly RoundTripCategory[], member: string): Promise<void> {
    const report = this.#report.of(member);
    const children = groupedBy(categories, ({ facts }) => facts.parent ?? '');
    for (const { facts, media } of categories) {
      const safe: WikiFacts = safeWikiFacts(facts);
      this.categories.push({
        member,
        facts: safe,
        children: (children.get(facts.title) ?? []).map((one) => one.facts.title),
        media: await believedMedia(media, this.#files, report),
      });
    }
  }

  async #believedGuide(entry: ListedEntry): Promise<ArchivedGuide | null> {
    if (entry.roundTrip === null) return null;
    const names = { roundTrip: entry.roundTrip, member: entry.member };
    const found = await readRoundTripGuide(this.#files, names, this.#limits, this.#report);
    if (found === null) return null;
    const facts = safeGuideFacts(found.facts);
    return {
      member: entry.member,
      foreignId: facts.guideid,
      foreignUrl: entry.url,
      author: found.author,
      facts: { ...facts, guideid: entry.guideid },
      tags: found.tags,
      missingPrerequisites: facts.prerequisites
        .filter((id) => !this.#numbers.has(id))
        .map((foreignId) => ({ foreignId, title: '', url: '' })),
      signatures: signaturesText(facts),
      media: await believedMedia(found.media, this.#files, this.#report.of(entry.member)),
    };
  }

  async #documentGuide(entry: ListedEntry): Promise<ArchivedGuide> {
    const { member } = entry;
    const root = await this.#read(member);
    if (kindOfElement(root.name) !== 'guides')
      throw new ArchiveRefused('no-guide', member, `${member} is no guide but ${root.name}.`);
    const report = this.#report.of(member);
    const media = new DocumentMedia(this.#around, report);
    return readGuide(root, {
      entry,
      url: entry.url,
      report,
      media,
      link: (path) => this.#link(path),
      prerequisite: ({ path, url, foreignId, title }) => {
        const meaning = media.resolve(path);
        const inside = meaning.kind === 'member' ? this.#byMember.get(meaning.member) : undefined;
        const address = meaning.kind === 'url' ? meaning.url : url;
        const found = inside ?? this.#byUrl.get(address) ?? this.#byIdAndTitle(foreignId, title);
        return found === undefined || found === entry ? null : found.guideid;
      },
    });
  }

  #byIdAndTitle(foreignId: number | null, title: string): ArchiveEntry | undefined {
    if (foreignId === null) return undefined;
    return this.entries.find((one) => one.foreignId === foreignId && one.title === title);
  }

  /**
   * The target of a link: web and mail addresses, and paths of the site if its address is known and not that of the
   * machine itself; null for others.
   */
  #link(path: string): string | null {
    if (/^https?:\/\/[^\s/]\S*$/i.test(path) || /^mailto:\S+$/i.test(path)) return path;
    return isReachable(this.base) && /^\/(?![/\\])\S*$/.test(path) ? this.base + path : null;
  }
}
