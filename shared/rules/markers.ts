import { type Drawing, type Size, parseMarkup, rectangleBox } from '#shared/formats/wikitext/markup.ts';

import { type ColourBullet, bulletOfMarker, outlineOf } from './bullet-shapes.ts';

/** A marker in a picture, in pixels of the original image. */
export interface Marker {
  shape: 'circle' | 'rectangle' | 'line' | 'arrow' | 'gap';
  colour: string;
  /** circle: cx, cy, r; rectangle: x1, y1, x2, y2; line, arrow, gap: x1, y1, x2, y2. */
  points: number[];
}

/** The markers in an image's markup, in pixels of the original image. */
export function parseMarkers(markup: string | undefined, image: Size): Marker[] {
  return markup === undefined ? [] : parseMarkup(markup).draw.map((drawing) => markerOf(drawing, image));
}

/** Converts a drawing of a markup to a marker. */
export function markerOf(drawing: Drawing, image: Size): Marker {
  const { from, color: colour } = drawing;
  if (drawing.kind === 'circle') {
    return { shape: 'circle', colour, points: [from.x, from.y, drawing.radius] };
  }
  if (drawing.kind === 'rectangle') {
    const box = rectangleBox(drawing, image);
    const [right, bottom] = [box.from.x + box.size.width, box.from.y + box.size.height];
    return { shape: 'rectangle', colour, points: [box.from.x, box.from.y, right, bottom] };
  }
  return { shape: drawing.kind, colour, points: [from.x, from.y, drawing.to.x, drawing.to.y] };
}

/** The unit in which markers are drawn: proportional to the picture, so that they look the same at every size. */
export function markerUnit({ width, height }: { width: number; height: number }): number {
  return Math.max(width, height) / 200;
}

interface Outline {
  path: string;
  /** Position of the symbol that shows the colour as a shape. */
  sign: [number, number];
}

export function markerOutline({ shape, points }: Marker, unit: number): Outline {
  const [a = 0, b = 0, c = 0, d = 0] = points;
  switch (shape) {
    case 'circle':
      return {
        path: `M${a - c} ${b}a${c} ${c} 0 1 0 ${c * 2} 0a${c} ${c} 0 1 0 ${-c * 2} 0z`,
        sign: [a - c * Math.SQRT1_2, b - c * Math.SQRT1_2],
      };
    case 'rectangle':
      return { path: `M${a} ${b}H${c}V${d}H${a}z`, sign: [Math.min(a, c), Math.min(b, d)] };
    case 'line':
      return { path: `M${a} ${b}L${c} ${d}`, sign: [a, b] };
    case 'arrow':
      return { path: `M${a} ${b}L${c} ${d}${head(a, b, c, d, unit * 7)}`, sign: [a, b] };
    case 'gap':
      return {
        path: `M${a} ${b}L${c} ${d}${bar(a, b, c, d, unit * 5)}${bar(c, d, a, b, unit * 5)}`,
        sign: [(a + c) / 2, (b + d) / 2],
      };
    default:
      return shape satisfies never;
  }
}

/** The two strokes of an arrow's head at its end point. */
function head(x1: number, y1: number, x2: number, y2: number, size: number): string {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const side = (turn: number) =>
    `${x2 - size * Math.cos(angle + turn)} ${y2 - size * Math.sin(angle + turn)}`;
  return `M${side(0.5)}L${x2} ${y2}L${side(-0.5)}`;
}

/** The stroke across the first end of a gap. */
function bar(x1: number, y1: number, x2: number, y2: number, size: number): string {
  const across = Math.atan2(y2 - y1, x2 - x1) + Math.PI / 2;
  const dx = size * Math.cos(across);
  const dy = size * Math.sin(across);
  return `M${x1 - dx} ${y1 - dy}L${x1 + dx} ${y1 + dy}`;
}

/** Photos look the same in every theme, and so do their markers. */
const markerColours: Record<ColourBullet, string> = {
  black: '#1c2230',
  red: '#c1260c',
  orange: '#d66a00',
  yellow: '#e6b800',
  green: '#1f8a36',
  light_blue: '#1f9bd1',
  blue: '#2443e8',
  violet: '#8a2be2',
};

/**
 * The markers of a picture as a self-contained SVG of the same size in pixels; null when there are none. `extra`:
 * further attributes of the root element, written unescaped.
 */
export function markersSvg(markup: string | undefined, image: Size, extra = ''): string | null {
  const markers = parseMarkers(markup, image);
  if (markers.length === 0 || image.width <= 0 || image.height <= 0) return null;
  const unit = markerUnit(image);
  const { width, height } = image;
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"${extra}>`;
  return `${open}${markers.map((marker) => markerSvg(marker, unit)).join('')}</svg>`;
}

function markerSvg(marker: Marker, unit: number): string {
  const bullet = bulletOfMarker(marker.colour);
  const colour = markerColours[bullet];
  const { path, sign } = markerOutline(marker, unit);
  const stroke = 'fill="none" stroke-linecap="round" stroke-linejoin="round"';
  return (
    `<path d="${path}" ${stroke} stroke="#fff" stroke-opacity="0.85" stroke-width="${unit * 2.6}"/>` +
    `<path d="${path}" ${stroke} stroke="${colour}" stroke-width="${unit * 1.5}"/>` +
    `<g transform="translate(${sign[0]} ${sign[1]}) scale(${unit / 4.6}) translate(-12 -12)">` +
    `<circle cx="12" cy="12" r="17" fill="#fff"/>` +
    `<path d="${outlineOf(bullet)}" fill-rule="evenodd" fill="${colour}" stroke="#1c2230" stroke-width="0.75"/></g>`
  );
}
