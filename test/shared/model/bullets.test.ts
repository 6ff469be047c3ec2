import { describe, expect, it } from 'vitest';
import { bulletEntries, bulletStyleOf } from '#shared/model/bullets.ts';
import { bullets, type Bullet } from '#shared/model/guide.ts';
import { bulletStyle } from '#shared/model/guide-record.ts';
import { readGuides } from '#test/shared/formats/wikitext/fixtures.ts';

interface Guide {
  steps: { lines: { bullet: Bullet; bullet_styleid: number; bullet_style: unknown }[] }[];
}

describe('bullets', () => {
  it('WIKITEXT-14 gives the bullet style of every recorded line', () => {
    const lines = readGuides<Guide>().flatMap((guide) => guide.steps.flatMap((step) => step.lines));
    expect(lines.length).toBeGreaterThan(1000);
    for (const line of lines) {
      const { bullet_style, bullet_styleid } = line;
      expect({ bullet_styleid, bullet_style }).toEqual(bulletStyleOf(line.bullet));
    }
  });

  it('WIKITEXT-14 has all eleven bullets, each with its own id and shape', () => {
    expect(Object.keys(bulletEntries).toSorted()).toEqual([...bullets].toSorted());
    const entries = Object.values(bulletEntries);
    expect(new Set(entries.map(({ shape }) => shape)).size).toBe(11);
    expect(entries.map(({ style }) => style.bullet_styleid).toSorted((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
    for (const { style } of entries) expect(bulletStyle.parse(style)).toEqual(style);
  });
});
