/** Width and height in pixels of a PNG, GIF, JPEG, WebP or BMP file; null for anything else. */
export function imageSize(bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = (text: string, at = 0): boolean =>
    bytes.length >= at + text.length &&
    text.split('').every((letter, index) => bytes[at + index] === letter.charCodeAt(0));
  if (starts('\u0089PNG') && bytes.length >= 24)
    return { width: view.getUint32(16), height: view.getUint32(20) };
  if (starts('GIF8') && bytes.length >= 10)
    return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (starts('BM') && bytes.length >= 26) {
    return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
  }
  if (starts('RIFF') && starts('WEBP', 8) && bytes.length >= 30) return webpSize(view, starts);
  return view.byteLength >= 4 && view.getUint16(0) === 0xffd8 ? jpegSize(view) : null;
}

function webpSize(
  view: DataView,
  starts: (text: string, at: number) => boolean,
): { width: number; height: number } | null {
  if (starts('VP8X', 12)) {
    const at24 = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_0000;
    return { width: at24(24) + 1, height: at24(27) + 1 };
  }
  if (starts('VP8L', 12)) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (!starts('VP8 ', 12)) return null;
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

/** Reads the frame header. Swaps width and height if the EXIF orientation turns the picture by 90 degrees. */
function jpegSize(view: DataView): { width: number; height: number } | null {
  let at = 2;
  let isTurned = false;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      return isTurned ? { width: height, height: width } : { width, height };
    }
    if (marker === 0xe1) isTurned = orientation(view, at + 4) >= 5;
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** The orientation tag of an EXIF segment; 1 (upright) without one. */
function orientation(view: DataView, start: number): number {
  const tiff = start + 6;
  if (tiff + 8 > view.byteLength || view.getUint32(start) !== 0x4578_6966) return 1;
  const little = view.getUint16(tiff) === 0x4949;
  const directory = tiff + view.getUint32(tiff + 4, little);
  if (directory + 2 > view.byteLength) return 1;
  const count = view.getUint16(directory, little);
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > view.byteLength) return 1;
    if (view.getUint16(entry, little) === 0x0112) return view.getUint16(entry + 8, little);
  }
  return 1;
}
