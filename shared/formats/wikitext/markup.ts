/** A point in the original image, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The colours of annotations, with the values in which they are drawn. */
export const markupColors = {
  black: '#11161a',
  red: '#c1280b',
  orange: '#ff9024',
  yellow: '#f3e00e',
  green: '#16dc81',
  blue: '#2343e8',
  indigo: '#4b0082',
  violet: '#dc54b7',
  lightBlue: '#1bb1e9',
  darkBlue: '#14288b',
  pink: '#ff7fc4',
} as const;
export type MarkupColor = keyof typeof markupColors;

export interface Crop {
  readonly from: Point;
  readonly size: Size;
}

/**
 * One drawing. The second pair of a rectangle is stored as written: some sources mean the opposite corner, others the
 * size; `rectangleBox` decides.
 */
export type Drawing =
  | { readonly kind: 'circle'; readonly from: Point; readonly radius: number; readonly color: MarkupColor }
  | {
      readonly kind: 'rectangle' | 'line' | 'arrow' | 'gap';
      readonly from: Point;
      readonly to: Point;
      readonly color: MarkupColor;
    };

export interface Markup {
  readonly crop: Crop | null;
  readonly draw: readonly Drawing[];
  /** Instructions that could not be read, stored so that writing loses nothing. */
  readonly unknown: readonly string[];
}

const NUMBER = /^-?\d{1,9}(?:\.\d{1,9})?$/;

/** Parses an image's `markup` string: `;crop,0x0,800x600;circle,120x80,30,red;`. Never throws. */
export function parseMarkup(markup: string): Markup {
  let crop: Crop | null = null;
  const draw: Drawing[] = [];
  const unknown: string[] = [];
  for (const part of markup.split(';').map((each) => each.trim())) {
    if (part === '' || part === 'null') continue;
    const fields = part.split(',');
    const cropped: Crop | null = crop === null ? readCrop(fields) : null;
    const drawing = readDrawing(fields);
    if (cropped !== null) crop = cropped;
    else if (drawing !== null) draw.push(drawing);
    else unknown.push(part);
  }
  return { crop, draw, unknown };
}

/** Formats a `markup` string; `;null;`, which clears the annotation, when it is empty. */
export function formatMarkup({ crop, draw, unknown }: Markup): string {
  const parts = [...(crop === null ? [] : [formatCrop(crop)]), ...draw.map(formatDrawing), ...unknown];
  return `;${parts.length === 0 ? 'null' : parts.join(';')};`;
}

/** The box of a rectangle: between two points if both lie inside the image, else corner and size. */
export function rectangleBox({ from, to }: { from: Point; to: Point }, image: Size): Crop {
  if (!contains(image, from) || !contains(image, to)) {
    return { from, size: { width: Math.abs(to.x), height: Math.abs(to.y) } };
  }
  return {
    from: { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y) },
    size: { width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) },
  };
}

function contains({ width, height }: Size, { x, y }: Point): boolean {
  return x >= 0 && y >= 0 && x <= width && y <= height;
}

function readCrop(fields: readonly string[]): Crop | null {
  const from = readPair(fields[1]);
  const size = readPair(fields[2]);
  if (fields.length !== 3 || fields[0] !== 'crop' || from === null || size === null) return null;
  return { from, size: { width: size.x, height: size.y } };
}

function readDrawing(fields: readonly string[]): Drawing | null {
  const [kind, first, second = '', name = ''] = fields;
  const from = readPair(first);
  if (fields.length !== 4 || from === null || !isColor(name)) return null;
  if (kind === 'circle')
    return NUMBER.test(second) ? { kind, from, radius: Number(second), color: name } : null;
  if (kind !== 'rectangle' && kind !== 'line' && kind !== 'arrow' && kind !== 'gap') return null;
  const to = readPair(second);
  return to === null ? null : { kind, from, to, color: name };
}

function readPair(field = ''): Point | null {
  const [x = '', y = '', ...rest] = field.split('x');
  return NUMBER.test(x) && NUMBER.test(y) && rest.length === 0 ? { x: Number(x), y: Number(y) } : null;
}

function isColor(name: string): name is MarkupColor {
  return Object.hasOwn(markupColors, name);
}

function formatCrop({ from, size }: Crop): string {
  return `crop,${formatPair(from)},${size.width}x${size.height}`;
}

function formatDrawing(drawing: Drawing): string {
  const end = drawing.kind === 'circle' ? String(drawing.radius) : formatPair(drawing.to);
  return `${drawing.kind},${formatPair(drawing.from)},${end},${drawing.color}`;
}

function formatPair({ x, y }: Point): string {
  return `${x}x${y}`;
}
