import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { mergeWiki, resolveWikiConflict, type WikiContent } from '#shared/merge/wiki.ts';
import type { DocumentRef } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';

function documentRef(documentid: number): DocumentRef {
  const name = `manual-${documentid}`;
  return { documentid, guid: name, text: name, extension: 'pdf', icon: '', url: '', download_url: '' };
}

describe('wikis', () => {
  const base = {
    title: 'Radio',
    display_title: 'Radios',
    parent: null,
    description: 'About radios.',
    contents_raw: 'One line.\nAnother line.',
    image: null,
    flags: ['a'],
    table_of_contents: false,
  };

  test('MERGE-90 MERGE-92 contents merge word by word and flags one by one', () => {
    const { merged, conflicts } = mergeWiki(
      base,
      { ...base, contents_raw: 'One long line.\nAnother line.', flags: ['a', 'm'] },
      { ...base, contents_raw: 'One line.\nAnother short line.', flags: [] },
    );
    expect(merged).toMatchObject({ contents_raw: 'One long line.\nAnother short line.', flags: ['m'] });
    expect(conflicts).toEqual([]);
  });

  test('MERGE-91 two display titles are a conflict', () => {
    const mine = { ...base, display_title: 'Wireless' };
    const { merged, conflicts } = mergeWiki(base, mine, { ...base, display_title: 'Receivers' });
    expect(merged.display_title).toBe('Receivers');
    expect(resolveWikiConflict(merged, must(conflicts[0], 'conflict'), 'mine')).toEqual(mine);
  });

  const page: WikiContent = {
    ...base,
    page_title: 'Radio repair',
    repairability_score: 4,
    info: [{ name: 'Maker', value: 'Grundig' }],
    suppliers: [{ supplier: 'Conrad', 'part_#': '7', type: 'Shop', url: '' }],
    documents: [],
  };

  test('MERGE-91 a page title and a score from different sides both stay; two scores are a conflict', () => {
    const mine = { ...page, page_title: 'How to repair radios' };
    const theirs = { ...page, repairability_score: 6 };
    expect(mergeWiki(page, mine, theirs)).toMatchObject({
      merged: { page_title: 'How to repair radios', repairability_score: 6 },
      conflicts: [],
    });
    const two = mergeWiki(page, { ...page, repairability_score: 9 }, theirs);
    expect(two.merged.repairability_score).toBe(6);
    expect(two.conflicts.map((conflict) => conflict.id)).toEqual(['repairability_score']);
  });

  test('MERGE-93 facts merge by their names and suppliers by name and part number, their other fields as values', () => {
    const seven = { supplier: 'Conrad', 'part_#': '7', type: 'Shop', url: '' };
    const eight = { ...seven, 'part_#': '8' };
    const sides = (maker: string, more: Partial<WikiContent>): WikiContent => ({
      ...page,
      info: [{ name: 'Maker', value: maker }],
      ...more,
    });
    const { merged, conflicts } = mergeWiki(
      page,
      sides('Grundig AG', { suppliers: [{ ...seven, url: 'https://conrad.test' }] }),
      sides('Old Grundig', { suppliers: [{ ...seven, type: 'Maker' }, eight] }),
    );
    expect(merged.suppliers).toEqual([{ ...seven, type: 'Maker', url: 'https://conrad.test' }, eight]);
    expect(conflicts).toMatchObject([{ kind: 'value', mine: 'Grundig AG', theirs: 'Old Grundig' }]);
    expect(conflicts[0]?.place).toEqual({ list: 'info', element: 'Maker', field: 'value' });
    expect(merged.info).toEqual([{ name: 'Maker', value: 'Old Grundig' }]);
  });

  test('MERGE-1 MERGE-2 MERGE-3 MERGE-5 edits of any fields of a page merge correctly, from either side', () => {
    const edits = fc.record<Partial<WikiContent>>(
      {
        page_title: fc.constantFrom('A', 'B'),
        repairability_score: fc.constantFrom(null, 1, 2),
        info: fc.subarray([
          { name: 'Maker', value: 'Grundig' },
          { name: 'Maker 2', value: 'Saba' },
        ]),
        suppliers: fc.subarray([
          { supplier: 'Conrad', 'part_#': '7', type: 'Shop', url: '' },
          { supplier: 'Conrad', 'part_#': '8', type: 'Shop', url: '' },
        ]),
        documents: fc.subarray([documentRef(1), documentRef(2)]),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(edits, edits, (first, second) => {
        const mine = { ...page, ...first };
        const theirs = { ...page, ...second };
        const { merged, conflicts } = mergeWiki(page, mine, theirs);
        expect(mergeWiki(page, page, theirs).merged).toEqual(theirs);
        expect(mergeWiki(page, mine, page).merged).toEqual(mine);
        expect(mergeWiki(theirs, merged, theirs).merged).toEqual(merged);
        const swapped = mergeWiki(page, theirs, mine).conflicts.map((conflict) => conflict.id);
        expect(swapped.toSorted()).toEqual(conflicts.map((conflict) => conflict.id).toSorted());
      }),
    );
  });
});
