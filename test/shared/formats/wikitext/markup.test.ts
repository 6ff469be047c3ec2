import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatMarkup,
  markupColors,
  parseMarkup,
  rectangleBox,
  type Drawing,
  type Markup,
  type MarkupColor,
} from '#shared/formats/wikitext/markup.ts';
import { readJson, readText } from './fixtures.ts';

const folder = fileURLToPath(new URL('../../../fixtures/node-markup/', import.meta.url));
const samples = readdirSync(folder)
  .filter((name) => name.endsWith('.markup'))
  .map((name) => name.replace(/\.markup$/, ''));

/** The recorded form of a drawing, e.g. `{circle: {from, radius, color}}`. */
function recordedForm(drawing: Drawing): unknown {
  if (drawing.kind === 'circle') {
    const { from, radius, color } = drawing;
    return { circle: { from, radius, color } };
  }
  const { kind, from, to, color } = drawing;
  if (kind === 'rectangle') return { rectangle: { from, size: { width: to.x, height: to.y }, color } };
  return { [kind]: { from, to, color } };
}

function recordedInstructions({ crop, draw }: Markup): unknown {
  return { ...(crop === null ? {} : { crop }), draw: draw.map(recordedForm) };
}

describe('image annotations', () => {
  it('WIKITEXT-13 has samples of all kinds of drawings', () => {
    expect(samples).toHaveLength(7);
  });

  it.each(samples)('WIKITEXT-13 reads sample %s as recorded and writes it back', (name) => {
    const text = readText(`node-markup/${name}.markup`).trim();
    const markup = parseMarkup(text);
    expect(recordedInstructions(markup)).toEqual(
      readJson<{ instructions: unknown }>(`node-markup/${name}.json`).instructions,
    );
    expect(formatMarkup(markup)).toBe(text);
  });

  it('WIKITEXT-13 reads fractions, negative crops and the cleared annotation', () => {
    expect(parseMarkup(';crop,-10.5x0,800x600.25;').crop).toEqual({
      from: { x: -10.5, y: 0 },
      size: { width: 800, height: 600.25 },
    });
    expect(parseMarkup(';null;')).toEqual({ crop: null, draw: [], unknown: [] });
    expect(formatMarkup({ crop: null, draw: [], unknown: [] })).toBe(';null;');
  });

  it('WIKITEXT-13 keeps unreadable instructions', () => {
    const text = ';circle,10x20,5,red;spiral,1x2,3x4,red;circle,1x2,3,mauve;crop,1x1;';
    expect(parseMarkup(text).unknown).toEqual(['spiral,1x2,3x4,red', 'circle,1x2,3,mauve', 'crop,1x1']);
    expect(formatMarkup(parseMarkup(text))).toBe(text);
  });

  it('WIKITEXT-13 reads a rectangle as two points if both are inside the image, else as corner and size', () => {
    const image = { width: 1200, height: 900 };
    const box = { from: { x: 100, y: 50 }, size: { width: 300, height: 350 } };
    expect(rectangleBox({ from: { x: 400, y: 400 }, to: { x: 100, y: 50 } }, image)).toEqual(box);
    expect(rectangleBox({ from: { x: 400, y: 400 }, to: { x: 300, y: 950 } }, image)).toEqual({
      from: { x: 400, y: 400 },
      size: { width: 300, height: 950 },
    });
  });

  it('WIKITEXT-13 reads what it writes, and never throws', () => {
    const number = fc
      .double({ min: -5000, max: 5000, noNaN: true })
      .map((value) => Math.round(value * 100) / 100 + 0);
    const point = fc.record({ x: number, y: number });
    const color = fc.constantFrom(
      ...Object.keys(markupColors).filter((name): name is MarkupColor => name in markupColors),
    );
    const drawing = fc.oneof(
      fc.record({ kind: fc.constant('circle' as const), from: point, radius: number, color }),
      fc.record({
        kind: fc.constantFrom('rectangle', 'line', 'arrow', 'gap'),
        from: point,
        to: point,
        color,
      }),
    );
    fc.assert(
      fc.property(fc.array(drawing), (draw) => {
        const markup = { crop: null, draw, unknown: [] };
        expect(parseMarkup(formatMarkup(markup))).toEqual(markup);
      }),
      { seed: 15 },
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        const markup = parseMarkup(text);
        expect(parseMarkup(formatMarkup(markup))).toEqual(markup);
      }),
      { seed: 15 },
    );
  });
});
