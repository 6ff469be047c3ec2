import { zipSync } from 'fflate';

import { aicc, cmi5, scorm12, scorm2004, zipOf, type Files } from '#test/support/training-packages.ts';

/** A package of SCORM 1.2 with a changed manifest and a note of this text. */
export const manifest = (text: string, change: (manifest: string) => string): Files => {
  const files = scorm12();
  return { ...files, 'imsmanifest.xml': change(files['imsmanifest.xml'] ?? ''), 'note.txt': text };
};

/** Packages that a person made wrong, and the words that say what is wrong. */
export const flaws: [what: string, files: Files, words: RegExp][] = [
  ['no manifest', { 'index.html': 'x' }, /none of SCORM, xAPI, cmi5 or AICC/],
  ['a manifest in a folder', { 'module/imsmanifest.xml': 'x' }, /^module\/imsmanifest.xml is not at the top/],
  [
    'a broken manifest',
    manifest('', (text) => text.replace('</organizations>', '')),
    /imsmanifest.xml is not well-formed .*line \d+/,
  ],
  [
    'a DOCTYPE',
    manifest('', (text) => text.replace('<manifest', '<!DOCTYPE a [<!ENTITY b "c">]><manifest')),
    /imsmanifest.xml has a DOCTYPE/,
  ],
  [
    'an unknown edition',
    manifest('', (text) => text.replace('>1.2<', '>3000<')),
    /schemaversion 3000, which is not supported/,
  ],
  [
    'an item with a missing resource',
    manifest('', (text) => text.replace('identifierref="RES"', 'identifierref="GONE"')),
    /item LESSON for resource GONE/,
  ],
  [
    'a missing launch file',
    manifest('', (text) => text.replace('href="index.html">', 'href="start.html">')),
    /resource RES launches content\/start.html, which is not in the package/,
  ],
  [
    'a launch file outside the package',
    manifest('', (text) => text.replace('href="index.html">', 'href="https://example.org/">')),
    /launches https:\/\/example.org\/, which is outside/,
  ],
  ['xAPI without a launch', { 'tincan.xml': '<tincan><activities/></tincan>' }, /tincan.xml has no activity/],
  [
    'cmi5 with a wrong moveOn',
    { ...cmi5(), 'cmi5.xml': (cmi5()['cmi5.xml'] ?? '').replace('CompletedAndPassed', 'Whenever') },
    /unit https:\/\/example.org\/unit has a moveOn/,
  ],
  [
    'AICC without its units',
    { 'a.crs': '[Course]\nCourse_Title=A\n' },
    /a.crs has no file of assignable units/,
  ],
];

export const many = (count: number, each: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => each(n)).join('');

/** A manifest of SCORM 2004 whose parts all refer to one shared sequencing. */
function sharing(parts: number, rules: number): Files {
  const files = scorm2004('4th');
  const rule = '<ruleCondition condition="always"/>';
  const items = many(
    parts,
    (n) => `<item identifier="I${n}" identifierref="RES"><imsss:sequencing IDRef="S"/></item>`,
  );
  const text = (files['imsmanifest.xml'] ?? '')
    .replace('</organization>', `${items}</organization>`)
    .replace(
      '</manifest>',
      `<imsss:sequencingCollection><imsss:sequencing ID="S"><sequencingRules><preConditionRule><ruleConditions>${rule.repeat(rules)}</ruleConditions></preConditionRule></sequencingRules></imsss:sequencing></imsss:sequencingCollection></manifest>`,
    );
  return { ...files, 'imsmanifest.xml': text };
}

const block = `<block id="https://example.org/${'b'.repeat(10_000)}">`;
/** Packages with too many parts or too long texts. */
export const tooMuch: [what: string, files: Files, words: RegExp][] = [
  [
    'parts of SCORM',
    manifest('', (text) =>
      text.replace(
        '</organization>',
        `${many(1000, (n) => `<item identifier="I${n}" identifierref="RES"/>`)}</organization>`,
      ),
    ),
    /imsmanifest.xml has 1001 parts; the limit is 1000/,
  ],
  [
    'activities of xAPI',
    {
      'tincan.xml': `<tincan><activities>${many(1001, (n) => `<activity id="${n}"><launch>a.html</launch></activity>`)}</activities></tincan>`,
    },
    /tincan.xml has 1001 parts/,
  ],
  [
    'units of cmi5',
    {
      'cmi5.xml': `<courseStructure><course id="c"/>${many(1001, (n) => `<au id="${n}"><url>a.html</url></au>`)}</courseStructure>`,
    },
    /cmi5.xml has 1001 parts/,
  ],
  [
    'units of AICC',
    { ...aicc(), 'lockout.au': `"System_ID","File_Name"\r\n${many(1001, (n) => `"A${n}","a.html"\r\n`)}` },
    /lockout.au has 1001 parts/,
  ],
  ['shared sequencing', sharing(600, 100), /more than 50000 elements and attributes/],
  [
    'text of shared blocks',
    {
      ...cmi5(),
      'cmi5.xml': `<courseStructure><course id="c"/>${block.repeat(5)}${many(100, (n) => `<au id="${n}"><url>content/index.html</url></au>`)}${'</block>'.repeat(5)}</courseStructure>`,
    },
    /texts of more than 4000000 characters/,
  ],
  [
    'address of a part',
    manifest('', (text) => text.replace('href="index.html">', `href="index.html?${'a'.repeat(4000)}">`)),
    /resource RES launches an address of more than 4000 characters/,
  ],
  [
    'namespaces',
    manifest('', (text) =>
      text.replace('<manifest', `<manifest ${many(101, (n) => `xmlns:n${n}="u:${n}" `)}`),
    ),
    /imsmanifest.xml has too many namespaces/,
  ],
];

/** A stored member whose name is written unchanged, which ZIP programs would not do. */
function zipNamed(name: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(zipOf({ ...scorm12(), ['n'.repeat(name.length)]: 'x' }));
  return new Uint8Array(
    Buffer.from(bytes.toString('latin1').replaceAll('n'.repeat(name.length), name), 'latin1'),
  );
}

/** A package of this number of empty files. */
function stored(count: number): Uint8Array<ArrayBuffer> {
  const empty = new Uint8Array();
  const files = Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, empty]));
  return zipSync(files, { level: 0 }) as Uint8Array<ArrayBuffer>;
}

/** Packages made to do harm. */
export const hostile: [what: string, words: RegExp, bytes: () => Uint8Array<ArrayBuffer>][] = [
  ['a way out of its folder', /leads out of/, () => zipNamed('../../../../../escaped-from-training.txt')],
  ['an absolute name', /is absolute/, () => zipNamed('/escaped-from-training-module.txt')],
  ['a name with backslashes', /backslash/, () => zipNamed('..\\..\\..\\escaped-from-training.txt')],
  ['a drive', /is absolute/, () => zipNamed('C:/escaped-from-training-module.txt')],
  [
    'more than its bytes',
    /would expand/,
    () => zipOf({ ...scorm12(), 'bomb.txt': 'a'.repeat(4 * 1024 ** 2) }),
  ],
  ['more files than it may have', /has 20001 members/, () => stored(20_001)],
  ['no zip inside', /no ZIP file/, () => new Uint8Array(Buffer.from('not a zip file at all, but some text'))],
  ['its end cut off', /no ZIP file/, () => zipOf(scorm12()).slice(0, -30)],
];
