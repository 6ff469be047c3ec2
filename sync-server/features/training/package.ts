import { z } from 'zod';

import { trainingStandard } from '#shared/model/training.ts';

import { sequencedActivity } from './sequencing.ts';

/** A part of a module that is launched on its own: a SCO or asset, an xAPI activity, a cmi5 or AICC assignable unit. */
export const trainingActivity = z.strictObject({
  /** As the package names it; unique in the package. */
  id: z.string(),
  title: z.string(),
  /** The file that is launched. */
  path: z.string(),
  /** Query and fragment of its address, with `?` or `#` as written. */
  suffix: z.string(),
  /** What the part is given by its package at launch (dataFromLMS, launchParameters, Core_Vendor). */
  launchData: z.string(),
  /** Percent from which on the part is passed; null: it says so itself. */
  masteryScore: z.number().nullable(),
  /** It says by itself when it is done; a part that does not is done once it was opened. */
  isTracked: z.boolean(),
  /** cmi5: what satisfies the unit. */
  moveOn: z.enum(['Passed', 'Completed', 'CompletedAndPassed', 'CompletedOrPassed', 'NotApplicable']),
  /** cmi5: the blocks that the unit is in, the outermost first. */
  blocks: z.array(z.string()).optional(),
  /** cmi5: whether the unit wants a window of its own. */
  launchMethod: z.enum(['AnyWindow', 'OwnWindow']).optional(),
  /** cmi5: what the unit asks for to know that it may be used here. */
  entitlementKey: z.string().optional(),
});
export type TrainingActivity = z.infer<typeof trainingActivity>;

/** What the manifest of a package says. */
export const trainingPackage = z.strictObject({
  standard: trainingStandard,
  title: z.string(),
  /** Id of the course as the package names it. */
  id: z.string(),
  activities: z.array(trainingActivity).min(1),
  /** SCORM 2004: in which order parts are opened, and what they make of the whole; absent: parts may be opened as one likes. */
  sequencing: sequencedActivity.optional(),
});
export type TrainingPackage = z.infer<typeof trainingPackage>;

/** A package as its manifest readers see it. */
export interface PackageFiles {
  has(path: string): boolean;
  /** The file of this name, or one that is spelled with other capitals. */
  find(path: string): string | undefined;
  paths(): Iterable<string>;
  /** The bytes of a file, piece by piece. */
  pieces(path: string): AsyncIterable<Uint8Array>;
}

/** Limits of the manifest of a package; courses have some dozens of parts. */
export const packageLimits = {
  /** Parts and folders. */
  parts: 1000,
  /** Characters of an address, with what it is relative to. */
  address: 4000,
  /** Elements and attributes of sequencing, those that parts share as often as a part refers to them. */
  sequencing: 50_000,
  /** Characters of all texts, those that parts share counted for each. */
  characters: 4_000_000,
} as const;

/** Why a package cannot be imported: one sentence that names what is wrong with it. */
export class PackageRefused extends Error {
  override name = 'PackageRefused';
}

/** Throws PackageRefused if a manifest has too many parts. */
export function checkParts(manifest: string, parts: readonly unknown[]): void {
  if (parts.length > packageLimits.parts)
    throw new PackageRefused(`${manifest} has ${parts.length} parts; the limit is ${packageLimits.parts}`);
}

/** Throws PackageRefused for a package whose texts together are too long: blocks and shared parts count for each. */
export function checkTexts(found: TrainingPackage): void {
  let characters = 0;
  const open: unknown[] = [found];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') characters += value.length;
    else if (typeof value === 'object' && value !== null)
      for (const one of Object.values(value)) open.push(one);
    if (characters > packageLimits.characters)
      throw new PackageRefused(
        `The manifest has texts of more than ${packageLimits.characters} characters, counting what several parts share for each of them`,
      );
  }
}

/** Where a launch address leads: a file of the package and what follows it. Throws PackageRefused. */
export function launchOf(
  files: PackageFiles,
  manifest: string,
  what: string,
  ...parts: string[]
): { path: string; suffix: string } {
  const address = parts.at(-1)?.trim() ?? '';
  if (address === '') throw new PackageRefused(`${manifest}: ${what} names no file to launch`);
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(address))
    throw new PackageRefused(
      `${manifest}: ${what} launches ${address.slice(0, 200)}, which is outside of the package`,
    );
  const base = parts.slice(0, -1).join('');
  if (base.length + address.length > packageLimits.address)
    throw new PackageRefused(
      `${manifest}: ${what.slice(0, 200)} launches an address of more than ${packageLimits.address} characters`,
    );
  const url = URL.parse(base + address.replaceAll('\\', '/'), 'http://package/');
  const named = url === null ? null : decoded(url.pathname.slice(1));
  if (url === null || named === null || url.host !== 'package')
    throw new PackageRefused(
      `${manifest}: ${what} launches ${address.slice(0, 200)}, which is no address in the package`,
    );
  const path = files.find(named);
  if (path === undefined)
    throw new PackageRefused(
      `${manifest}: ${what} launches ${named.slice(0, 200)}, which is not in the package`,
    );
  return { path, suffix: url.search + url.hash };
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path).normalize('NFC');
  } catch {
    return null;
  }
}

/** The first id that occurs twice. */
export function twice(ids: string[]): string | undefined {
  const seen = new Set<string>();
  return ids.find((id) => seen.size === seen.add(id).size);
}
