/** How much a reader takes before it refuses an archive. */
export interface ReadLimits {
  /** Members in the package, folders included. */
  members: number;
  /** Bytes of all members unpacked. */
  totalBytes: number;
  /** Unpacked bytes for one packed byte, for members of more than a megabyte and for the package as a whole. */
  ratio: number;
  /** Bytes of one XML document or of the round-trip member. */
  documentBytes: number;
  /** How deep elements nest. */
  depth: number;
  /** Elements, texts and attributes of one document: about a tenth of them are lines. */
  nodes: number;
  /** Namespace prefixes in scope at one place of a document. */
  namespaces: number;
  /** Lines of the report; where there are more, the last one says so. */
  findings: number;
}

/** Limits that keep an archive of 1 GB within 200 MB of memory. */
export const readLimits: ReadLimits = {
  members: 150_000,
  totalBytes: 64 * 1024 ** 3,
  ratio: 200,
  documentBytes: 16 * 1024 ** 2,
  depth: 64,
  nodes: 120_000,
  namespaces: 100,
  findings: 20_000,
};
