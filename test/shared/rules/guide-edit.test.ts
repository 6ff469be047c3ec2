import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { guideEdit, newGuide } from '#shared/api/guides.ts';
import { alignLines } from '#shared/rules/align-lines.ts';
import { emptyContent, emptyStep } from '#shared/rules/guide-content.ts';
import { applyBody, guideEditBody, newGuideBody, type BodyLookup } from '#shared/rules/guide-edit-body.ts';
import { applyEdit, contentOf } from '#shared/rules/guide-edit.ts';
import { validateChange, validateContent } from '#shared/rules/guide-limits.ts';
import { Editor, guideOf, plainGuide, rawEdits } from '#test/support/guide-edits.ts';
import { runs } from '#test/support/long-run.ts';

const base = contentOf(plainGuide);
const picture = { id: 5, guid: 'abcdefghijklmnop', width: 1600, height: 1200 };
const offlinePicture = { id: 0, guid: 'tmp:0198c0de-0000-7000-8000-000000000001', width: 800, height: 600 };
const nothingElse: BodyLookup = {
  image: (id) => [picture, offlinePicture].find((image) => image.id === id || image.guid === id),
  document: () => undefined,
  object: () => undefined,
  newLineId: () => 'new',
};

describe('guideEditBody', () => {
  test('names nothing when nothing changed', () => {
    expect(guideEditBody(plainGuide, base)).toBeNull();
  });

  test('is tens of bytes for an edited title', () => {
    const body = guideEditBody(plainGuide, { ...base, title: 'Radio battery' });
    expect(JSON.stringify(body)).toBe('{"title":"Radio battery"}');
  });

  test('names the markers of a picture where they changed, and reads them back for that step', () => {
    const marked = (markup: string) => ({ ...picture, markup });
    const media = (markup: string) => ({ type: 'image' as const, data: [marked(markup)] });
    const first = applyEdit(base, { op: 'setStepMedia', step: '11', value: media(';circle,1x1,1,red;') });
    const body = guideEditBody(plainGuide, first);
    expect(body?.steps?.[0]?.media).toEqual({
      type: 'image',
      data: [{ imageid: 5, markup: ';circle,1x1,1,red;' }],
    });
    expect(guideEdit.parse(body)).toEqual(body);
    expect(applyBody(plainGuide, body ?? {}, nothingElse).steps[0]?.media).toEqual(
      media(';circle,1x1,1,red;'),
    );
    // The same picture with other markers, as the picture of the guide and in another step.
    const [one, two, ...others] = plainGuide.steps;
    if (one === undefined || two === undefined) throw new Error('Two steps are expected');
    const facts = {
      ...plainGuide,
      image: picture,
      steps: [{ ...one, media: media(';null;') }, { ...two, media: media(';line,1x1,2x2,blue;') }, ...others],
    };
    const again = applyEdit(contentOf(facts), {
      op: 'setStepMedia',
      step: '12',
      value: { type: 'image', data: [...media(';line,1x1,2x2,blue;').data, offlinePicture] },
    });
    const smaller = guideEditBody(facts, again);
    expect(smaller?.steps?.[1]?.media).toEqual({ type: 'image', data: [5, offlinePicture.guid] });
    expect(applyBody(facts, smaller ?? {}, nothingElse).steps[1]?.media).toEqual(again.steps[1]?.media);
  });

  test('names unchanged steps only by stepid and revisionid, in the new order', () => {
    const next = applyEdit(base, { op: 'moveStep', step: '13', index: 0 });
    expect(
      guideEditBody(plainGuide, applyEdit(next, { op: 'setStepTitle', step: '12', value: 'Open' })),
    ).toEqual({
      steps: [
        { stepid: 13, revisionid: 112 },
        { stepid: 11, revisionid: 110 },
        { stepid: 12, revisionid: 111, title: 'Open' },
        { stepid: 14, revisionid: 113 },
        { stepid: 15, revisionid: 114 },
      ],
    });
  });

  test('contains a new step under its key, with temporary ids of pictures', () => {
    const step = {
      ...emptyStep('0198c0de'),
      media: { type: 'image' as const, data: [picture, offlinePicture] },
    };
    const body = guideEditBody(plainGuide, applyEdit(base, { op: 'insertStep', step, index: 5 }));
    expect(body?.steps?.at(-1)).toEqual({
      key: '0198c0de',
      media: { type: 'image', data: [5, 'tmp:0198c0de-0000-7000-8000-000000000001'] },
    });
  });

  test('applied to its base gives the edited content again, and satisfies the contract', () => {
    fc.assert(
      fc.property(rawEdits, (edits) => {
        const next = new Editor('a').edit(base, edits);
        const body = guideEditBody(plainGuide, next);
        if (body === null) expect(next).toEqual(base);
        else {
          expect(applyBody(plainGuide, body, nothingElse)).toEqual(next);
          expect(guideEdit.safeParse(body).error).toBeUndefined();
        }
      }),
      { numRuns: runs(1500) },
    );
  });

  test('finds the pictures it names', () => {
    const next = applyEdit(base, { op: 'setField', field: 'image', value: offlinePicture });
    const body = guideEditBody(plainGuide, next);
    expect(body).toEqual({ image: offlinePicture.guid });
    expect(applyBody(plainGuide, body ?? {}, nothingElse)).toEqual(next);
  });
});

