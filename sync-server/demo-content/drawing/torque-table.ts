/** A4 in points. */
const page = { width: 595, height: 842 };
const columns = [56, 218, 306, 386, 462] as const;

const heading = ['Fastener', 'Thread', 'Tool', 'Torque (Nm)', 'Step'] as const;
const rows = [
  ['Guard screws, three', 'M4 x 10', 'T20', '2.0 to 3.0', '2'],
  ['Arbor nut, left end', 'M16 left-hand', '24 mm', '30', '3'],
  ['Belt cover, two at the top', 'M4 x 12', 'T20', '2.0 to 3.0', '4'],
  ['Belt cover, one below', 'M4 x 20', 'T20', '2.0 to 3.0', '4'],
  ['Clamp bolt, motor plate', 'M8', 'Hex 6 mm', '22 to 26', '9'],
  ['Lock nut, tension screw', 'M8', '13 mm', '10 to 12', '9'],
] as const;

const notes = [
  'Threads dry and clean. Tighten in one steady pull.',
  'The nut at the left end tightens counter-clockwise.',
  'Belt 13 x 480: deflection 2 to 3 mm at 10 N in the middle of the span.',
  'Measure the tension again after eight hours of running.',
] as const;

/** The torque table of the bench grinder: a PDF of one page, as text with one byte per character. */
export function torqueTablePdf(): string {
  const content = pageContent();
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R /Lang (en) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Resources << /Font << /R 4 0 R /B 5 0 R >> >> /Contents 6 0 R >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Title (Bench grinder torque table) /Author (Ana Ruiz) >>',
  ]);
}

function pageContent(): string {
  const top = 690;
  const rowHeight = 30;
  const bottom = top - rows.length * rowHeight;
  return [
    '0.15 0.19 0.24 rg',
    write('B', 22, 56, 762, 'Bench grinder: torque table'),
    write('R', 11, 56, 740, 'Belongs to the guide "Bench Grinder Drive Belt Replacement"'),
    '0.92 0.95 0.96 rg',
    `50 ${top - 10} 495 ${rowHeight} re f`,
    '0.15 0.19 0.24 rg',
    ...heading.map((text, i) => write('B', 11, columns[i] ?? 0, top, text)),
    ...rows.flatMap((row, r) =>
      row.map((text, i) => write(i === 3 ? 'B' : 'R', 11, columns[i] ?? 0, top - (r + 1) * rowHeight, text)),
    ),
    '0.75 0.80 0.84 RG 0.7 w',
    ...rows.map((_, r) => `50 ${top - (r + 1) * rowHeight - 10} m 545 ${top - (r + 1) * rowHeight - 10} l S`),
    write('B', 12, 56, bottom - 50, 'Notes'),
    ...notes.map((text, i) => write('R', 11, 56, bottom - 72 - i * 18, `${i + 1}.  ${text}`)),
  ].join('\n');
}

function write(font: 'R' | 'B', size: number, x: number, y: number, text: string): string {
  return `BT /${font} ${size} Tf ${x} ${y} Td (${text.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj ET`;
}

/** Numbers the objects from 1 and appends the table of their byte offsets. */
function assemble(objects: readonly string[]): string {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}
