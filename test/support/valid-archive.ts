import { checkArchive } from '#shared/formats/omanual/check.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import { documentsOf } from '#test/shared/formats/omanual/archives.ts';
import { schemaErrors } from '#test/shared/formats/omanual/schemas.ts';

/** Findings that depend on content: long lines, and texts that display markup. */
const contentsOwn = new Set(['line-long', 'escaped-markup']);

/**
 * Throws unless an archive is valid version 1.0: libxml2 accepts each XML member by its schema, and our own checker
 * finds nothing.
 */
export async function validArchive(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const documents = documentsOf(bytes);
  const strangers = documents.filter(({ xml }) => !/<(?:guide|category) xmlns="/.test(xml));
  const complaints = (await checkArchive(bytesSource(bytes), 'made.omanual')).filter(
    ({ code }) => !contentsOwn.has(code),
  );
  const flaws = [
    ...(documents.length === 0 ? ['There is no document inside'] : []),
    ...strangers.map(({ name }) => `${name}: no schema knows it`),
    ...(await schemaErrors(documents)),
    ...complaints.map((one) => `${one.rank} ${one.code} ${one.member} ${one.place}: ${one.message}`),
  ];
  if (flaws.length > 0) throw new Error(flaws.join('\n'));
}
