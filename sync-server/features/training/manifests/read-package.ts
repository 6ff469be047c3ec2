import { checkTexts, PackageRefused, type PackageFiles, type TrainingPackage } from '../package.ts';
import { aiccManifest, readAicc } from './aicc.ts';
import { cmi5Manifest, readCmi5 } from './cmi5.ts';
import { readScorm, scormManifest } from './scorm.ts';
import { readXapi, xapiManifest } from './xapi.ts';

/** Readers in order of precedence: a package of a newer standard often has the manifest of an older one too. */
const readers = [
  { manifest: cmi5Manifest, read: readCmi5 },
  { manifest: xapiManifest, read: readXapi },
  { manifest: scormManifest, read: readScorm },
];

/** Recognises a package by its manifest and reads it. Throws PackageRefused or ArchiveRefused. */
export async function readPackage(files: PackageFiles): Promise<TrainingPackage> {
  const found = await readManifestOf(files);
  checkTexts(found);
  return found;
}

async function readManifestOf(files: PackageFiles): Promise<TrainingPackage> {
  const reader = readers.find(({ manifest }) => files.has(manifest));
  if (reader !== undefined) return reader.read(files);
  const crs = aiccManifest(files);
  if (crs !== undefined) return readAicc(files, crs);
  const paths = [...files.paths()];
  const deeper = paths.find(
    (path) =>
      readers.some(({ manifest }) => path.endsWith(`/${manifest}`)) ||
      (path.endsWith('.crs') && path.includes('/')),
  );
  if (deeper !== undefined)
    throw new PackageRefused(
      `${deeper} is not at the top of the package: pack the content of the folder, not the folder`,
    );
  throw new PackageRefused(
    'The package is none of SCORM, xAPI, cmi5 or AICC: it has no imsmanifest.xml, tincan.xml, cmi5.xml or .crs file',
  );
}
