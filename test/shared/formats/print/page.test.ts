import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { GuideFacts } from '#shared/model/guide.ts';
import type { GuideToWrite } from '#shared/formats/omanual/content.ts';
import { must } from '#shared/must.ts';
import {
  writeCategoryPage,
  writeGuidePage,
  writeGuidesPage,
  type PageReport,
} from '#shared/formats/print/page.ts';
import type { PageSite } from '#shared/formats/print/guide-page.ts';
import { germanWords } from '#shared/formats/print/german-words.ts';
import { pageWordsIn } from '#shared/formats/print/words-in.ts';
import { englishWords } from '#shared/formats/print/words.ts';
import { anyCategory, anyGuides } from '#test/shared/formats/omanual/arbitrary-guides.ts';
import {
  base,
  flags,
  guidesToWrite,
  mediaBytes,
  mentionOf,
  pictureBytes,
  wiki,
} from '#test/shared/formats/omanual/archives.ts';
import {
  plainCategory,
  plainGuide,
  plainLine,
  plainStep,
  signedApproval,
} from '#test/shared/formats/omanual/plain-guides.ts';

const site: PageSite = {
  base,
  flags,
  title: 'Example Workshop',
  words: englishWords,
  printed: 1_767_312_000,
  media: async (ref) => mediaBytes(pictureBytes(ref.kind === 'image' ? ref.image.guid : ''), 'image/png'),
};

type Write = (sink: { write(bytes: Uint8Array): Promise<void> }) => Promise<PageReport>;

async function written(write: Write): Promise<{ text: string; report: PageReport; longest: number }> {
  const chunks: Uint8Array[] = [];
  const report = await write({ write: async (bytes) => void chunks.push(bytes) });
  const longest = Math.max(...chunks.map(({ length }) => length));
  return { text: Buffer.concat(chunks).toString(), report, longest };
}

function guidePage(guide: GuideToWrite | undefined, changes: Partial<PageSite> = {}) {
  if (guide === undefined) throw new Error('Expected a guide');
  return written((sink) => writeGuidePage(guide, { ...site, ...changes }, sink));
}

function pageOf(changes: Partial<GuideFacts>, siteChanges: Partial<PageSite> = {}) {
  return guidePage(guidesToWrite([plainGuide(1, changes)])[0], siteChanges);
}

const voidElements = new Set(['meta', 'img', 'br', 'hr']);
const elements =
  /^(?:html|head|meta|title|style|body|article|section|header|div|dl|dt|dd|h[1-6]|p|ul|ol|li|a|b|span|strong|em|ins|del|sup|sub|tt|pre|code|small|blockquote|footer|table|caption|tbody|tr|td|th|figure|img|br|svg|path|circle|g)$/;

