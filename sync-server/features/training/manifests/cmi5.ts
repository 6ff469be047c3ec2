import { elementIn, elementsIn, type XmlElement } from '#shared/formats/omanual/xml-tree.ts';

import {
  checkParts,
  launchOf,
  PackageRefused,
  trainingActivity,
  twice,
  type PackageFiles,
  type TrainingActivity,
  type TrainingPackage,
} from '../package.ts';
import { attributeOf, numberIn, readManifest, textAt } from './xml.ts';

export const cmi5Manifest = 'cmi5.xml';

/** Reads a cmi5 package by its course structure. Throws PackageRefused or ArchiveRefused. */
export async function readCmi5(files: PackageFiles): Promise<TrainingPackage> {
  const manifest = await readManifest(files, cmi5Manifest);
  const course = manifest.name === 'courseStructure' ? elementIn(manifest, 'course') : undefined;
  if (course === undefined) throw new PackageRefused(`${cmi5Manifest} has no course`);
  const units = unitsIn(manifest);
  checkParts(cmi5Manifest, units);
  const activities = units.map((unit) => activityOf(files, unit));
  if (activities.length === 0) throw new PackageRefused(`${cmi5Manifest} has no assignable unit (au)`);
  const double = twice(activities.map(({ id }) => id));
  if (double !== undefined) throw new PackageRefused(`${cmi5Manifest} has two units called ${double}`);
  return {
    standard: 'cmi5',
    id: attributeOf(course, 'id'),
    title: textAt(course, 'title', 'langstring') || activities[0]?.title || 'Untitled',
    activities,
  };
}

/** The units of a course in order, each with the ids of its blocks. */
function unitsIn(element: XmlElement, blocks: string[] = []): { unit: XmlElement; blocks: string[] }[] {
  return elementsIn(element).flatMap((child) => {
    if (child.name === 'au') return [{ unit: child, blocks }];
    return child.name === 'block' ? unitsIn(child, [...blocks, attributeOf(child, 'id')]) : [];
  });
}

function activityOf(
  files: PackageFiles,
  { unit, blocks }: { unit: XmlElement; blocks: string[] },
): TrainingActivity {
  const id = attributeOf(unit, 'id');
  if (id === '') throw new PackageRefused(`${cmi5Manifest} has a unit without id`);
  if (blocks.includes('')) throw new PackageRefused(`${cmi5Manifest} has a block without id`);
  const moveOn = trainingActivity.shape.moveOn.safeParse(attributeOf(unit, 'moveOn') || 'NotApplicable');
  if (!moveOn.success)
    throw new PackageRefused(`${cmi5Manifest}: unit ${id} has a moveOn that cmi5 does not know`);
  const entitlementKey = textAt(unit, 'entitlementKey');
  return {
    id,
    title: textAt(unit, 'title', 'langstring') || id,
    ...launchOf(files, cmi5Manifest, `unit ${id}`, textAt(unit, 'url')),
    launchData: textAt(unit, 'launchParameters'),
    masteryScore: masteryOf(unit, id),
    isTracked: true,
    moveOn: moveOn.data,
    blocks,
    launchMethod: attributeOf(unit, 'launchMethod') === 'OwnWindow' ? 'OwnWindow' : 'AnyWindow',
    ...(entitlementKey === '' ? {} : { entitlementKey }),
  };
}

/** The mastery score of a unit (0 to 1 in the manifest) as percent; null if it has none. */
function masteryOf(unit: XmlElement, id: string): number | null {
  const text = attributeOf(unit, 'masteryScore');
  if (text === '') return null;
  const share = numberIn(text);
  if (share === null || share < 0 || share > 1)
    throw new PackageRefused(`${cmi5Manifest}: unit ${id} has a masteryScore that is not between 0 and 1`);
  return Math.round(share * 1e6) / 1e4;
}
