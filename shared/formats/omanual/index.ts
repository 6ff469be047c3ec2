// The public API of the library `benchbook/omanual`.
export type {
  Archive,
  ArchivedCategory,
  ArchivedGuide,
  ArchivedMedia,
  ArchiveEntry,
  ArchiveVersion,
  Finding,
  FindingKind,
} from './archive.ts';
export { ArchiveRefused } from './archive.ts';
export type { CheckLine } from './check.ts';
export { checkArchive, checkLineText } from './check.ts';
export type {
  ArchiveContent,
  GuideMention,
  GuideToWrite,
  MediaBytes,
  MediaRef,
  WriteOptions,
  WriteReport,
} from './content.ts';
export { convertArchive } from './convert.ts';
export type { ReadLimits } from './limits.ts';
export { readLimits } from './limits.ts';
export type { PackageFiles } from './package-files.ts';
export { packageFiles } from './package-files.ts';
export { openArchive } from './read.ts';
export type { ByteSink, ByteSource } from './source.ts';
export { blobSource, bytesSource } from './source.ts';
export { writeArchive } from './write.ts';
