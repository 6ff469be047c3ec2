import { casesOf, type ConformanceCase } from './case.ts';
import {
  guideDocument,
  indexDocument,
  indexEntry,
  packageWith,
  pictureBytes,
  stepDocument,
} from './documents.ts';
import { handMadeZip, type HandMade } from './hand-made-zip.ts';

const line = '<line bullet="black" level="0">Remove the cover</line>';
const sound = guideDocument(stepDocument(line));
const guide: HandMade = { name: 'belt-1/guide.xml', content: sound, deflate: true };
const beside = (...members: HandMade[]): Uint8Array<ArrayBuffer> => handMadeZip([guide, ...members]);
const named = (name: string): Uint8Array<ArrayBuffer> => beside({ name, content: '' });
const claiming = (directory: HandMade['directory'] & object): Uint8Array<ArrayBuffer> =>
  handMadeZip([{ ...guide, directory }]);
const withStep = (media: string): string => guideDocument(stepDocument(line, media));
const showing = (path: string): string => withStep(`<media type="image"><image>${path}</image></media>`);
const indexed = (entries: string): Uint8Array<ArrayBuffer> =>
  packageWith({
    'category.xml': indexDocument(entries),
    'a/guide.xml': sound,
    'b/guide.xml': sound,
  });

/** A package whose end record states fewer members than their directory has. */
function hiddenMember(): Uint8Array<ArrayBuffer> {
  const bytes = beside({ name: 'b/hidden.txt', content: 'x' });
  const end = new DataView(bytes.buffer);
  for (const at of [8, 10]) end.setUint16(bytes.length - 22 + at, 1, true);
  return bytes;
}

/** A package whose end record says that it is the second part. */
function partOfMany(): Uint8Array<ArrayBuffer> {
  const bytes = handMadeZip([guide]);
  new DataView(bytes.buffer).setUint16(bytes.length - 18, 1, true);
  return bytes;
}

/** A PNG whose header claims a width of 57 pixels. */
function widePicture(): Uint8Array<ArrayBuffer> {
  const bytes = pictureBytes('wide');
  new DataView(bytes.buffer).setUint32(16, 57);
  return bytes;
}

