import { type Archive, ArchiveRefused, type Finding } from '#shared/formats/omanual/archive.ts';

import type { Environment } from '#desktop/engine/platform/ports.ts';
import type { ArchiveIndex, IndexedGuide } from '#desktop/engine/storage/archive-rows.ts';

/** Longest uninterrupted work, ms: the page must answer in between. */
const chunkMs = 16;
const batchGuides = 50;
/** More lines than these help nobody who reads a report. */
const mostFindings = 500;

/** Where what was read goes. */
export interface ReadingPlace {
  put(guides: IndexedGuide[]): Promise<void>;
  progress(done: number, total: number): void;
  /** The archive was removed meanwhile. */
  stopped(): boolean;
}

/**
 * Reads every guide of an archive, a little at a time. A guide that cannot be read is left out and named in the report.
 * @throws ArchiveRefused when a guide is dangerous
 */
export async function readGuides(
  archive: Archive,
  environment: Environment,
  place: ReadingPlace,
): Promise<ArchiveIndex['findings']> {
  const unreadable: ArchiveIndex['findings'] = [];
  let batch: IndexedGuide[] = [];
  let began = environment.monotonic();
  for (const [index, { member }] of archive.entries.entries()) {
    if (place.stopped()) return [];
    try {
      batch.push({ place: index, guide: await archive.guide(member) });
    } catch (error) {
      if (error instanceof ArchiveRefused) throw error;
      const message = error instanceof Error ? error.message : String(error);
      unreadable.push({ kind: 'dropped', code: 'guide-unreadable', member, place: '', message });
    }
    if (batch.length === batchGuides) {
      await place.put(batch);
      batch = [];
    }
    if (environment.monotonic() - began < chunkMs) continue;
    place.progress(index + 1, archive.entries.length);
    await pause(environment);
    began = environment.monotonic();
  }
  if (batch.length > 0) await place.put(batch);
  return bounded([...archive.findings, ...unreadable]);
}

/** What is known of an archive before its guides are read. */
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

/** A report that can be shown; its last line says how much more there is. */
function bounded(findings: readonly Finding[]): Finding[] {
  if (findings.length <= mostFindings) return [...findings];
  const shown = findings.slice(0, mostFindings - 1);
  const message = `${findings.length - shown.length} more lines are not shown here; “benchbook omanual check” lists all.`;
  return [...shown, { kind: 'dropped', code: 'more', member: '', place: '', message }];
}

/** The category at the top, the only guide, what the index is headed with, or the file's name. */
function titleOf({ categories, entries, title: heading }: Archive, filename: string): string {
  const inside = new Set(categories.flatMap(({ children }) => children));
  const tops = categories.filter(({ facts }) => !inside.has(facts.title));
  const [top] = tops.length === 1 ? tops : [];
  const [only] = entries.length === 1 ? entries : [];
  const title = top?.facts.display_title || top?.facts.title || only?.title || heading;
  return title.trim() === '' ? filename.replace(/\.(omanual|oman|zip|xml)$/i, '') : title;
}

/** Lets the page answer before work goes on. */
function pause(environment: Environment): Promise<void> {
  return new Promise((resolve) => environment.setTimer(resolve, 0));
}
