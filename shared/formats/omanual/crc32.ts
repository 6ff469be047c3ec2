/** Sixteen consecutive tables of 256 sums, to process sixteen bytes at a time. */
const sums = makeSums();

function makeSums(): Int32Array<ArrayBuffer> {
  const table = new Int32Array(16 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let sum = byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & 1) === 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
    table[byte] = sum;
  }
  for (let at = 256; at < table.length; at += 1) {
    const before = table[at - 256] ?? 0;
    table[at] = (before >>> 8) ^ (table[before & 0xff] ?? 0);
  }
  return table;
}

/** Computes the CRC-32 of ZIP over `bytes`, continuing from the checksum `before` (0 at the beginning). */
export type Crc32 = (bytes: Uint8Array, before: number) => number;

let inUse: Crc32 = plainCrc32;

/** Installs a faster implementation of the platform, such as that of Node. The library does not import it itself. */
export function replaceCrc32(faster: Crc32): void {
  const known = faster(new TextEncoder().encode('56789'), 0x9be3_e0a3);
  if (known !== 0xcbf4_3926) throw new Error('That is no CRC-32');
  inUse = faster;
}

/** The CRC-32 of ZIP over `bytes`, continuing from the checksum `before` (0 at the beginning). */
export function crc32(bytes: Uint8Array, before = 0): number {
  return inUse(bytes, before);
}

/** The implementation in plain JavaScript. */
export function plainCrc32(bytes: Uint8Array, before = 0): number {
  if (bytes.length < 32) return ~byBytes(bytes, 0, bytes.length, ~before) >>> 0;
  const lead = -bytes.byteOffset & 3;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + lead, ((bytes.length - lead) >>> 4) * 4);
  const sum = byWords(words, byBytes(bytes, 0, lead, ~before));
  return ~byBytes(bytes, lead + words.byteLength, bytes.length, sum) >>> 0;
}

function byBytes(bytes: Uint8Array, from: number, to: number, before: number): number {
  let sum = before;
  for (let at = from; at < to; at += 1) sum = (sum >>> 8) ^ entry(0, sum ^ (bytes[at] ?? 0));
  return sum;
}

/** Processes four words at a time. Their bytes are little-endian, as on every supported platform. */
function byWords(words: Int32Array, before: number): number {
  let sum = before;
  for (let at = 0; at < words.length; at += 4) {
    sum =
      wordEntry(12, sum ^ (words[at] ?? 0)) ^
      wordEntry(8, words[at + 1] ?? 0) ^
      wordEntry(4, words[at + 2] ?? 0) ^
      wordEntry(0, words[at + 3] ?? 0);
  }
  return sum;
}

/** `table`: the table of the last byte of the word; the tables of its other bytes follow. */
function wordEntry(table: number, word: number): number {
  return (
    entry(table + 3, word) ^
    entry(table + 2, word >>> 8) ^
    entry(table + 1, word >>> 16) ^
    entry(table, word >>> 24)
  );
}

function entry(table: number, byte: number): number {
  return sums[table * 256 + (byte & 0xff)] ?? 0;
}
