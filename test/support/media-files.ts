import { must } from '#shared/must.ts';

/** A one-page PDF with a cross-reference table. */
export function pdfFile(): Uint8Array<ArrayBuffer> {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>',
  ];
  let text = '%PDF-1.4\n';
  const starts = objects.map((object, index) => {
    const start = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return start;
  });
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  const end = `xref\n0 4\n0000000000 65535 f \n${table}trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return bytesOf(text + end);
}

/** The beginning of a video file of the given brand (`isom`, `qt `) with an empty `mdat`. */
export function movieFile(brand: string): Uint8Array<ArrayBuffer> {
  return bytesOf(`\0\0\0\x18ftyp${brand}\0\0\x02\0${brand}mp41\0\0\0\x08mdat`);
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

/** A BMP of 24 bits per pixel with rows from the bottom. `pixel` returns red, green and blue. */
export function bmpFile(
  width: number,
  height: number,
  pixel: (x: number, y: number) => number[],
): Uint8Array<ArrayBuffer> {
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + rowBytes * height);
  file.write('BM', 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue] = pixel(x, y);
      const at = 54 + (height - 1 - y) * rowBytes + x * 3;
      file[at] = must(blue, 'blue');
      file[at + 1] = must(green, 'green');
      file[at + 2] = must(red, 'red');
    }
  }
  return Uint8Array.from(file);
}