/** Files that are about the package: its members, their names, their sums, and how they refer to each other. */
export const packageCases: readonly ConformanceCase[] = [
  ...casesOf('valid', 'OMANUAL-READ-2', [
    ['zip-stored', 'Members are stored', [], handMadeZip([{ ...guide, deflate: false }])],
    ['zip-deflated', 'Members are deflated', [], handMadeZip([guide])],
    ['zip-descriptor', 'Sizes follow the content', [], handMadeZip([{ ...guide, descriptor: true }])],
    ['zip-zip64', 'Sizes are in zip64 fields', [], handMadeZip([{ ...guide, large: true }])],
    ['zip-comment', 'The package has a comment', [], handMadeZip([guide], 'a comment')],
    ['name-utf-8', 'A name in UTF-8', [], handMadeZip([{ ...guide, name: 'Türe-3/guide.xml' }])],
    [
      'name-cp437',
      'A name in code page 437',
      [],
      handMadeZip([{ ...guide, name: Buffer.from('T\u0081re-3/guide.xml', 'latin1') }]),
    ],
  ]),
  ...casesOf('refused', 'OMANUAL-READ-3', [
    ['name-outside', 'A member leads out of the package', 'name-outside', named('../x')],
    ['name-outside-inner', 'A member leaves the package midway', 'name-outside', named('a/../../x')],
    ['name-absolute', 'A member begins with a slash', 'name-absolute', named('/x')],
    ['name-drive', 'A member begins with a drive', 'name-absolute', named('C:/x')],
    ['name-backslash', 'A member has a backslash', 'name-backslash', named('a\\x')],
    ['name-control', 'A member has a control character', 'name-control', named('a\u0000x')],
    ['name-endless', 'A name has 1,025 characters', 'name-too-long', named('x'.repeat(1025))],
    ['name-empty', 'A member has no name', 'name-empty', named('')],
    [
      'name-encoding',
      'A name is marked as UTF-8 and is not',
      'name-encoding',
      beside({ name: Buffer.from([0x61, 0xff]), content: '', flags: 0x800 }),
    ],
    ['name-twice', 'Two members have one name', 'name-twice', named('./belt-1/guide.xml')],
    [
      'name-file-and-folder',
      'A file is the folder of another',
      'name-twice',
      beside({ name: 'a', content: '' }, { name: 'a/b', content: '' }),
    ],
    [
      'link',
      'A member is a symbolic link',
      'link',
      beside({ name: 'x', content: '/etc/passwd', mode: 0o120777 }),
    ],
    ['device', 'A member is a device', 'link', beside({ name: 'x', content: '', mode: 0o060644 })],
    ['encrypted', 'A member is encrypted', 'encrypted', beside({ name: 'x', content: 'x', flags: 1 })],
    [
      'zip-method',
      'A member has another compression (bzip2)',
      'zip-method',
      beside({ name: 'x', content: 'x', directory: { method: 12 } }),
    ],
  ]),
  ...casesOf('refused', 'OMANUAL-READ-4', [
    [
      'overlap',
      'Two members overlap',
      'overlap',
      beside({ name: 'x', content: 'x', directory: { offset: 0 } }),
    ],
    [
      'zip-other-name',
      'Header and directory name a member differently',
      'zip-disagree',
      claiming({ name: 'b/guide.xml' }),
    ],
    ['zip-other-size', 'Header and directory give different sizes', 'zip-disagree', claiming({ size: 20 })],
    ['zip-other-sum', 'Header and directory give different checksums', 'zip-disagree', claiming({ crc: 7 })],
    ['zip-hidden-member', 'The directory has more members than it states', 'zip-disagree', hiddenMember()],
    [
      'crc',
      'A checksum is wrong',
      'crc',
      handMadeZip([{ ...guide, descriptor: true, directory: { crc: 7 } }]),
    ],
    ['zip-parts', 'A part of a package of several parts', 'zip-parts', partOfMany()],
    ['zip-cut', 'The end of the package is missing', 'zip-damaged', handMadeZip([guide]).slice(0, 300)],
  ]),
  ...casesOf('refused', 'OMANUAL-READ-5', [
    [
      'bomb',
      'A member unpacks to a thousand times its size',
      'bomb',
      beside({ name: 'x', content: Buffer.alloc(3 * 1024 ** 2), deflate: true }),
    ],
    [
      'bomb-false-size',
      'A member unpacks to more than its stated size',
      'zip-disagree',
      handMadeZip([
        {
          ...guide,
          content: sound + ' '.repeat(3_000_000),
          descriptor: true,
          directory: { size: 5000 },
        },
      ]),
    ],
  ]),
  ...casesOf('refused', 'OMANUAL-READ-10', [
    [
      'picture-that-is-a-program',
      'A picture is a program',
      'media-type',
      packageWith({ 'g/guide.xml': showing('a.png'), 'g/a.png': 'MZ no picture' }),
    ],
    [
      'picture-that-is-svg',
      'A picture is SVG, which may run scripts',
      'media-type',
      packageWith({ 'g/guide.xml': showing('a.png'), 'g/a.png': '<svg/>' }),
    ],
  ]),
  ...casesOf('refused', 'OMANUAL-READ-1', [
    ['no-omanual', 'A package without index and guide', 'no-omanual', packageWith({ 'a.txt': 'x' })],
    ['zip-empty', 'A package without members', 'no-omanual', handMadeZip([])],
  ]),
  ...casesOf('valid', 'OMANUAL-CHECK-4', [
    [
      'index',
      'An index with two guides',
      [],
      indexed(indexEntry(1, 'a/guide.xml') + indexEntry(2, 'b/guide.xml')),
    ],
  ]),
  ...casesOf('invalid', 'OMANUAL-CHECK-4', [
    [
      'guide-id-twice',
      'Two guides have one id',
      'guide-id-twice',
      indexed(indexEntry(1, 'a/guide.xml') + indexEntry(1, 'b/guide.xml')),
    ],
    [
      'guide-twice',
      'A guide is listed twice',
      ['guide-twice', 'guide-unlisted'],
      indexed(indexEntry(1, 'a/guide.xml') + indexEntry(2, 'a/guide.xml')),
    ],
    [
      'name-too-long-for-disks',
      'A name has more bytes than file systems allow',
      'name-too-long',
      packageWith({ 'g/guide.xml': sound, [`g/${'ß'.repeat(126)}.txt`]: 'x' }),
    ],
  ]),
  ...casesOf('advice', 'OMANUAL-CHECK-4', [
    ['guide-unlisted', 'No index lists a guide', 'guide-unlisted', indexed(indexEntry(1, 'a/guide.xml'))],
    [
      'name-case',
      'Two names differ only in letter case',
      'name-case',
      packageWith({ 'g/guide.xml': sound, 'g/a.txt': 'x', 'g/A.txt': 'x' }),
    ],
    [
      'name-windows',
      'Windows cannot have a file of that name',
      'name-windows',
      packageWith({ 'g/guide.xml': sound, 'g/CON.txt': 'x' }),
    ],
    [
      'name-bidi',
      'A name looks like another because of a turned direction',
      'name-bidi',
      packageWith({ 'g/guide.xml': sound, 'g/report\u202etxt.exe': 'x' }),
    ],
    [
      'picture-box',
      'A picture is wider than its size allows',
      'picture-box',
      packageWith({
        'g/guide.xml': withStep('<media type="image"><image mini="a.png">a.png</image></media>'),
        'g/a.png': widePicture(),
      }),
    ],
    [
      'round-trip',
      'The data that the producer stored beside the documents cannot be read',
      'round-trip',
      packageWith({ 'g/guide.xml': sound, 'x-benchbook/roundtrip.json': '{}' }),
    ],
  ]),
  ...casesOf('invalid', 'OMANUAL-CHECK-3', [
    [
      'path-missing',
      'A picture is not in the package',
      'path-missing',
      packageWith({ 'g/guide.xml': showing('gone.png') }),
    ],
    [
      'path-outside',
      'A path leads out of the package',
      'path-outside',
      packageWith({ 'g/guide.xml': showing('../../x.png') }),
    ],
  ]),
  ...casesOf('advice', 'OMANUAL-CHECK-3', [
    [
      'path-from-root',
      'A path counts from the root',
      'path-from-root',
      packageWith({ 'g/guide.xml': showing('/g/a.png'), 'g/a.png': pictureBytes('a') }),
    ],
  ]),
];
