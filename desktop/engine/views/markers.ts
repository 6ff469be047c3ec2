import type { Drawing, Size } from '#shared/wikitext/markup.ts';
import { parseMarkup, rectangleBox } from '#shared/wikitext/markup.ts';

import type { Marker } from './records.ts';

/** The markers in an image's markup, in pixels of the original image. */
export function parseMarkers(markup: string | undefined, image: Size): Marker[] {
  return markup === undefined ? [] : parseMarkup(markup).draw.map((drawing) => markerOf(drawing, image));
}

/** One drawing of a markup as it is shown. */
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
