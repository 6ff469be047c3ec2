import qrcode from 'qrcode-generator';

import { type Html, safe } from '#shared/html.ts';

/** Width of the light border that scanners need, in modules. */
const quiet = 4;

/** The dark modules of a QR code as an SVG path; `side` counts the border too. Null when the text is too long. */
export function qrPath(text: string): { side: number; path: string } | null {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > 1000) return null;
  const code = qrcode(0, 'M');
  code.addData(String.fromCharCode(...bytes), 'Byte');
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (code.isDark(row, column)) path += `M${column + quiet} ${row + quiet}h1v1h-1z`;
    }
  }
  return { side: count + 2 * quiet, path };
}

/** The QR code of a text as an SVG; null when the text is too long. */
export function qrCode(text: string, label: string): Html | null {
  const drawn = qrPath(text);
  if (drawn === null) return null;
  const { side, path } = drawn;
  return safe`<svg
    viewBox="0 0 ${side} ${side}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <path fill="#fff" d="M0 0h${side}v${side}h-${side}z" />
    <path fill="#000" d="${path}" />
  </svg>`;
}