describe('newGuideBody', () => {
  test('contains the fields of the contract and what was written', () => {
    const step = { ...emptyStep('0198c0de'), title: 'Open' };
    const content = { ...emptyContent(), category: 'Radio', title: 'Radio battery', steps: [step] };
    const body = newGuideBody(emptyContent(), content);
    expect(body).toEqual({
      category: 'Radio',
      type: 'how-to',
      title: 'Radio battery',
      steps: [{ key: '0198c0de', title: 'Open' }],
    });
    expect(newGuide.safeParse(body).success).toBe(true);
  });
});

describe('applyEdit', () => {
  test('returns the same content for an edit without effect', () => {
    expect(applyEdit(base, { op: 'setText', field: 'title', value: base.title })).toBe(base);
    expect(applyEdit(base, { op: 'moveStep', step: '11', index: 0 })).toBe(base);
  });

  test('refuses missing steps and duplicate ones', () => {
    expect(() => applyEdit(base, { op: 'removeStep', step: 'none' })).toThrow('none');
    expect(() => applyEdit(base, { op: 'insertStep', step: emptyStep('11'), index: 0 })).toThrow('11');
  });

  test('lowers levels that the lines above no longer allow', () => {
    const ids = base.steps[2]?.lines.map((line) => line.id) ?? [];
    const [first = '', second = '', third = ''] = ids;
    const indented = [
      { op: 'setLineLevel' as const, step: '13', line: second, value: 1 },
      { op: 'setLineLevel' as const, step: '13', line: third, value: 2 },
      { op: 'removeLine' as const, step: '13', line: first },
    ].reduce(applyEdit, base);
    expect(indented.steps[2]?.lines.map((line) => line.level)).toEqual([0, 1]);
  });

  test('a featured document is removed with its document', () => {
    const document = {
      documentid: 4,
      guid: 'g',
      text: 'a',
      extension: 'pdf',
      icon: '',
      url: '',
      download_url: '',
    };
    const withDocument = { ...base, documents: [document], featured_documentid: 4 };
    expect(
      applyEdit(withDocument, { op: 'setList', field: 'documents', value: [] }).featured_documentid,
    ).toBeNull();
  });
});

