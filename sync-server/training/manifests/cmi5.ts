import { elementIn, elementsIn, type XmlElement } from '#shared/omanual/xml-tree.ts';

import {
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
  const activities = unitsIn(manifest).map((unit) => activityOf(files, unit));
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

function unitsIn(element: XmlElement): XmlElement[] {
  return elementsIn(element).flatMap((child) =>
    child.name === 'au' ? [child] : child.name === 'block' ? unitsIn(child) : [],
  );
}

function activityOf(files: PackageFiles, unit: XmlElement): TrainingActivity {
  const id = attributeOf(unit, 'id');
  if (id === '') throw new PackageRefused(`${cmi5Manifest} has a unit without id`);
  const moveOn = trainingActivity.shape.moveOn.safeParse(attributeOf(unit, 'moveOn') || 'NotApplicable');
  if (!moveOn.success)
    throw new PackageRefused(`${cmi5Manifest}: unit ${id} has a moveOn that cmi5 does not know`);
  const mastery = numberIn(attributeOf(unit, 'masteryScore'));
  return {
    id,
    title: textAt(unit, 'title', 'langstring') || id,
    ...launchOf(files, cmi5Manifest, `unit ${id}`, textAt(unit, 'url')),
    launchData: textAt(unit, 'launchParameters'),
    masteryScore: mastery === null ? null : mastery * 100,
    isTracked: true,
    moveOn: moveOn.data,
  };
}
