import { z } from 'zod';

import { trainingStandard } from '#shared/model/training.ts';

import { sequencedActivity } from './sequencing.ts';

/** A launchable part of a module: a SCO or asset, an xAPI activity, a cmi5 or AICC assignable unit. */
export const trainingActivity = z.strictObject({
  /** The id in the package; unique there. */
  id: z.string(),
  title: z.string(),
  /** The launched file. */
  path: z.string(),
  /** Query and fragment of its address, including `?` or `#`. */
  suffix: z.string(),
  /** Data for the part from its package (dataFromLMS, launchParameters, Core_Vendor). */
  launchData: z.string(),
  /** Percent needed to pass; null if the part reports success itself. */
  masteryScore: z.number().nullable(),
  /** Whether the part reports its completion; otherwise it is complete once it was opened. */
  isTracked: z.boolean(),
  /** cmi5: the condition that satisfies the unit. */
  moveOn: z.enum(['Passed', 'Completed', 'CompletedAndPassed', 'CompletedOrPassed', 'NotApplicable']),
  /** cmi5: the blocks around the unit, outermost first. */
  blocks: z.array(z.string()).optional(),
  /** cmi5: whether the unit requires its own window. */
  launchMethod: z.enum(['AnyWindow', 'OwnWindow']).optional(),
  /** cmi5: the key by which the unit checks its licence. */
  entitlementKey: z.string().optional(),
});
export type TrainingActivity = z.infer<typeof trainingActivity>;

/** The content of a package's manifest. */
export const trainingPackage = z.strictObject({
  standard: trainingStandard,
  title: z.string(),
  /** Id of the course in the package. */
  id: z.string(),
  activities: z.array(trainingActivity).min(1),
  /** SCORM 2004: the order of parts, and their rollup. If absent, parts may be opened in any order. */
  sequencing: sequencedActivity.optional(),
});
export type TrainingPackage = z.infer<typeof trainingPackage>;

/** The files of a package, for readers of manifests. */
export interface PackageFiles {
  has(path: string): boolean;
  /** The file with this name, ignoring case. */
  find(path: string): string | undefined;
  paths(): Iterable<string>;
  /** The bytes of a file, piece by piece. */
  pieces(path: string): AsyncIterable<Uint8Array>;
}

/**
 * Limits of a manifest. Typical courses have some dozens of parts.
 *
 * - TRAINING-23 The expanded size of a manifest is limited: 1,000 parts, addresses of 4,000 characters, 50,000 elements
 *   and attributes of sequencing, and 4,000,000 characters in all; shared ones count for each part. It is read in
 *   linear time.
 */
export const packageLimits = {
  /** Parts and folders. */
  parts: 1000,
  /** Characters of an address, including its base. */
  address: 4000,
  /** Elements and attributes of sequencing. Shared ones count for each part that refers to them. */
  sequencing: 50_000,
  /** Characters of all texts. Shared ones count for each part. */
  characters: 4_000_000,
} as const;

/** A package cannot be imported; the message says why in one sentence. */
export class PackageRefused extends Error {
  override name = 'PackageRefused';
}

/** Throws PackageRefused if a manifest has too many parts. */
export function checkParts(manifest: string, parts: readonly unknown[]): void {
  if (parts.length > packageLimits.parts)
    throw new PackageRefused(`${manifest} has ${parts.length} parts; the limit is ${packageLimits.parts}`);
}

/**
 * Throws PackageRefused if the texts of a package are too long in total. Blocks and shared texts count for each part.
 */
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

/** Resolves a launch address to a file of the package and its suffix. Throws PackageRefused. */
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