describe('validateContent', () => {
  test('accepts content within the limits', () => {
    expect(validateContent(base)).toEqual([]);
    expect(validateContent({ ...base, summary: 'x'.repeat(155) })).toEqual([]);
    expect(validateContent({ ...base, introduction_raw: 'x\n'.repeat(48) })).toEqual([]);
  });

  test('reports the place of each flaw', () => {
    const line = { id: 'l', bullet: 'black' as const, level: 1, text_raw: 'x'.repeat(351) };
    const deep = { ...line, id: 'm', level: 3, text_raw: '' };
    const step = { ...emptyStep('s'), lines: [line, deep] };
    const flawed = { ...base, summary: 'x'.repeat(156), introduction_raw: 'x\n'.repeat(49), steps: [step] };
    expect(validateContent(flawed).map((flaw) => flaw.place)).toEqual([
      { field: 'summary' },
      { field: 'introduction_raw' },
      { step: 's', line: 'l', field: 'text_raw' },
      { step: 's', line: 'l', field: 'level' },
      { step: 's', line: 'm', field: 'text_raw' },
      { step: 's', line: 'm', field: 'level' },
      { step: 's', line: 'm', field: 'level' },
    ]);
  });

  test('counts lines and pictures of a step', () => {
    const lines = Array.from({ length: 9 }, (_, index) => ({
      id: `l${index}`,
      bullet: 'black' as const,
      level: 0,
      text_raw: 'x',
    }));
    const data = [picture, picture, picture, picture];
    const crowded = {
      ...base,
      steps: [{ ...emptyStep('s'), lines, media: { type: 'image' as const, data } }],
    };
    expect(validateContent(crowded).map((flaw) => flaw.message)).toEqual([
      'The step has more than 8 lines',
      'The step has more than 3 pictures',
    ]);
  });

  test('an existing flaw blocks no other edit', () => {
    const old = { ...base, summary: 'x'.repeat(200) };
    expect(validateChange(old, { ...old, title: 'Other' })).toEqual([]);
    expect(validateChange(old, { ...old, summary: 'y'.repeat(200) })).toHaveLength(1);
  });

  test('a step with too many lines may be repaired but not grow', () => {
    const old = contentOf(guideOf([Array.from({ length: 10 }, (_, index) => `Line ${index}`)]));
    const line = old.steps[0]?.lines[0]?.id ?? '';
    expect(
      validateChange(old, applyEdit(old, { op: 'setLineText', step: '11', line, value: 'Mended' })),
    ).toEqual([]);
    const grown = { id: 'more', bullet: 'black' as const, level: 0, text_raw: 'More' };
    expect(
      validateChange(old, applyEdit(old, { op: 'insertLine', step: '11', line: grown, index: 0 })),
    ).toHaveLength(1);
  });
});

describe('alignLines', () => {
  const old = [
    { id: 'a', lineid: 1, text_raw: 'Turn the radio off.' },
    { id: 'b', lineid: 2, text_raw: 'Remove the four red screws.' },
    { id: 'c', lineid: null, text_raw: 'Lift the back cover.' },
  ];

  test('equal lines keep their identity when one is inserted before them', () => {
    const written = [
      'Wear gloves.',
      'Turn the radio off.',
      'Remove the four red screws.',
      'Lift the back cover.',
    ];
    expect(
      alignLines(
        old,
        written.map((text) => ({ text })),
      ),
    ).toEqual([null, 'a', 'b', 'c']);
  });

  test('an edited line keeps its identity', () => {
    const written = ['Turn the radio off.', 'Remove the five red screws.', 'Something else altogether'];
    expect(
      alignLines(
        old,
        written.map((text) => ({ text })),
      ),
    ).toEqual(['a', 'b', null]);
  });

  test('a moved line keeps its identity', () => {
    const written = ['Lift the back cover.', 'Turn the radio off.', 'Remove the four red screws.'];
    expect(
      alignLines(
        old,
        written.map((text) => ({ text })),
      ),
    ).toEqual(['c', 'a', 'b']);
  });

  test('a named id or lineid takes precedence over similarity, and lineid 0 is a new line', () => {
    expect(
      alignLines(old, [
        { id: 'c', text: 'Turn the radio off.' },
        { lineid: 2, text: 'Turn the radio off.' },
        { lineid: 0, text: 'Turn the radio off.' },
        { id: 'new', text: 'Turn the radio off.' },
      ]),
    ).toEqual(['c', 'b', 'a', null]);
  });

  test('no old line is matched twice', () => {
    const texts = fc.array(fc.constantFrom('a b', 'a c', 'b c', 'd'), { maxLength: 8 });
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = before.map((text_raw, index) => ({ id: `l${index}`, text_raw }));
        const found = alignLines(
          lines,
          after.map((text) => ({ text })),
        ).filter((id) => id !== null);
        expect(new Set(found).size).toBe(found.length);
        expect(
          alignLines(
            lines,
            lines.map(({ text_raw: text }) => ({ text })),
          ),
        ).toEqual(lines.map(({ id }) => id));
      }),
    );
  });
});
