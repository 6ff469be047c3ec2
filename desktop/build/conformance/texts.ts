import { casesOf, type ConformanceCase } from './case.ts';
import { guideDocument, indexDocument, packageWith, stepDocument } from './documents.ts';

const line = '<line bullet="black" level="0">x</line>';
const withLine = (text: string): string => guideDocument(stepDocument(text));
const withEmbed = (attributes: string): string =>
  guideDocument(
    stepDocument(line, `<media type="embed"><embed ${attributes} url="https://a.example/"/></media>`),
  );
const inConclusion = (text: string): string =>
  guideDocument(`<conclusion>${text}</conclusion>${stepDocument('')}`);
const bare = withLine(line).replace(/^<\?xml.*\?>\n/, '');
const plain = withLine(line);

/** A document in an encoding, whatever it declares. */
function encoded(text: string, encoding: BufferEncoding): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, encoding));
}

/** Lone documents: XML, the schemas of version 1.0, what they leave open, and older versions. */
export const textCases: readonly ConformanceCase[] = [
  ...casesOf('valid', 'OMANUAL-CHECK-2', [
    ['guide', 'A guide with one step', [], plain],
    ['guide-without-steps', 'A guide whose steps are empty', [], guideDocument('<steps/>')],
    ['category', 'An index without guides', [], indexDocument('')],
    [
      'guide-formats',
      'A line with every element of simplified HTML for texts',
      [],
      withLine(
        '<line bullet="icon_note" level="1"><strong>a</strong> <em>b</em> <tt>c</tt> <code>d</code> x<sub>2</sub> y<sup>3</sup> <del>e</del> <ins>f</ins> <a href="https://a.example/">g</a><br/>h</line>',
      ),
    ],
    [
      'guide-supplies',
      'Tools and parts with all their attributes',
      [],
      plain
        .replace(
          '<tools/>',
          '<tools><tool name="Spudger" quantity="2" notes="nylon" type="flat" url="https://a.example/spudger">Spudger</tool></tools>',
        )
        .replace('<parts/>', '<parts><part name="Belt" quantity="1">Belt</part></parts>'),
    ],
  ]),
  ...casesOf('valid', 'OMANUAL-READ-11', [
    ['utf-8-bom', 'UTF-8 with a byte order mark', [], encoded(`\ufeff${plain}`, 'utf8')],
    [
      'utf-16',
      'UTF-16, declared',
      [],
      encoded(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${bare}`, 'utf16le'),
    ],
    [
      'latin-1',
      'ISO 8859-1, declared',
      [],
      encoded(`<?xml version="1.0" encoding="ISO-8859-1"?>${bare.replace('>x<', '>Größe<')}`, 'latin1'),
    ],
  ]),
  ...casesOf('refused', 'OMANUAL-READ-11', [
    ['doctype', 'A DOCTYPE', 'doctype', '<!DOCTYPE guide [<!ENTITY a "b">]><guide/>'],
    [
      'doctype-external',
      'A DOCTYPE that names a file of the machine',
      'doctype',
      `<!DOCTYPE guide [<!ENTITY a SYSTEM "file:///etc/passwd">]>${bare.replace('>x<', '>&a;<')}`,
    ],
    [
      'doctype-laughs',
      'Entities that multiply to a billion',
      'doctype',
      `<!DOCTYPE guide [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${bare.replace('>x<', '>&b;<')}`,
    ],
    ['entity', 'An entity of HTML', 'entity', inConclusion('&nbsp;')],
    ['xml-open', 'An element is not closed', 'xml', inConclusion('<p>')],
    ['xml-crossed', 'Elements cross', 'xml', inConclusion('<p><a>x</p></a>')],
    ['xml-cut', 'The document ends in a tag', 'xml', '<guide a="1"'],
    ['too-deep', '70 elements in each other', 'too-deep', inConclusion('<p>'.repeat(70) + '</p>'.repeat(70))],
    [
      'xml-encoding-unknown',
      'An encoding that is not read',
      'xml-encoding',
      `<?xml version="1.0" encoding="EBCDIC-US"?>${bare}`,
    ],
    [
      'xml-encoding-invalid',
      'Bytes that are not UTF-8',
      'xml-encoding',
      encoded(bare.replace('>x<', '>Größe<'), 'latin1'),
    ],
  ]),
  ...casesOf('refused', 'OMANUAL-READ-5', [
    [
      'too-many-namespaces',
      '101 namespaces on one element',
      'too-large',
      inConclusion(`<p ${Array.from({ length: 101 }, (_, at) => `xmlns:n${at}="u:${at}"`).join(' ')}/>`),
    ],
    [
      'text-too-large',
      'A text of 1.1 million characters',
      'too-large',
      packageWith({
        'g/guide.xml': withLine(
          `<line bullet="black" level="0">${Array.from({ length: 200_000 }, (_, at) => `${at % 997} ab`).join(' ')}</line>`,
        ),
      }),
    ],
    [
      'document-too-large',
      '120,001 elements, texts and attributes',
      'too-large',
      packageWith({
        'g/guide.xml': withLine(`<line bullet="black" level="0">${'<br/>'.repeat(121_000)}</line>`),
      }),
    ],
  ]),
  ...casesOf('refused', 'OMANUAL-READ-1', [
    ['no-xml', 'Neither a package nor XML', 'no-omanual', 'no xml at all'],
    ['other-xml', 'Another kind of document', 'no-omanual', '<html/>'],
  ]),
  ...casesOf('invalid', 'OMANUAL-CHECK-2', [
    [
      'namespace',
      'The namespace is missing',
      'namespace',
      plain
        .replace(' xmlns="http://omanual.com/"', '')
        .replace('locale="en"', 'locale="en" xmlns="http://example.com/"'),
    ],
    [
      'element',
      'An element that the schema does not have',
      'element',
      plain.replace('<image/>', '<image/><colour/>'),
    ],
    [
      'element-prototype',
      'An element named __proto__',
      'element',
      withLine('<line bullet="black" level="0"><__proto__>x</__proto__></line>'),
    ],
    ['element-missing', 'A required element is missing', 'element-missing', plain.replace('<tools/>', '')],
    [
      'element-twice',
      'An element is there twice',
      'element-twice',
      plain.replace('<tools/>', '<tools/><tools/>'),
    ],
    [
      'attribute',
      'An attribute that the schema does not have',
      'attribute',
      plain.replace('number="1"', 'number="1" colour="red"'),
    ],
    [
      'attribute-missing',
      'A required attribute is missing',
      'attribute-missing',
      plain.replace(' level="0"', ''),
    ],
    ['text', 'Text where only elements may be', 'text', plain.replace('<tools/>', '<tools>Spudger</tools>')],
    ['value', 'A value of the wrong type', 'value', plain.replace('level="0"', 'level="high"')],
  ]),
  ...casesOf('invalid', 'OMANUAL-CHECK-3', [
    ['bullet', 'A bullet of an unknown colour', 'bullet', withLine('<line bullet="pink" level="0">x</line>')],
    [
      'media-type',
      'Media of another type than stated',
      'media-type',
      guideDocument(stepDocument(line, '<media type="video"><image>https://a.example/a.png</image></media>')),
    ],
    [
      'script-link',
      'A link runs a script',
      'script-link',
      inConclusion('<a href=" java&#10;script:x">x</a>'),
    ],
    ['script-data', 'A link holds data', 'script-link', inConclusion('<a href="data:text/html,x">x</a>')],
    [
      'xml-encoding-false',
      'UTF-8 with a mark, declared as UTF-16',
      'xml-encoding',
      encoded(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${bare}`, 'utf8'),
    ],
  ]),
  ...casesOf('advice', 'OMANUAL-CHECK-3', [
    ['level', 'A line of level 4', 'level', withLine('<line bullet="red" level="4">x</line>')],
    [
      'line-long',
      'A line of 501 characters',
      'line-long',
      withLine(`<line bullet="red" level="0">${'x'.repeat(501)}</line>`),
    ],
    [
      'line-longest',
      'A line of 500 characters is fine',
      [],
      withLine(`<line bullet="red" level="0">${'x'.repeat(500)}</line>`),
    ],
    [
      'step-number',
      'The first step has the number 0',
      'step-number',
      plain.replace('number="1"', 'number="0"'),
    ],
    [
      'difficulty',
      'A difficulty that the standard does not name',
      'difficulty',
      guideDocument(`<difficulty>Hard</difficulty>${stepDocument(line)}`),
    ],
    [
      'summary-long',
      'A summary of 256 characters',
      'summary-long',
      guideDocument(`<summary>${'x'.repeat(256)}</summary>${stepDocument(line)}`),
    ],
    ['date-zone', 'Dates without a time zone', 'date-zone', plain.replaceAll('Z</', '</')],
    ['date-order', 'Changed before it was made', 'date-order', plain.replace('2024-01-02', '2025-01-02')],
    [
      'locale',
      'A locale that is no language tag',
      'locale',
      plain.replace('locale="en"', 'locale="English language"'),
    ],
    [
      'embed-type',
      'An embedded page of an unknown type',
      'embed-type',
      withEmbed('type="film" version="1.0"'),
    ],
    [
      'embed-version',
      'An embedded page of another version',
      'embed-version',
      withEmbed('type="link" version="2"'),
    ],
    [
      'escaped-markup',
      'Markup that is escaped as text',
      'escaped-markup',
      inConclusion('&lt;b&gt;x&lt;/b&gt;'),
    ],
  ]).map((one) => (one.codes.length === 0 ? { ...one, verdict: 'valid' as const } : one)),
  ...casesOf('advice', 'OMANUAL-CHECK-5', [
    [
      'version-0.3',
      'A procedure of version 0.3',
      ['date', 'type', 'version'],
      '<procedure locale="en"><title type="x">T</title><steps/></procedure>',
    ],
    [
      'version-0.4',
      'A procedure of version 0.4',
      'version',
      '<procedure xmlns="http://omanual.com" locale="en"><title subject="Belt" type="repair">T</title><steps><step number="1"><lines><line bullet="black" level="0">x</line></lines></step></steps><modified_date>2013-09-04T17:22:56-07:00</modified_date></procedure>',
    ],
    [
      'version-0.2',
      'A device of version 0.2',
      'version',
      '<device locale="en"><title>Lamp</title><device_info>Lamp</device_info></device>',
    ],
    [
      'version-0.3-package',
      'A manifest and a procedure of version 0.3',
      ['date', 'type', 'version'],
      packageWith({
        'manifest.xml':
          '<manifest xmlns="http://omanual.com" locale="en"><title>T</title><procedures><procedure id="1" type="x"><title>T</title><path>g/procedure.xml</path></procedure></procedures></manifest>',
        'g/procedure.xml':
          '<procedure xmlns="http://omanual.com" locale="en"><title type="x">T</title><steps/></procedure>',
      }),
    ],
  ]),
];
