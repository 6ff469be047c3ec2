import { elementIn, elementsIn } from '#shared/formats/omanual/xml-tree.ts';

import {
  checkParts,
  launchOf,
  PackageRefused,
  twice,
  type PackageFiles,
  type TrainingPackage,
} from '../package.ts';
import { attributeOf, readManifest, textAt } from './xml.ts';

export const xapiManifest = 'tincan.xml';

/** Reads an xAPI package by its `tincan.xml`. Throws PackageRefused or ArchiveRefused. */
export async function readXapi(files: PackageFiles): Promise<TrainingPackage> {
  const manifest = await readManifest(files, xapiManifest);
  const list = manifest.name === 'tincan' ? elementIn(manifest, 'activities') : undefined;
  if (list === undefined) throw new PackageRefused(`${xapiManifest} has no list of activities`);
  const launched = elementsIn(list, 'activity').filter((one) => elementIn(one, 'launch') !== undefined);
  checkParts(xapiManifest, launched);
  const activities = launched.map((activity) => {
    const id = attributeOf(activity, 'id');
    if (id === '') throw new PackageRefused(`${xapiManifest} has an activity without an id`);
    return {
      id,
      title: textAt(activity, 'name') || id,
      ...launchOf(files, xapiManifest, `activity ${id}`, textAt(activity, 'launch')),
      launchData: '',
      masteryScore: null,
      isTracked: true,
      moveOn: 'NotApplicable' as const,
    };
  });
  const [first] = activities;
  if (first === undefined) throw new PackageRefused(`${xapiManifest} has no activity that is launched`);
  const double = twice(activities.map(({ id }) => id));
  if (double !== undefined) throw new PackageRefused(`${xapiManifest} has two activities called ${double}`);
  return { standard: 'xapi', id: first.id, title: first.title, activities };
}
