import type { ArchiveEntry } from './archive.ts';
import { attributeText, childText, fieldText } from './field-text.ts';
import type { PackageAround } from './read-media.ts';
import { listedGuides, type ListedGuide } from './read-index.ts';
import { resolvePath } from './package-paths.ts';
import type { Report } from './findings.ts';
import type { RoundTripPackage } from './round-trip.ts';
import { elementIn, type XmlElement } from './xml-tree.ts';

export interface IndexDocument {
  member: string;
  root: XmlElement;
}

/** An entry of the index with further internal fields. */
export interface ListedEntry extends ArchiveEntry {
  /** '' : unknown. */
  url: string;
  /** The round-trip member of the guide; null when there is none that can be trusted. */
  roundTrip: string | null;
}

interface EntrySurroundings {
  around: PackageAround;
  report: Report;
  roundTrip: RoundTripPackage | null;
  read: (member: string) => Promise<XmlElement>;
}

/** Reads all guides: those that the indexes list, then the others. */
export async function readEntries(
  indexes: readonly IndexDocument[],
  guides: readonly string[],
  surroundings: EntrySurroundings,
): Promise<ListedEntry[]> {
  const known = new Set(guides);
  const found = new Map<string, Listed>();
  for (const { member, root } of indexes) addListed(found, member, root, known, surroundings);
  for (const member of guides) {
    if (found.has(member)) continue;
    if (indexes.length > 0)
      surroundings.report.add('repaired', 'guide-unlisted', member, '', `No index lists ${member}.`);
    found.set(member, await unlisted(member, surroundings));
  }
  return numbered([...found.values()], surroundings.roundTrip);
}

type Listed = Omit<ListedEntry, 'guideid' | 'roundTrip'>;

function addListed(
  found: Map<string, Listed>,
  index: string,
  root: XmlElement,
  known: ReadonlySet<string>,
  { around, report }: EntrySurroundings,
): void {
  const notes = report.of(index);
  for (const guide of listedGuides(root, notes)) {
    const meant = memberOf(guide, index, known, around);
    const member = meant?.member ?? null;
    if (meant?.isGuess === true)
      notes.add('guessed', 'path', guide.element, `${guide.path.slice(0, 200)} was read as ${meant.member}.`);
    if (member === null) {
      const shown = (guide.title || guide.path).slice(0, 200);
      notes.add('unresolved', 'guide-missing', guide.element, `The guide ${shown} is not in the archive.`);
    } else if (found.has(member)) {
      notes.add('repaired', 'guide-twice', guide.element, `${member} is listed twice.`);
    } else {
      const { title, subject, type, category, url } = guide;
      found.set(member, {
        member,
        foreignId: guide.foreignId ?? folderNumber(member),
        title,
        subject,
        type,
        category,
        url,
      });
    }
  }
}

/** The document to which an index refers by its path, which may name only the folder. */
function memberOf(
  { path }: ListedGuide,
  index: string,
  known: ReadonlySet<string>,
  { files, root }: PackageAround,
): { member: string; isGuess: boolean } | null {
  for (const written of [path, `${path}/guide.xml`, `${path}/procedure.xml`]) {
    const meaning = resolvePath(written, index, root, files);
    if (meaning.kind === 'member' && known.has(meaning.member)) return meaning;
  }
  return null;
}

async function unlisted(member: string, { report, read }: EntrySurroundings): Promise<Listed> {
  const root = await read(member);
  const notes = report.of(member);
  const title = elementIn(root, 'title');
  const attribute = (name: string): string =>
    (title === undefined ? '' : attributeText(title, name)) || attributeText(root, name);
  return {
    member,
    foreignId: folderNumber(member),
    title: fieldText(title, notes),
    subject: attribute('subject'),
    type: attribute('type'),
    category: childText(root, 'category', notes),
    url: '',
  };
}

/** The number at the end of the name of a guide's folder. */
function folderNumber(member: string): number | null {
  const folder = member.split('/').at(-2) ?? '';
  const number = /(?:^|[-_])(\d{1,15})$/.exec(folder)?.[1];
  return number === undefined ? null : Number(number);
}

/** Numbers the guides from 1 on, or with their original ids if the round-trip member is trusted. */
function numbered(listed: readonly Listed[], roundTrip: RoundTripPackage | null): ListedEntry[] {
  const roundTrips = new Map(roundTrip?.guides.map((guide) => [guide.member, guide.roundTrip]));
  const taken = new Set<number>();
  const entries = listed.map((one) => {
    const member = roundTrips.get(one.member) ?? null;
    const number = Number(/guide-(\d{1,10})\.json$/.exec(member ?? '')?.[1] ?? 0);
    const guideid = number > 0 && !taken.has(number) ? number : 0;
    taken.add(guideid);
    return { ...one, guideid, roundTrip: guideid === 0 ? null : member };
  });
  let next = 1;
  return entries.map((entry) => {
    if (entry.guideid !== 0) return entry;
    while (taken.has(next)) next++;
    taken.add(next);
    return { ...entry, guideid: next };
  });
}
