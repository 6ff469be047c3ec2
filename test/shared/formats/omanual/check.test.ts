import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { checkArchive, checkLineText, type CheckLine } from '#shared/formats/omanual/check.ts';
import { checkStructure } from '#shared/formats/omanual/check-structure.ts';
import { readLimits } from '#shared/formats/omanual/limits.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import { readXml } from '#shared/formats/omanual/xml-tree.ts';

import { archiveBytes, contentOf, guidesToWrite, pictureBytes } from './archives.ts';
import { fixture, guideDocument, packageWith, stepDocument } from './opened.ts';
import { plainCategory, plainGuide } from './plain-guides.ts';
import { invalidDocuments } from './schemas.ts';

async function check(content: string | Uint8Array<ArrayBuffer>): Promise<CheckLine[]> {
  const bytes = typeof content === 'string' ? Uint8Array.from(Buffer.from(content)) : content;
  return checkArchive(bytesSource(bytes), 'test.omanual');
}

async function codes(content: string | Uint8Array<ArrayBuffer>): Promise<string[]> {
  return [...new Set((await check(content)).map(({ code }) => code))].sort();
}

const withLine = (line: string, media = ''): string => guideDocument(stepDocument(line, media));
const line = '<line bullet="black" level="0">x</line>';

describe('the checker', () => {
  it('OMANUAL-CHECK-1 finds nothing in the minimal and the full package, nor in one of ours', async () => {
    expect(await check(fixture('own/minimal-1.0.omanual'))).toEqual([]);
    expect((await check(fixture('own/full-1.0.omanual'))).filter(({ rank }) => rank === 'error')).toEqual([]);
    const content = contentOf(guidesToWrite([plainGuide(1, {}), plainGuide(2, { prerequisites: [1] })]), {
      categories: [plainCategory('Bench Grinder', null)],
    });
    expect(await check((await archiveBytes(content)).bytes)).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'OMANUAL-CHECK-1 says that an element named %s is unknown',
    async (name) => {
      const line = `<line bullet="black" level="0"><${name}>x</${name}></line>`;
      const media = `<${name} large="gone.png">gone.png</${name}>`;
      const found = await check(packageWith({ 'belt-1/guide.xml': withLine(line, media) }));
      expect(new Set(found.map(({ code }) => code))).toEqual(new Set(['element']));
    },
  );

  it('OMANUAL-CHECK-1 gives the reason for a refused package in one line', async () => {
    const [only] = await check(fixture('own/reject-zipslip.omanual'));
    expect(only && checkLineText(only)).toBe(
      'error name-outside in ../evil.txt: The name "../evil.txt" leads out of the package.',
    );
  });

  it('OMANUAL-CHECK-2 agrees with libxml2 and the schemas on what is valid, document by document', async () => {
    const seeds = [
      'own/full_guide.xml',
      'own/full_category.xml',
      'dita/category.xml',
      'dita/guide_maintaining_a_database.xml',
    ];
    const documents = seeds.flatMap((name) => {
      const xml = Buffer.from(fixture(name)).toString();
      return [xml, ...fc.sample(mutation(xml), { numRuns: name.includes('full') ? 400 : 40, seed: 11 })];
    });
    const wellFormed: { xml: string; verdict: boolean }[] = [];
    for (const xml of documents) {
      const verdict = await ownVerdict(xml);
      if (verdict !== null) wellFormed.push({ xml, verdict });
    }
    const invalid = await invalidDocuments(wellFormed.map(({ xml }) => xml));
    const disagreed = wellFormed.filter(({ verdict }, index) => verdict !== !invalid.has(index));
    expect(disagreed.map(({ xml, verdict }) => `${verdict} ${xml}`)).toEqual([]);
    expect(invalid.size).toBeGreaterThan(300);
    expect(wellFormed.length - invalid.size).toBeGreaterThan(100);
  });

  it.each([
    ['path-missing', '<conclusion/>', '<media type="image"><image>gone.png</image></media>'],
    ['path-outside', '', '<media type="image"><image>../../x.png</image></media>'],
    ['media-type', '', '<media type="video"><image>a.png</image></media>'],
    [
      'embed-type',
      '',
      '<media type="embed"><embed type="film" version="1.0" url="https://a.example/"/></media>',
    ],
    [
      'embed-version',
      '',
      '<media type="embed"><embed type="link" version="2" url="https://a.example/"/></media>',
    ],
    ['script-link', '<conclusion><a href=" java&#10;script:x">x</a></conclusion>', ''],
    ['escaped-markup', '<conclusion>&lt;b&gt;x&lt;/b&gt;</conclusion>', ''],
    ['difficulty', '<difficulty>Hard</difficulty>', ''],
    ['summary-long', `<summary>${'x'.repeat(256)}</summary>`, ''],
  ])('OMANUAL-CHECK-3 reports %s', async (code, extra, media) => {
    const xml = guideDocument(`${extra}${stepDocument(line, media)}`);
    expect(await codes(packageWith({ 'g/guide.xml': xml, 'g/a.png': pictureBytes('a') }))).toContain(code);
  });

  it('OMANUAL-CHECK-3 reports bullets, levels, numbers, long lines, dates, languages', async () => {
    expect(await codes(withLine('<line bullet="pink" level="0">x</line>'))).toEqual(['bullet']);
    expect(await codes(withLine('<line bullet="red" level="4">x</line>'))).toEqual(['level']);
    expect(await codes(withLine(`<line bullet="red" level="0">${'x'.repeat(501)}</line>`))).toEqual([
      'line-long',
    ]);
    expect(await codes(withLine(line).replace('number="1"', 'number="0"'))).toEqual(['step-number']);
    expect(await codes(withLine(line).replace('2024-01-02', '2025-01-02'))).toEqual(['date-order']);
    expect(await codes(withLine(line).replaceAll('Z</', '</'))).toEqual(['date-zone']);
    expect(await codes(withLine(line).replace('locale="en"', 'locale="English language"'))).toEqual([
      'locale',
    ]);
  });

  it('OMANUAL-CHECK-3 reports an encoding that the bytes contradict', async () => {
    const bare = guideDocument().replace(/^<\?xml.*\?>\n/, '');
    const declaring = (name: string): string => `<?xml version="1.0" encoding="${name}"?>${bare}`;
    const encodings = async (bytes: Buffer): Promise<boolean> =>
      (await codes(Uint8Array.from(bytes))).includes('xml-encoding');
    expect(await encodings(Buffer.from(`\ufeff${declaring('UTF-16')}`))).toBe(true);
    expect(await encodings(Buffer.from(declaring('UTF-16LE')))).toBe(true);
    expect(await encodings(Buffer.from(`\ufeff${declaring('ISO-8859-1')}`))).toBe(true);
    expect(await encodings(Buffer.from(`\ufeff${declaring('utf-8')}`, 'utf16le'))).toBe(true);
    expect(await encodings(Buffer.from(`\ufeff${declaring('UTF-16')}`, 'utf16le'))).toBe(false);
    expect(await encodings(Buffer.from(`\ufeff${declaring('UTF-8')}`))).toBe(false);
    expect(await encodings(Buffer.from(declaring('ISO-8859-1')))).toBe(false);
  });

  it('OMANUAL-CHECK-4 reports guides listed twice, missing, or with the same id', async () => {
    const entry = (id: number, path: string): string =>
      `<guide id="${id}" subject="" type=""><title/><url/><path>${path}</path><image/></guide>`;
    const index = (entries: string): string =>
      `<category xmlns="http://omanual.com/" locale="en"><title/><category_info>C</category_info><image/><description/><flags/><ancestors/><children/><solutions count="0" url=""/><parts/><tools/><contents/><guides>${entries}</guides><documents/></category>`;
    const files = { 'a/guide.xml': withLine(line), 'b/guide.xml': withLine(line) };
    const codesOf = (entries: string): Promise<string[]> =>
      codes(packageWith({ 'category.xml': index(entries), ...files }));
    expect(await codesOf(entry(1, 'a/guide.xml') + entry(2, 'b/guide.xml'))).toEqual([]);
    expect(await codesOf(entry(1, 'a/guide.xml') + entry(1, 'b/guide.xml'))).toEqual(['guide-id-twice']);
    expect(await codesOf(entry(1, 'a/guide.xml') + entry(2, 'a/guide.xml'))).toEqual([
      'guide-twice',
      'guide-unlisted',
    ]);
  });

  it('OMANUAL-CHECK-4 reports file names that not every system supports', async () => {
    const guide = withLine(line);
    for (const [name, code] of [
      ['G/guide.xml', 'name-case'],
      [`g/${'ß'.repeat(126)}.txt`, 'name-too-long'],
      ['g/report\u202etxt.exe', 'name-bidi'],
      ['g/CON.txt', 'name-windows'],
      ['g/a:b.txt', 'name-windows'],
      ['g./a.txt', 'name-windows'],
    ] as const)
      expect(await codes(packageWith({ 'g/guide.xml': guide, [name]: guide })), name).toContain(code);
    expect(await codes(packageWith({ 'g/guide.xml': guide, 'g/console.txt': 'x' }))).toEqual([]);
  });

  it('OMANUAL-CHECK-4 reports a picture larger than its size', async () => {
    const media = '<media type="image"><image mini="a.png">a.png</image></media>';
    const large = Buffer.from(pictureBytes('a'));
    large.writeUInt32BE(57, 16);
    expect(await codes(packageWith({ 'g/guide.xml': withLine(line, media), 'g/a.png': large }))).toEqual([
      'picture-box',
    ]);
  });

  it('OMANUAL-CHECK-5 reports what had to be interpreted in an older version', async () => {
    const xml = '<procedure locale="en"><title type="x">T</title><steps/></procedure>';
    expect(await codes(xml)).toEqual(['date', 'type', 'version']);
    const index =
      '<manifest locale="en"><title>T</title><procedures><procedure id="1" type="x"><title>T</title><path>g/procedure.xml</path></procedure></procedures></manifest>';
    expect(await codes(packageWith({ 'manifest.xml': index, 'g/procedure.xml': xml }))).toEqual([
      'date',
      'type',
      'version',
    ]);
  });
});

/** Whether a document matches the structure; null if it is not well-formed. */
async function ownVerdict(xml: string): Promise<boolean | null> {
  try {
    let isValid = true;
    checkStructure(await readXml(new Blob([xml]).stream(), '', readLimits), () => {
      isValid = false;
    });
    return isValid;
  } catch {
    return null;
  }
}

/** One change of a document: an element or attribute removed, doubled, renamed, moved or with another value. */
function mutation(document: string): fc.Arbitrary<string> {
  const xml = document.slice(document.indexOf('?>') + 2);
  const elements = [...xml.matchAll(/<([a-z_0-9]+)(?:\s[^<>]*?)?(?:\/>|>[^<>]*<\/\1>)/g)].map(
    ({ 0: text }) => text,
  );
  const attributes = [...xml.matchAll(/\s[a-z_]+="[^"<>]*"/g)].map(({ 0: text }) => text);
  const element = fc.constantFrom(...new Set(elements));
  const attribute = fc.constantFrom(...new Set(attributes));
  const value = fc.constantFrom(
    '',
    '0',
    '1',
    '-5',
    '+3',
    ' 7 ',
    '1.5',
    '.5',
    'x',
    '2024-02-30T00:00:00Z',
    '2024-02-29T24:00:00',
    'a b',
    'http://a.example/%zz',
  );
  const name = fc.constantFrom('p', 'b', 'title', 'image', 'media', 'lines', 'url', 'flag', 'source');
  const tag = (text: string): string => /<([a-z_0-9]+)/.exec(text)?.[1] ?? '';
  return fc.oneof(
    element.map((text) => xml.replace(text, '')),
    element.map((text) => xml.replace(text, text + text)),
    fc
      .tuple(element, name)
      .map(([text, other]) =>
        xml.replace(text, text.replaceAll(new RegExp(`(</?)${tag(text)}\\b`, 'g'), `$1${other}`)),
      ),
    fc.tuple(element, element).map(([text, other]) => xml.replace(text, other)),
    fc.tuple(element, element).map(([text, other]) => xml.replace(text, `${text}${other}`)),
    element.map((text) => xml.replace(text, `stray${text}`)),
    attribute.map((text) => xml.replace(text, '')),
    attribute.map((text) => xml.replace(text, text.replace('=', 'x='))),
    fc
      .tuple(attribute, value)
      .map(([text, other]) => xml.replace(text, text.replace(/"[^"]*"/, `"${other}"`))),
  );
}
