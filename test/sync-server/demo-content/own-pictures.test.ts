import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import sharp from 'sharp';
import { describe, expect, it } from 'vitest';

import { must } from '#shared/must.ts';
import { drawnFiles } from '#server/demo-content/draw.ts';
import { loadOwnContent } from '#server/demo-content/load.ts';

const own = loadOwnContent();
const folder = new URL('../', must(own.pictures[0], 'a picture').file);
const steps = own.guides.flatMap((guide) => guide.steps);

function picturesOf(step: (typeof steps)[number]): { guid: string; id: number }[] {
  return step.media.type === 'image' ? step.media.data : [];
}

type Marking = { shape: string; points: [number, number][]; radius: number; colour: string };

function markings(markup: string): Marking[] {
  expect(markup).toMatch(/^(;(circle,\d+x\d+,\d+|(rectangle|arrow|line),\d+x\d+,\d+x\d+),[a-zA-Z]+)+;$/);
  return markup
    .split(';')
    .filter(Boolean)
    .map((instruction) => {
      const parts = instruction.split(',');
      const points = parts
        .filter((part) => /^\d+x\d+$/.test(part))
        .map((part) => part.split('x').map(Number) as [number, number]);
      const radius = parts[0] === 'circle' ? Number(parts[2]) : 0;
      return { shape: parts[0] ?? '', points, radius, colour: parts.at(-1) ?? '' };
    });
}

describe('the pictures of our own guides', () => {
  it('are what the drawing program draws', () => {
    const drawn = drawnFiles();
    const kept = [
      ...readdirSync(new URL('pictures/', folder)).map((name) => `pictures/${name}`),
      'documents/bench-grinder-torque-table.pdf',
    ];
    expect(kept.toSorted()).toEqual([...drawn.keys()].toSorted());
    for (const [path, text] of drawn)
      expect(readFileSync(new URL(path, folder), 'utf8') === text, `${path} is up to date`).toBe(true);
  });

  it('exist for every reference, and none is unused', () => {
    const used = new Set([
      ...steps.flatMap((step) => picturesOf(step).map((picture) => picture.guid)),
      ...own.guides.flatMap((guide) => guide.image?.guid ?? []),
      ...own.categories.categories.flatMap((category) => category.image ?? []),
    ]);
    expect([...used].toSorted()).toEqual(own.pictures.map((picture) => picture.guid).toSorted());
  });

  it('are one to three per step, each with one id and one guid', () => {
    const counts = steps.map((step) => picturesOf(step).length);
    expect(counts.filter((count) => count < 1 || count > 3)).toEqual([]);
    const pairs = new Set(
      [...steps.flatMap(picturesOf), ...own.guides.flatMap((guide) => guide.image ?? [])].map(
        ({ id, guid }) => `${id} ${guid}`,
      ),
    );
    expect(new Set([...pairs].map((pair) => pair.split(' ')[0])).size).toBe(pairs.size);
    expect(new Set([...pairs].map((pair) => pair.split(' ')[1])).size).toBe(pairs.size);
  });

  it.each(own.pictures.map(({ guid, file }) => [guid, file] as const))(
    '%s is a self-contained drawing of 1600 by 1200',
    async (_, file) => {
      const svg = readFileSync(file, 'utf8');
      const { format, width, height } = await sharp(fileURLToPath(file)).metadata();
      expect({ format, width, height }).toEqual({ format: 'svg', width: 1600, height: 1200 });
      expect(svg).not.toMatch(/<script|<image|<use|<foreignObject|<!|\son\w+=|href|@import/i);
      const targets = [...svg.matchAll(/url\(([^)]*)\)/g)].map((match) => match[1]);
      expect(targets.filter((target) => !svg.includes(`id="${target?.slice(1)}"`))).toEqual([]);
    },
  );

  it('have markers only inside them, in colours that a line of the step mentions', () => {
    for (const step of steps) {
      const bullets = new Set(
        step.lines.map((line) => (line.bullet === 'light_blue' ? 'lightBlue' : line.bullet)),
      );
      for (const { guid } of picturesOf(step)) {
        const markup = own.pictures.find((picture) => picture.guid === guid)?.markup;
        for (const { points, radius, colour } of markup ? markings(markup) : []) {
          expect(bullets, `${colour} in ${guid}`).toContain(colour);
          for (const [x, y] of points) {
            expect(Math.min(x - radius, 1600 - x - radius), `${guid} ${colour} x`).toBeGreaterThanOrEqual(0);
            expect(Math.min(y - radius, 1200 - y - radius), `${guid} ${colour} y`).toBeGreaterThanOrEqual(0);
          }
        }
      }
    }
  });

  it('have a marker for every coloured line of a step', () => {
    const unmarked = steps.flatMap((step) => {
      const colours = new Set(
        picturesOf(step).flatMap(({ guid }) => {
          const markup = own.pictures.find((picture) => picture.guid === guid)?.markup;
          return markup ? markings(markup).map((marking) => marking.colour) : [];
        }),
      );
      return step.lines
        .map((line) => (line.bullet === 'light_blue' ? 'lightBlue' : line.bullet))
        .filter((bullet) => bullet !== 'black' && !bullet.startsWith('icon_') && !colours.has(bullet))
        .map((bullet) => `${step.stepid} ${bullet}`);
    });
    expect(unmarked).toEqual([]);
  });
});

describe('the documents of our own guides', () => {
  it('are linked by their guide', () => {
    for (const { documentid, guid, guideid, filename, title } of own.documents) {
      const guide = own.guides.find((candidate) => candidate.guideid === guideid);
      expect(guide?.documents).toContainEqual(
        expect.objectContaining({ documentid, text: title, url: `/Document/${guid}/${filename}` }),
      );
    }
    expect(own.guides.flatMap((guide) => guide.documents)).toHaveLength(own.documents.length);
  });

  it('are PDF files with a correct cross-reference table', () => {
    for (const { file, pages } of own.documents) {
      const text = readFileSync(file, 'latin1');
      expect(text).toMatch(/^%PDF-1\.\d\n/);
      expect(text.trimEnd()).toMatch(/%%EOF$/);
      expect([...text.matchAll(/\/Type \/Page /g)]).toHaveLength(pages);
      const start = Number(/startxref\n(\d+)\n/.exec(text)?.[1]);
      expect(text.slice(start, start + 5)).toBe('xref\n');
      const offsets = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map((match) =>
        Number(match[1]),
      );
      expect(offsets.map((offset) => text.slice(offset, offset + 7))).toEqual(
        offsets.map((_, i) => `${i + 1} 0 obj`),
      );
      const stream = /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(text);
      expect(stream?.[2]).toHaveLength(Number(stream?.[1]));
    }
  });
});
