import { readdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { guideFacts, type GuideFacts } from '#shared/model/guide.ts';
import { wikiFacts } from '#shared/model/wiki.ts';
import { must } from '#shared/must.ts';

import { fixture, guideDocument, openAll, packageWith, refusal, stepDocument } from './opened.ts';
import { pictureBytes } from './archives.ts';

async function read(xml: string): Promise<{ facts: GuideFacts; codes: string[] }> {
  const { guides, codes } = await openAll(xml, 'guide.xml');
  return { facts: must(guides[0], 'a guide').facts, codes };
}

async function lineOf(html: string, attributes = 'bullet="black" level="0"'): Promise<string | undefined> {
  const { facts } = await read(guideDocument(stepDocument(`<line ${attributes}>${html}</line>`)));
  return facts.steps[0]?.lines[0]?.text_raw;
}

describe('reading documents', () => {
  it('OMANUAL-READ-7 the full package is read with all its content', async () => {
    const { archive, guides, codes } = await openAll(fixture('own/full-1.0.omanual'));
    const [latch] = guides;
    expect(guideFacts.parse(latch?.facts)).toMatchObject({
      langid: 'en',
      type: 'replacement',
      subject: 'Latch',
      category: 'Sample Lamp',
      time_required_max: 900,
      difficulty: 'Very easy',
      flags: ['GUIDE_IN_PROGRESS'],
      prerequisites: [2],
      created_date: 1_704_164_645,
      modified_date: 1_706_933_106,
      parts: [{ text: 'Latch', quantity: 2, type: 'steel' }],
    });
    expect(latch?.facts.introduction_raw.split('\n')).toEqual([
      "Read '''all''' steps ''first''.[br]",
      'See [https://example.org/|here|new_window=true].',
      '',
      '* one',
      '** nested',
      '',
      '== H ==',
      '',
      '[code]',
      'x',
      '[/code]',
      '',
      '``ct``,,2,,^^3^^~~d~~++i++',
      '',
      'd',
    ]);
    expect(latch?.facts.steps.map(({ media }) => media.type)).toEqual(['image', 'video', 'embed', 'image']);
    expect(wikiFacts.parse(archive.categories[0]?.facts)).toMatchObject({
      title: 'Sample Lamp',
      parent: 'Lamp',
      info: [{ name: 'manufacturer', value: 'Example Works' }],
    });
    expect(new Set(codes)).toEqual(new Set(['category-supplies', 'external-source', 'sku', 'embed-html']));
    expect([archive.version, archive.base]).toEqual(['1.0', 'https://example.org']);
  });

  it('OMANUAL-READ-7 steps of all guides have ids of their own, however many steps a guide has', async () => {
    const guide = (steps: number): string => guideDocument(`<steps>${'<step/>'.repeat(steps)}</steps>`);
    const { guides } = await openAll(packageWith({ 'a/guide.xml': guide(100_001), 'b/guide.xml': guide(1) }));
    const ids = guides.flatMap(({ facts }) => facts.steps.map(({ stepid }) => stepid));
    expect([new Set(ids).size, ids.length > 100_000]).toEqual([ids.length, true]);
  });

  it('OMANUAL-READ-7 every document of the second producer is read, and missing parts are reported', async () => {
    const names = readdirSync(new URL('../../../fixtures/omanual/dita/', import.meta.url));
    const files = Object.fromEntries(names.map((name) => [name, fixture(`dita/${name}`)]));
    const { archive, guides, codes } = await openAll(packageWith(files));
    expect(archive.producer).toBe('dita');
    expect(guides.map(({ facts }) => facts.title)).toContain('Configuring hard storage devices');
    expect(guides.every(({ facts }) => facts.steps.length > 0 && facts.difficulty === '')).toBe(true);
    expect(codes).toEqual(
      expect.arrayContaining(['placeholder', 'bullet', 'prerequisite', 'guide-missing', 'type']),
    );
  });

  it('OMANUAL-READ-8 version 0.4: manifest, topic and procedure with the wiki text of the producer', async () => {
    const { archive, guides } = await openAll(packageWith(oldPackage));
    expect([archive.version, archive.producer]).toEqual(['0.4', 'ifixit']);
    expect(archive.entries).toMatchObject([{ member: 'Battery-3141/procedure.xml', foreignId: 3141 }]);
    expect(archive.categories.map(({ facts }) => facts.title)).toEqual(['iPhone 5']);
    expect(guides[0]?.facts).toMatchObject({
      type: 'replacement',
      category: 'iPhone 5',
      introduction_raw: "Read ''this''.",
      time_required_max: 3600,
      tools: [{ text: 'Spudger', quantity: 1 }],
      steps: [{ lines: [{ text_raw: "A '''raw''' line" }], media: { data: [{ width: 1, height: 1 }] } }],
    });
  });

  it('OMANUAL-READ-8 version 0.2: pictures of a step in `images`, a device, several categories', async () => {
    const { archive, guides, codes } = await openAll(
      packageWith({
        'manifest.xml': `<manifest xmlns="http://omanual.com" locale="en"><title>M</title><procedures><procedure id="3" subject="s" type="installation"><title>T</title><url>http://a.example/3</url><path>P-3/procedure.xml</path></procedure></procedures><documents><document type="device">.xml</document></documents></manifest>`,
        '.xml':
          '<device xmlns="http://omanual.com"><title>D page</title><device_info>D</device_info></device>',
        'P-3/procedure.xml': `<procedure xmlns="http://omanual.com" locale="en"><title>T</title><categories><category>D</category><category>E</category></categories><introduction>I</introduction><introduction_rendered>x</introduction_rendered><prerequisites><prerequisite id="3" locale="en" path="/P-3/procedure.xml">T</prerequisite></prerequisites><steps><step number="0"><lines><line bullet="red" level="0">L</line></lines><images><image>media/main.jpg</image></images></step></steps></procedure>`,
        'P-3/media/main.jpg': pictureBytes('a'),
      }),
    );
    expect(archive.version).toBe('0.2');
    expect(archive.categories.map(({ facts }) => facts.title)).toEqual(['D']);
    expect(guides[0]?.facts).toMatchObject({ category: 'D', steps: [{ media: { data: [{ width: 1 }] } }] });
    expect(codes).toEqual(expect.arrayContaining(['category', 'prerequisite', 'file-type']));
  });

  it('OMANUAL-READ-8 a procedure without namespace is of version 0.3', async () => {
    const { archive } = await openAll('<procedure locale="en"><title>T</title><steps/></procedure>');
    expect(archive.version).toBe('0.3');
  });

  it.each([
    ['0.2', '<device locale="en"><title>T</title><device_info>D</device_info></device>'],
    ['0.3', '<topic locale="en"><title>T</title><topic_info>D</topic_info></topic>'],
    [
      '0.4',
      '<topic locale="en" xmlns="http://omanual.com"><title>T</title><topic_info>D</topic_info></topic>',
    ],
  ])('OMANUAL-READ-8 a lone subject document is of version %s', async (version, text) => {
    const { archive } = await openAll(text);
    expect([archive.version, archive.categories.length]).toEqual([version, 1]);
  });

  it('OMANUAL-READ-12 the site of a lone guide is that of its links to records', async () => {
    const wiki = async (...links: string[]): Promise<string[]> => {
      const line = `<line bullet="black" level="0">${links.map((href) => `<a href="${href}">x</a>`).join(' ')}</line>`;
      const { archive, guides } = await openAll(guideDocument(stepDocument(line)));
      return [archive.base, guides[0]?.facts.steps[0]?.lines[0]?.text_raw ?? ''];
    };
    const there = 'https://repairs.example/Guide/Belt/7';
    expect(await wiki(there, '/Device/Lamp')).toEqual([
      'https://repairs.example',
      `[${there}|x] [https://repairs.example/Device/Lamp|x]`,
    ]);
    expect(await wiki('https://shop.example/cart', '/Device/Lamp')).toEqual([
      '',
      '[https://shop.example/cart|x] x',
    ]);
    expect((await wiki(there, 'https://other.example/Guide/Belt/7'))[0]).toBe('');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//[', 'null'])(
    'OMANUAL-READ-12 the address %s of a guide is left out and gives no site',
    async (url) => {
      const entry = `<guide id="1" subject="" type=""><title>T</title><url>${url}</url><path>a/guide.xml</path><image/></guide>`;
      const { archive, guides, codes } = await openAll(
        packageWith({
          'category.xml': `<category xmlns="http://omanual.com/" locale="en"><title>C</title><guides>${entry}</guides></category>`,
          'a/guide.xml': guideDocument(),
        }),
      );
      expect([archive.base, guides[0]?.foreignUrl, codes]).toEqual([
        '',
        '',
        expect.arrayContaining(['address']),
      ]);
    },
  );

  it('OMANUAL-READ-9 paths: from the root, relative, by their last segment, percent-encoded; those outside the package are left out', async () => {
    const paths = [
      'media/a.png',
      '/g/media/a.png',
      'g/media/a.png',
      '../g/media/a.png',
      './media/a.png',
      'media/%61.png',
    ];
    for (const path of [...paths, 'elsewhere/a.png']) {
      const { guides, codes } = await openAll(withPicture(path));
      expect(guides[0]?.facts.steps[0]?.media.data, path).toMatchObject([{ width: 1, height: 1 }]);
      expect(codes.includes('path'), path).toBe(path === 'elsewhere/a.png');
    }
    for (const path of ['../../a.png', 'C:\\a.png', 'C:/a.png', 'file:///etc/passwd', 'javascript:x']) {
      const { guides, codes } = await openAll(withPicture(path));
      expect(guides[0]?.facts.steps[0]?.media.data, path).toEqual([]);
      expect(codes, path).toContain('path-outside');
    }
  });

  it('OMANUAL-READ-9 names in another letter case are matched, unless two members share one', async () => {
    const index =
      '<category locale="en"><title>C</title><guides><guide id="5"><title>T</title><path>G/guide.xml</path></guide></guides></category>';
    const document = guideDocument(
      stepDocument('', '<media type="image"><image>media/a.png</image></media>'),
    );
    const files = { 'CATEGORY.XML': index, 'g/GUIDE.XML': document, 'g/MEDIA/A.PNG': pictureBytes('x') };
    const { archive, guides, codes } = await openAll(packageWith(files));
    expect(archive.entries).toMatchObject([{ member: 'g/GUIDE.XML', foreignId: 5 }]);
    expect(guides[0]?.facts.steps[0]?.media.data).toMatchObject([{ width: 1 }]);
    expect(codes.filter((code) => code === 'path')).toHaveLength(2);
    const two = await openAll(packageWith({ ...files, 'g/media/A.png': pictureBytes('y') }));
    expect(two.codes).toContain('file-missing');
  });

  it('OMANUAL-READ-9 a web address is kept as a link', async () => {
    const { guides } = await openAll(withPicture('https://a.example/x.png'));
    expect(guides[0]?.media).toMatchObject([
      { member: null, url: 'https://a.example/x.png', filename: 'x.png' },
    ]);
  });

  it('OMANUAL-READ-10 a file of the wrong kind is refused; a picture with another extension is not', async () => {
    expect(await refusal(withPicture('media/a.png', 'MZ no picture'))).toBe('media-type');
    expect(await refusal(withPicture('media/a.png', '<svg/>'))).toBe('media-type');
    const { guides, codes } = await openAll(withPicture('media/a.jpg', pictureBytes('x')));
    expect([guides[0]?.media[0]?.mime, codes.includes('file-type')]).toEqual(['image/png', true]);
  });

  it('OMANUAL-READ-11 a DOCTYPE, an entity and XML that is malformed, too deep or with too many namespaces are refused with the place', async () => {
    const around = (inner: string): string => guideDocument(`<conclusion>${inner}</conclusion>`);
    expect(await refusal(`<!DOCTYPE guide [<!ENTITY a "b">]>${'<guide/>'}`)).toBe('doctype');
    expect(await refusal(around('&nbsp;'))).toBe('entity');
    expect(await refusal(around('<p>'))).toBe('xml');
    expect(await refusal(around('<p>'.repeat(70) + '</p>'.repeat(70)))).toBe('too-deep');
    expect(await refusal('<guide a="1"')).toBe('xml');
    expect(await refusal('no xml at all')).toBe('no-omanual');
    expect(await refusal('<html/>')).toBe('no-omanual');
    const wide = Array.from({ length: 101 }, (_, n) => `xmlns:n${n}="u:${n}"`).join(' ');
    expect(await refusal(around(`<p ${wide}/>`))).toBe('too-large');
    await expect(openAll(around('\n<p>x</q>'))).rejects.toThrow(/line 3, column \d+/);
  });

  it('OMANUAL-READ-11 documents in UTF-8 with and without BOM, UTF-16 in both byte orders and Latin-1 are read; others are refused', async () => {
    const text = guideDocument(stepDocument('<line bullet="black" level="0">Größe</line>'));
    const bare = text.replace(/^<\?xml.*\?>\r?\n/, '');
    const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${bare}`, 'latin1');
    const little = Buffer.from(`\ufeff${bare}`, 'utf16le');
    const encodings = [
      Buffer.from(`\ufeff${text}`),
      Buffer.from(bare),
      little,
      Buffer.from(little).swap16(),
      latin,
    ];
    for (const bytes of encodings) {
      const { guides } = await openAll(Uint8Array.from(bytes));
      expect(guides[0]?.facts.steps[0]?.lines[0]?.text_raw).toBe('Größe');
    }
    expect(await refusal(`<?xml version="1.0" encoding="EBCDIC-US"?>${bare}`)).toBe('xml-encoding');
    expect(await refusal(Uint8Array.from(Buffer.from(bare, 'latin1')))).toBe('xml-encoding');
  });

  it('OMANUAL-READ-5 a text, comment or attribute of more than a megabyte is refused', async () => {
    const long = 'ab &amp;lt; '.repeat(110_000);
    const line = (inner: string, attributes = ''): string =>
      guideDocument(stepDocument(`<line bullet="black" level="0" ${attributes}>${inner}</line>`));
    expect(await refusal(line(long))).toBe('too-large');
    expect(await refusal(line(`<!--${long}-->`))).toBe('too-large');
    expect(await refusal(line('x', `text_raw="${long}"`))).toBe('too-large');
    expect(await refusal(line(`${long.slice(0, 600_000)}<br/>${long.slice(0, 600_000)}`))).toBe('taken');
  });

  it('OMANUAL-READ-12 HTML becomes equivalent wiki text; harmful parts are left out', async () => {
    expect(await lineOf('a<br/>b <strong>c</strong> <em>d</em>')).toBe("a[br]b '''c''' ''d''");
    expect(await lineOf('<a href="https://a.example/x">x</a> [y]')).toBe('[https://a.example/x|x] [y]');
    expect(await lineOf("two ''quotes'' and [br]")).toBe("[nowiki]two ''quotes'' and [br][/nowiki]");
    expect(await lineOf('&lt;b&gt;bold&lt;/b&gt; &lt;br&gt;x')).toBe("'''bold'''[br]x");
    expect(await lineOf('5 &lt; 6 &amp;amp; 7&amp;#160;mm')).toBe('5 < 6 & 7\u00a0mm');
    expect(await lineOf('<p>a</p>\n<ul><li>b</li><li>c</li></ul>')).toBe('a[br]b[br]c');
    expect(await lineOf('a\r\n   b')).toBe('a b');
    expect(await lineOf('<a href="javascript:alert(1)">x</a><script>y</script>')).toBe('x');
    expect(await lineOf('x', `text_raw="''raw''"`)).toBe("''raw''");
  });

  it('OMANUAL-READ-13 known deviations of real files are read as intended, and reported', async () => {
    const steps = `<steps><step number="2"><lines><line>B</line></lines></step><step number="1"><lines><line bullet="Purple" level="x">A</line></lines></step></steps>`;
    const { facts, codes } = await read(
      guideDocument(
        `${steps}<time_required>15 to30 minutes</time_required><difficulty>moderate</difficulty><category>One</category>`,
      ).replace('type="repair"', 'type="Teardown"'),
    );
    expect(facts).toMatchObject({
      type: 'teardown',
      difficulty: 'Moderate',
      time_required_min: 900,
      time_required_max: 1800,
      steps: [{ lines: [{ text_raw: 'A', bullet: 'black', level: 0 }] }, { lines: [{ text_raw: 'B' }] }],
    });
    expect(new Set(codes)).toEqual(new Set(['step-order', 'bullet', 'level', 'file-missing']));
  });

  it('OMANUAL-READ-13 an embedded player keeps its frame, anything else only its address', async () => {
    const embed = (attributes: string): string =>
      guideDocument(stepDocument('', `<media type="embed"><embed type="video" ${attributes}/></media>`));
    const known = await read(
      embed('url="https://youtu.be/dQw4w9WgXcQ" html="&lt;script&gt;" width="3" height="2"'),
    );
    expect(known.facts.steps[0]?.media.data).toMatchObject({
      html: '<iframe width="3" height="2" src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" allowfullscreen></iframe>',
    });
    const other = await read(
      embed('url="https://a.example/" html="&lt;iframe src=&quot;https://a.example/&quot;&gt;"'),
    );
    expect(other.facts.steps[0]?.media.data).toMatchObject({ html: '', url: 'https://a.example/' });
    expect(other.codes).toContain('embed-html');
  });

  it('OMANUAL-READ-14 a finding has its place: member, elements, line and column', async () => {
    const { archive } = await openAll(fixture('own/full_guide.xml'), 'full_guide.xml');
    expect(archive.findings.find(({ place }) => place.includes('image[2]'))).toEqual({
      kind: 'unresolved',
      code: 'file-missing',
      member: '',
      place: 'guide/steps/step[1]/media/image[2] (25:102)',
      message: 'The image media/s1b.jpg is not in the package.',
    });
  });
});

/** A package with a step that shows the picture at `path`. */
function withPicture(
  path: string,
  content: string | Uint8Array = pictureBytes('a'),
): Uint8Array<ArrayBuffer> {
  const ending = path.endsWith('.jpg') ? 'jpg' : 'png';
  const media = `<media type="image"><image>${path}</image></media>`;
  return packageWith({
    'category.xml': `<category locale="en"><category_info>C</category_info><guides><guide id="4"><path>g</path></guide></guides></category>`,
    'g/guide.xml': guideDocument(stepDocument('', media)),
    [`g/media/a.${ending}`]: content,
  });
}

const oldPackage = {
  'manifest.xml': `\ufeff<manifest xmlns="http://omanual.com" locale="en">\r\n<title>iPhone 5</title><procedures><procedure id="3141" subject="Battery" type="Replacement"><procedure.title>Battery</procedure.title><url>http://www.ifixit.com/Guide/x/3141</url><path>\n Battery-3141/procedure.xml \n</path><image_url>x</image_url></procedure></procedures><documents><document type="topic">iPhone-5.xml</document></documents></manifest>`,
  'iPhone-5.xml': `<topic xmlns="http://omanual.com" locale="en"><title>iPhone 5 Repair</title><topic_info introduced="">iPhone 5</topic_info><contents>A&amp;#160;phone</contents></topic>`,
  'Battery-3141/procedure.xml': `<procedure xmlns="http://omanual.com" locale="en"><title subject="Battery" type="Replacement">Battery</title><introduction introduction_raw="Read ''this''.">Read <em>this</em>.</introduction><time_required>One Hour</time_required><tools><tool>Spudger</tool></tools><steps><step number="0" title=""><lines><line bullet="black" level="0" text_raw="A '''raw''' line">A line</line></lines><media type="image"><image imageid="5" orderby="1">media/step-0-image-0.png</image></media></step></steps><categories><category>iPhone 5</category></categories><modified_date>2013-09-04T17:22:56-07:00</modified_date></procedure>`,
  'Battery-3141/media/step-0-image-0.png': pictureBytes('old'),
};
