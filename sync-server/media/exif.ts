/** Metadata of a picture, without its location. */
export type Exif = Record<string, string | number>;

/**
 * Tags that are read, by number: of the first directory and of the Exif directory. Orientation is not among them,
 * because stored pictures are upright.
 */
const names = new Map([
  [0x010f, 'Make'],
  [0x0110, 'Model'],
  [0x0132, 'DateTime'],
  [0x829a, 'ExposureTime'],
  [0x829d, 'FNumber'],
  [0x8827, 'ISOSpeedRatings'],
  [0x9003, 'DateTimeOriginal'],
  [0x920a, 'FocalLength'],
]);
const exifDirectory = 0x8769;

/** Reads an Exif block; a damaged one is read as far as possible. Owner, serial numbers and location are never read. */
export function readExif(block: Buffer | undefined): Exif {
  if (block === undefined) return {};
  const tiff = block.toString('latin1', 0, 4) === 'Exif' ? block.subarray(6) : block;
  const order = tiff.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return {};
  const result: Exif = {};
  try {
    readDirectory(new Reader(tiff, order === 'II'), 4, result, true);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return result;
}

class Reader {
  readonly #bytes: Buffer;
  readonly #isLittle: boolean;
  constructor(bytes: Buffer, isLittle: boolean) {
    this.#bytes = bytes;
    this.#isLittle = isLittle;
  }
  short(at: number): number {
    return this.#isLittle ? this.#bytes.readUInt16LE(at) : this.#bytes.readUInt16BE(at);
  }
  long(at: number): number {
    return this.#isLittle ? this.#bytes.readUInt32LE(at) : this.#bytes.readUInt32BE(at);
  }
  text(at: number, length: number): string {
    const text = this.#bytes.toString('latin1', at, at + Math.min(length, 200));
    return (text.split('\0', 1)[0] ?? '').replaceAll(/[^\x20-\x7e]/g, '').trim();
  }
}

function readDirectory(reader: Reader, pointerAt: number, into: Exif, followsExif: boolean): void {
  const start = reader.long(pointerAt);
  const count = Math.min(reader.short(start), 500);
  for (let index = 0; index < count; index += 1) {
    const at = start + 2 + index * 12;
    const tag = reader.short(at);
    if (tag === exifDirectory && followsExif) readDirectory(reader, at + 8, into, false);
    const name = names.get(tag);
    const value = name === undefined ? undefined : readValue(reader, at);
    if (name !== undefined && value !== undefined && value !== '') into[name] = value;
  }
}

function readValue(reader: Reader, at: number): string | number | undefined {
  const type = reader.short(at + 2);
  const count = reader.long(at + 4);
  switch (type) {
    case 2:
      return reader.text(count <= 4 ? at + 8 : reader.long(at + 8), count);
    case 3:
      return reader.short(at + 8);
    case 4:
      return reader.long(at + 8);
    case 5: {
      const where = reader.long(at + 8);
      const below = reader.long(where + 4);
      return below === 0 ? undefined : Math.round((reader.long(where) / below) * 1e6) / 1e6;
    }
    default:
      return undefined;
  }
}
