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
export { convertArchive, convertToPage } from './convert.ts';
export type { ReadLimits } from './limits.ts';
export { readLimits } from './limits.ts';
export type { PackageFiles } from './package-files.ts';
export { packageFiles } from './package-files.ts';
export { openArchive } from './read.ts';
export type { ByteSink, ByteSource } from './source.ts';
export { ArchiveTooLarge } from './too-large.ts';
export { blobSource, bytesSource } from './source.ts';
export { writeArchive } from './write.ts';
export type { JsonSchema } from './json-schemas.ts';
export { archiveSchemas } from './json-schemas.ts';
export type { SimpleGuide, SimpleLine, SimpleSite, SimpleStep, SimpleSupply } from './simple-guides.ts';
export { writeGuides } from './simple-guides.ts';
export type { PageFiles } from '#shared/formats/pages/page-pictures.ts';
export type { PageFormat } from '#shared/formats/pages/parse-page.ts';
export type { PageRead } from '#shared/formats/pages/read-page.ts';
export { readPage } from '#shared/formats/pages/read-page.ts';
export type { PageOptions, PageReport, PageSink } from '#shared/formats/pages/write-page.ts';
export { writePage } from '#shared/formats/pages/write-page.ts';
export type { WikiContext } from '#shared/formats/wikitext/context.ts';
export { plainContext } from '#shared/formats/wikitext/context.ts';
export { renderBlocks as blocksHtml, renderLine as lineHtml } from '#shared/formats/wikitext/html.ts';
export { plainText as linePlainText } from '#shared/formats/wikitext/plain-text.ts';