/** Faults of a page: unclosed elements, foreign elements, script, and addresses that load something. */
function faults(text: string): string[] {
  const found: string[] = [];
  const open: string[] = [];
  const body = text.replace(/<style>[^<]*<\/style>/, '').replace(/^<!doctype html>/, '');
  for (const [tag, slash, name = '', attributes = '', closed] of body.matchAll(
    /<(\/?)([a-z0-9]*)([^<>]*?)(\/?)>/gi,
  )) {
    if (!elements.test(name)) found.push(`element ${tag}`);
    for (const [, key = '', value = ''] of attributes.matchAll(/([\w-]+)="([^"]*)"/g)) {
      if (/^(?:on|style$|srcset)/i.test(key)) found.push(`attribute ${tag}`);
      if (key === 'src' && !value.startsWith('data:image/')) found.push(`source ${tag}`);
      if (key === 'href' && !/^(?:https?:\/\/|mailto:|#)/i.test(value)) found.push(`link ${tag}`);
    }
    if (slash === '/') {
      if (open.pop() !== name) found.push(`closing ${tag}`);
    } else if (closed !== '/' && !voidElements.has(name)) open.push(name);
  }
  return [...found, ...open];
}

test('PRINT-1 PRINT-2 for any guides and categories, pages load nothing and close their elements in order', async () => {
  await fc.assert(
    fc.asyncProperty(anyGuides, anyCategory, async (facts, category) => {
      const guides = guidesToWrite(facts);
      for (const guide of guides) expect(faults((await guidePage(guide)).text)).toEqual([]);
      const mentions = facts.map((one) => mentionOf(one, true));
      const { text } = await written((sink) =>
        writeCategoryPage({ facts: category, wiki, mentions, guides }, site, sink),
      );
      expect(faults(text)).toEqual([]);
      const about = { title: category.title, langid: 'en', address: base };
      const together = await written((sink) => writeGuidesPage({ ...about, mentions, guides }, site, sink));
      expect(faults(together.text)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('PRINT-1 the policy allows the one style by its hash and embedded pictures, and nothing else', async () => {
  const { text } = await pageOf({ title: 'Belt </style><script>alert(1)</script> "x"' });
  const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(text).toContain(
    `content="default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
  );
  expect(text.match(/<style>/g)).toHaveLength(1);
  expect(text).not.toContain('<script');
  const withFont = await pageOf({}, { font: Uint8Array.from([1, 2, 3]) });
  expect(withFont.text).toContain(' font-src data:;');
  expect(withFont.text).toContain('base64,AQID');
});

test('PRINT-10 a step lists what is recorded at it, with choices and limits, and the guide its quiz', async () => {
  const [guide] = guidesToWrite([
    plainGuide(1, {
      steps: [plainStep({ stepid: 7 }), plainStep({ stepid: 8 })],
      attached_quiz: { quizid: 1, quiz_revisionid: 2, title: 'Lockout & <tag>', survey: {} },
    }),
  ]);
  const field = { field_revisionid: 1, field_guid: 'a', placeholder: '', textarea: '', required: true };
  const limits = { limit_decimals: true, decimals: 0, limit_min: true, min: -5, limit_max: false, max: 100 };
  const { text } = await guidePage({
    ...must(guide, 'the guide'),
    forms: [
      {
        form_revisionid: 1,
        stepid: 8,
        guideid: 1,
        fields: [
          { ...field, field_type: 'Numeric Input' as const, label: 'Torque <Nm>', options: limits },
          {
            ...field,
            field_type: 'Radios' as const,
            label: 'Seal',
            options: ['tight', 'leaks'],
            required: false,
          },
        ],
      },
    ],
  });
  expect(faults(text)).toEqual([]);
  const [, first = '', second = ''] = text.split('<section class="step"');
  expect(first).not.toContain('To record');
  expect(second).toContain(
    '<b>Torque &lt;Nm&gt;</b><small>Number · at least -5 · whole number · required</small>',
  );
  expect(second).toContain('<b>Seal</b><small>One of · tight, leaks</small>');
  expect(text).toContain('<li>Lockout &amp; &lt;tag&gt;</li>');
});

test('PRINT-3 pictures are embedded byte for byte, from any pieces, and in small pieces', async () => {
  const bytes = Uint8Array.from({ length: 200_001 }, (_, index) => (index * 31) % 256);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 70_000 }), { maxLength: 8 }), async (cuts) => {
      const edges = [...new Set([0, ...cuts, bytes.length])].toSorted((a, b) => a - b);
      const pieces = edges.slice(1).map((edge, index) => bytes.slice(edges[index], edge));
      const media = async () => ({ mime: 'image/jpeg', size: bytes.length, open: async () => pieces });
      const image = { id: 1, guid: 'cover', width: 8, height: 6 };
      const { text, longest, report } = await pageOf({ image }, { media });
      const inside = /data:image\/jpeg;base64,([^"]*)"/.exec(text)?.[1] ?? '';
      expect(Buffer.from(inside, 'base64').equals(bytes)).toBe(true);
      expect(longest).toBeLessThan(70_000);
      expect(report).toMatchObject({ pictures: 1, missing: 0, bytes: Buffer.byteLength(text) });
    }),
    { numRuns: 20 },
  );
});

test('PRINT-3 a missing or invalid picture is reported and counted', async () => {
  const image = { id: 1, guid: 'cover', width: 8, height: 6 };
  for (const media of [async () => null, async () => mediaBytes(pictureBytes('x'), 'text/html')]) {
    const { text, report } = await pageOf({ image }, { media });
    expect(text).toContain(englishWords.pictureMissing);
    expect(report).toMatchObject({ pictures: 0, missing: 1 });
  }
});

test('PRINT-4 a page identifies itself in its head and at the foot of every sheet', async () => {
  const { text } = await pageOf({ langid: 'de', title: 'Keilriemen & "Größe"', revisionid: 41 });
  expect(text).toContain('<html lang="de">');
  expect(text).toContain('<title>Keilriemen &amp; &quot;Größe&quot;</title>');
  expect(text).toMatch(/<dt>Revision<\/dt>\s*<dd>41<\/dd>/);
  expect(text).toMatch(/<dt>Changed<\/dt>\s*<dd>2026-01-01<\/dd>/);
  expect(text).toContain(`${base}/Guide/Keilriemen+&amp;+%22Gr%C3%B6%C3%9Fe%22/1</p>`);
  expect(text).toMatch(/<svg[^>]*aria-label="Scan to open the newest version"/);
  expect(text).toContain('Revision 41 \\b7  Saved 2026\\2d 01\\2d 02"');
});

test('PRINT-8 a page of a site reachable only from its own machine says so and has no code', async () => {
  for (const own of ['http://localhost:4471', 'http://127.0.0.1', 'http://[::1]:80', 'http://a.localhost']) {
    const { text } = await pageOf({}, { base: own });
    expect(text).toContain(`<div class="code">${englishWords.noCode}</div>`);
    expect(text).not.toContain(englishWords.scan);
  }
  for (const other of ['http://192.168.1.7:4471', 'https://localhost.example.org', 'https://127.example.org'])
    expect((await pageOf({}, { base: other })).text).toMatch(/<div class="code"><svg/);
});

test('PRINT-9 the introduction video is at the front, with its first picture', async () => {
  const size = { width: 80, height: 60 };
  const poster = { id: 5, guid: 'Poster', ...size };
  const film: GuideFacts['intro_video'] = {
    videoid: 1,
    objectid: 1,
    srcid: null,
    filename: 'film.mp4',
    duration: 3,
    ...size,
    image: { image: poster, srcid: null, ...size, ratio: 'FOUR_THREE', markup: null },
    meta: null,
    encodings: [
      {
        column: '',
        label: '',
        ...size,
        codecs: '',
        mime: 'video/mp4',
        always_generate: true,
        format: 'mp4',
        url: '/video/film.mp4',
      },
    ],
  };
  const { text } = await pageOf({ intro_video: film });
  const front = text.slice(0, text.indexOf('<section class="step"'));
  expect(front).toContain(`Film: <a href="${base}/video/film.mp4">`);
  expect(front).toContain(Buffer.from(pictureBytes('Poster')).toString('base64'));
});

test('PRINT-5 bullets have colour, shape and name, notes are blocks, cautions are listed at the front too', async () => {
  const lines = [
    plainLine('Loosen it.', { bullet: 'red' }),
    plainLine("It is '''hot'''.", { bullet: 'icon_caution', level: 1 }),
  ];
  const image = { id: 1, guid: 'cover', width: 80, height: 60, markup: ';circle,40x30,10,red;' };
  const steps = [
    plainStep({}),
    plainStep({ title: 'Cover', lines, media: { type: 'image', data: [image] } }),
  ];
  const { text } = await pageOf({ steps });
  expect(text).toMatch(/<svg class="mark red"[^>]*aria-label="Red">/);
  expect(text).toContain('<li class="level-1 block icon_caution">');
  expect(text).toMatch(
    /<figure class="picture"><img src="data:[^"]*" alt="Step 2 of 2"><svg [^>]*viewBox="0 0 80 60"/,
  );
  const front = text.slice(0, text.indexOf('<section class="step"'));
  expect(front).toContain(
    '<a href="#guide-1-step-2">Step 2 of 2</a><span>It is <strong>hot</strong>.</span>',
  );
});

test('PRINT-5 videos are links, and pictures in texts are embedded', async () => {
  const { text, report } = await pageOf({
    introduction_raw: '[video|https://youtu.be/Qa5wIpfhGcY]\n\n[image|2]\n\n[/Wiki/X|here]',
  });
  expect(text).toContain('<a href="https://www.youtube.com/watch?v=Qa5wIpfhGcY">');
  expect(text).toContain(
    `<img src="data:image/png;base64,${Buffer.from(pictureBytes('InText2')).toString('base64')}"`,
  );
  expect(text).toContain(`<a href="${base}/Wiki/X">here</a>`);
  expect(report.pictures).toBe(1);
});

test('PRINT-6 a category lists its guides, which follow in the same order', async () => {
  const facts = [plainGuide(4, {}), plainGuide(9, {})];
  const category = {
    facts: plainCategory('Bench Grinder', null),
    wiki,
    mentions: facts.map((one) => mentionOf(one, true)),
    guides: guidesToWrite(facts),
  };
  const { text } = await written((sink) => writeCategoryPage(category, site, sink));
  expect(
    [...text.matchAll(/<h1>([^<]*)<\/h1>|<a href="(#guide-\d+)">/g)].map(([, title, link]) => title ?? link),
  ).toEqual(['Bench Grinder', '#guide-4', '#guide-9', 'Guide 4', 'Guide 9']);
  expect([...text.matchAll(/<article(?: id="([^"]*)")?>/g)].map(([, id]) => id)).toEqual([
    undefined,
    'guide-4',
    'guide-9',
  ]);
});

test('PRINT-6 several guides form a page with a list of them and without its own revision', async () => {
  const facts = [plainGuide(4, {}), plainGuide(9, {})];
  const mentions = facts.map((one) => mentionOf(one, true));
  const about = { title: 'Both', langid: 'en', address: base };
  const { text } = await written((sink) =>
    writeGuidesPage({ ...about, mentions, guides: guidesToWrite(facts) }, site, sink),
  );
  expect(
    [...text.matchAll(/<h1>([^<]*)<\/h1>|<a href="(#guide-\d+)">/g)].map(([, title, link]) => title ?? link),
  ).toEqual(['Both', '#guide-4', '#guide-9', 'Guide 4', 'Guide 9']);
  expect(text).toContain('"Both \\b7  Saved 2026\\2d 01\\2d 02"');
});

test('PRINT-7 a guide under an approval process ends with the signers of this version; an unapproved one says so', async () => {
  const last = (text: string): string => must(text.split('<section class="after">').at(-1), 'a section');
  const signed = last((await pageOf({ conclusion_raw: 'Oil it.', approval: signedApproval })).text);
  expect(signed).toContain(
    '<li><b>Quinn</b><span>Approved</span><span>Publication · Machine safety · Quality</span><span>2026-01-01 00:00:00 UTC</span></li>',
  );
  expect(signed).not.toContain(englishWords.notApproved);
  const changed = last(
    (await pageOf({ revisionid: 11, guide_revisionid: 11, approval: signedApproval })).text,
  );
  expect(changed).toContain(englishWords.notApproved);
  expect(changed).not.toContain('Quinn');
  expect((await pageOf({})).text).not.toContain(englishWords.signatures);
});

test('PRINT-11 the words around the content are in the language of the reader', async () => {
  const facts = plainGuide(1, {
    difficulty: 'Very difficult',
    time_required_min: 3600,
    time_required_max: 7200,
    approval: signedApproval,
    steps: [
      plainStep({
        lines: [plainLine('Heiß', { bullet: 'icon_caution' }), plainLine('Rot', { bullet: 'red' })],
      }),
    ],
    tools: [],
    conclusion_raw: 'Ölen.',
  });
  const { text } = await guidePage(guidesToWrite([facts])[0], { words: pageWordsIn('de') });
  for (const words of [
    'Schritt 1 von 1',
    'Sehr schwer',
    '1–2 Stunden',
    'Vorsicht',
    'Unterschriften',
    'Abschluss',
  ])
    expect(text).toContain(words);
  const english = Object.values(englishWords).filter(
    (one) => typeof one === 'string' && !Object.values(germanWords).includes(one),
  );
  expect(english.filter((one) => new RegExp(`>${String(one)}[<.:]`).test(text))).toEqual([]);
  expect(pageWordsIn('en-XA')).toBe(englishWords);
});
