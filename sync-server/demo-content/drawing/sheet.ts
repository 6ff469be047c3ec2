import { project, type Point3D } from './geometry.ts';
import { number } from './paint.ts';

const sheetWidth = 1600;
const sheetHeight = 1200;

/** Position of the machine's origin on the sheet, and pixels per millimetre. */
export type Camera = { x: number; y: number; scale: number };

/** Colour names of the image markup; each belongs to the bullet of the same colour. */
export type MarkerColour = 'black' | 'red' | 'orange' | 'yellow' | 'green' | 'lightBlue' | 'blue' | 'violet';

/** A marker in millimetres of the machine. */
export type Marker =
  | { shape: 'circle'; at: Point3D; radius: number; colour: MarkerColour }
  | { shape: 'rectangle' | 'arrow' | 'line'; from: Point3D; to: Point3D; colour: MarkerColour };

export type Picture = { guid: string; camera: Camera; drawing: string; markers: Marker[]; bench?: number };

/** The whole picture as an SVG document. */
export function pictureSvg({ camera, drawing, bench }: Picture): string {
  const { x, y, scale } = camera;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${sheetWidth} ${sheetHeight}" width="${sheetWidth}" height="${sheetHeight}">`,
    '<defs><linearGradient id="air" x1="0" y1="0" x2="0.55" y2="1"><stop offset="0" stop-color="#e6ebf1"/><stop offset="0.5" stop-color="#d6e0e5"/><stop offset="1" stop-color="#c3d0d9"/></linearGradient></defs>',
    `<rect width="${sheetWidth}" height="${sheetHeight}" fill="url(#air)"/>`,
    bench === undefined ? '' : benchTop(bench),
    `<g transform="translate(${number(x)} ${number(y)}) scale(${number(scale)})" stroke-linejoin="round">${drawing}</g>`,
    '</svg>\n',
  ].join('\n');
}

function benchTop(y: number): string {
  return (
    `<rect y="${y}" width="${sheetWidth}" height="${sheetHeight - y}" fill="#b3c2cc" opacity="0.55"/>` +
    `<rect y="${y}" width="${sheetWidth}" height="5" fill="#ffffff" opacity="0.5"/>`
  );
}

/** The markers of a picture as a markup string in pixels of the sheet. */
export function markupOf({ camera, markers }: Picture): string {
  if (markers.length === 0) return '';
  const pixel = (place: Point3D): string => {
    const [px, py] = project(place);
    return `${Math.round(camera.x + px * camera.scale)}x${Math.round(camera.y + py * camera.scale)}`;
  };
  const instructions = markers.map((marker) =>
    marker.shape === 'circle'
      ? `circle,${pixel(marker.at)},${Math.round(marker.radius * camera.scale)},${marker.colour}`
      : `${marker.shape},${pixel(marker.from)},${pixel(marker.to)},${marker.colour}`,
  );
  return `;${instructions.join(';')};`;
}
