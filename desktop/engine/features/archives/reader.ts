import {
  type Archive,
  type ArchivedMedia,
  ArchiveRefused,
  type Finding,
} from '#shared/formats/omanual/archive.ts';

import type { Environment } from '#desktop/engine/platform/ports.ts';
import type { ArchiveIndex, IndexedGuide } from '#desktop/engine/storage/archive-rows.ts';

/** Longest uninterrupted work, ms. In between, the page can respond. */
const chunkMs = 16;
/** Guides that are stored at once. */
const batchGuides = 50;
/** Most lines of a report. */
const mostFindings = 500;

/** Takes the guides that are read. */
export interface GuideSink {
  put(guides: IndexedGuide[]): Promise<void>;
  progress(done: number, total: number): void;
  /** Whether the archive was removed meanwhile. */
  stopped(): boolean;
}

/**
 * Reads every guide of an archive, in small pieces of work. Guides that cannot be read are left out and listed in the
 * report.
 * @throws ArchiveRefused when a guide is dangerous
 */
export async function readGuides(
  archive: Archive,
  environment: Environment,
  sink: GuideSink,
): Promise<Pick<ArchiveIndex, 'findings' | 'linked'>> {
  let linked = archive.categories.some(({ media }) => media.some(isLinked));
  const unreadable: ArchiveIndex['findings'] = [];
  let batch: IndexedGuide[] = [];
  let began = environment.monotonic();
  for (const [index, { member }] of archive.entries.entries()) {
    if (sink.stopped()) return { findings: [], linked };
    try {
      const guide = await archive.guide(member);
      linked ||= guide.media.some(isLinked) || guide.facts.steps.some(({ media }) => media.type === 'embed');
      batch.push({ place: index, guide });
    } catch (error) {
      if (error instanceof ArchiveRefused) throw error;
      const message = error instanceof Error ? error.message : String(error);
      unreadable.push({ kind: 'dropped', code: 'guide-unreadable', member, place: '', message });
    }
    if (batch.length === batchGuides) {
      await sink.put(batch);
      batch = [];
    }
    if (environment.monotonic() - began < chunkMs) continue;
    sink.progress(index + 1, archive.entries.length);
    await pause(environment);
    began = environment.monotonic();
  }
  if (batch.length > 0) await sink.put(batch);
  return { findings: bounded([...archive.findings, ...unreadable]), linked };
}

/** Whether a picture or video is shown from its address. Documents are loaded only when a person opens them. */
function isLinked({ kind, member, url }: ArchivedMedia): boolean {
  return kind !== 'document' && member === null && url !== null;
}

/** The index of an archive before its guides are read. */
export function indexOf(archive: Archive, filename: string): ArchiveIndex {
  const { version, producer, base, entries, categories, findings } = archive;
  return {
    version,
    producer,
    base,
    title: titleOf(archive, filename),
    guides: entries.length,
    categories: [...categories],
    findings: bounded(findings),
  };
}

/** Shortens a report for display. The last line then says how many lines are left out. */
function bounded(findings: readonly Finding[]): Finding[] {
  if (findings.length <= mostFindings) return [...findings];
  const shown = findings.slice(0, mostFindings - 1);
  const message = `${findings.length - shown.length} more lines are not shown here; “benchbook omanual check” lists all.`;
  return [...shown, { kind: 'dropped', code: 'more', member: '', place: '', message }];
}

/**
 * Title of an archive: its only top category, its only guide, the title of its index, or the file name (ARCHIVE-16).
 */
function titleOf({ categories, entries, title: heading }: Archive, filename: string): string {
  const inside = new Set(categories.flatMap(({ children }) => children));
  const tops = categories.filter(({ facts }) => !inside.has(facts.title));
  const [top] = tops.length === 1 ? tops : [];
  const [only] = entries.length === 1 ? entries : [];
  const title = top?.facts.display_title || top?.facts.title || only?.title || heading;
  return title.trim() === '' ? filename.replace(/\.(omanual|oman|zip|xml)$/i, '') : title;
}

/** Lets the page respond before work continues. */
function pause(environment: Environment): Promise<void> {
  return new Promise((resolve) => environment.setTimer(resolve, 0));
}
