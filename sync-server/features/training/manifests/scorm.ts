import type { TrainingStandard } from '#shared/model/training.ts';
import { elementIn, elementsIn, type XmlElement } from '#shared/formats/omanual/xml-tree.ts';

import {
  checkParts,
  launchOf,
  PackageRefused,
  twice,
  type PackageFiles,
  type TrainingActivity,
  type TrainingPackage,
} from '../package.ts';
import { readSequencing } from './sequencing.ts';
import { attributeOf, numberIn, readManifest, textAt } from './xml.ts';

/** The manifest of SCORM 1.2 and 2004, at the top of the package. */
export const scormManifest = 'imsmanifest.xml';

/** Reads a SCORM 1.2 or 2004 package. Throws PackageRefused or ArchiveRefused. */
export async function readScorm(files: PackageFiles): Promise<TrainingPackage> {
  const manifest = await readManifest(files, scormManifest);
  if (manifest.name !== 'manifest') refuse(`begins with <${manifest.name}> instead of <manifest>`);
  const standard = standardOf(manifest);
  const organizations = elementIn(manifest, 'organizations');
  const chosen = organizations === undefined ? undefined : organizationOf(organizations);
  if (chosen === undefined) refuse('has no organization');
  const resources = resourcesOf(manifest);
  const is12 = standard === 'scorm_1.2';
  const all = elementsIn(chosen, 'item').flatMap(withinItem);
  checkParts(scormManifest, all);
  const items = all.filter((item) => attributeOf(item, 'identifierref') !== '');
  // Items that the menu hides are left out, unless there are no others, or sequencing may lead to them.
  const shown = items.filter((item) => attributeOf(item, 'isvisible') !== 'false');
  const sequencing = is12 || items.length < 2 ? undefined : readSequencing(manifest, chosen);
  const kept = sequencing !== undefined || shown.length === 0 ? items : shown;
  const activities = kept.map((item) => activityOf(files, item, resources, is12));
  if (activities.length === 0) refuse('has no item that launches a resource');
  const double = twice(activities.map(({ id }) => id));
  if (double !== undefined) refuse(`has two items called ${double}`);
  return {
    standard,
    id: attributeOf(manifest, 'identifier'),
    title: textAt(chosen, 'title') || activities[0]?.title || 'Untitled',
    activities,
    ...(sequencing === undefined ? {} : { sequencing }),
  };
}

function refuse(what: string): never {
  throw new PackageRefused(`${scormManifest} ${what}`);
}

/** The standard by the schema version of the manifest, or else by its namespace. */
function standardOf(manifest: XmlElement): TrainingStandard {
  const version = textAt(manifest, 'metadata', 'schemaversion');
  if (/^1\.2$/.test(version)) return 'scorm_1.2';
  if (/^CAM 1\.3$/i.test(version)) return 'scorm_2004_2nd';
  if (/^2004 3rd Edition$/i.test(version)) return 'scorm_2004_3rd';
  if (/^2004 4th Edition$/i.test(version)) return 'scorm_2004_4th';
  if (version !== '' && !/^1\.[01](?:\.\d)?$/.test(version))
    refuse(`is of schemaversion ${version.slice(0, 60)}, which is not supported`);
  const namespaces = [...manifest.attributes.values()].join(' ');
  if (namespaces.includes('adlcp_v1p3')) return 'scorm_2004_3rd';
  if (namespaces.includes('adlcp_rootv1p2')) return 'scorm_1.2';
  return refuse('does not say which SCORM it is: it has no schemaversion');
}

function organizationOf(organizations: XmlElement): XmlElement | undefined {
  const named = attributeOf(organizations, 'default');
  const all = elementsIn(organizations, 'organization');
  const found = all.find((one) => attributeOf(one, 'identifier') === named);
  if (named !== '' && found === undefined && all.length > 0)
    refuse(`names ${named.slice(0, 100)} as its organization, which it does not have`);
  return found ?? all[0];
}

function withinItem(item: XmlElement): XmlElement[] {
  return [item, ...elementsIn(item, 'item').flatMap(withinItem)];
}

function resourcesOf(manifest: XmlElement): Map<string, { element: XmlElement; base: string }> {
  const list = elementIn(manifest, 'resources');
  const outer = attributeOf(manifest, 'base') + (list === undefined ? '' : attributeOf(list, 'base'));
  return new Map(
    (list === undefined ? [] : elementsIn(list, 'resource')).map((element) => [
      attributeOf(element, 'identifier'),
      { element, base: outer + attributeOf(element, 'base') },
    ]),
  );
}

function activityOf(
  files: PackageFiles,
  item: XmlElement,
  resources: ReturnType<typeof resourcesOf>,
  is12: boolean,
): TrainingActivity {
  const id = attributeOf(item, 'identifier');
  const wanted = attributeOf(item, 'identifierref');
  if (id === '') refuse(`has an item without identifier (line ${item.line})`);
  const resource = resources.get(wanted);
  if (resource === undefined) refuse(`has an item ${id} for resource ${wanted}, which it does not have`);
  const href = attributeOf(resource.element, 'href');
  const { path, suffix } = launchOf(files, scormManifest, `resource ${wanted}`, resource.base, href);
  return {
    id,
    title: textAt(item, 'title') || id,
    path,
    suffix: withParameters(suffix, attributeOf(item, 'parameters')),
    launchData: is12 ? textAt(item, 'datafromlms') : textAt(item, 'dataFromLMS'),
    masteryScore: is12 ? numberIn(textAt(item, 'masteryscore')) : measureOf(item),
    isTracked: attributeOf(resource.element, 'scormtype').toLowerCase() !== 'asset',
    moveOn: 'NotApplicable',
  };
}

/** The minimum measure of the primary objective as percent; null if there is none. */
function measureOf(item: XmlElement): number | null {
  const sequencing = elementIn(item, 'sequencing');
  const objectives = sequencing === undefined ? undefined : elementIn(sequencing, 'objectives');
  const primary = objectives === undefined ? undefined : elementIn(objectives, 'primaryObjective');
  if (primary === undefined || attributeOf(primary, 'satisfiedByMeasure') !== 'true') return null;
  return (numberIn(textAt(primary, 'minNormalizedMeasure')) ?? 1) * 100;
}

/** Appends the parameters of an item to those of its resource (CAM 3.4.1.9). */
function withParameters(suffix: string, parameters: string): string {
  const text = parameters.replace(/^[?&]+/, '');
  if (text === '') return suffix;
  if (text.startsWith('#')) return suffix.includes('#') ? suffix : suffix + text;
  const [query = '', fragment] = suffix.split('#');
  return `${query}${query === '' ? '?' : '&'}${text}${fragment === undefined ? '' : `#${fragment}`}`;
}
