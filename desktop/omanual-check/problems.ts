/** For each code of the checker: what is wrong, and what to do about it. */
export type Problems = Readonly<Record<string, readonly [what: string, toDo: string]>>;

const repack = 'Pack the files again with a common ZIP program, or export the archive again.';
const rename = 'Rename the file, and the paths that lead to it.';
const schema = 'Compare the place with the schema of version 1.0, and write it as the schema says.';
const source = 'Do not use the file. Ask where it comes from for a new one.';
const mendXml = 'Mend the document in a text editor or XML editor at the place named.';
const asIntended = 'Check that it was read as you meant it, or write it as version 1.0 requires.';
const addFile = 'Add the missing file to the package, or remove what refers to it.';

/** In English. */
export const problems: Problems = {
  'no-omanual': [
    'This is no oManual file',
    'Choose an .omanual or .zip package with a guide.xml or category.xml, or such a document itself.',
  ],
  'no-guide': ['A guide is missing', addFile],
  missing: ['A file is missing', addFile],
  'no-guides': ['The archive has no guides', 'Export the archive again with at least one guide.'],
  'name-outside': ['A name leads out of the package', source],
  'name-absolute': ['A name begins at the root of a disk', repack],
  'name-backslash': ['A name has a backslash', `Names use a slash between folders. ${repack}`],
  'name-control': ['A name has invisible control characters', source],
  'name-too-long': ['A name is too long', `Names have at most 255 bytes. ${rename}`],
  'name-empty': ['A file has no name', repack],
  'name-twice': ['Two files have the same name', `Readers would see only one of them. ${repack}`],
  'name-encoding': ['A name is not valid UTF-8', repack],
  'name-case': [
    'Two names differ only in letter case',
    `Windows and macOS can unpack only one of them. ${rename}`,
  ],
  'name-windows': ['Windows cannot have a file of this name', rename],
  'name-bidi': [
    'A name is made to look like another',
    'It has characters that turn the direction of writing. Remove them from the name.',
  ],
  link: ['The package has a link or a device', `Only ordinary files may be in a package. ${repack}`],
  'too-many-members': ['The package has too many files', 'Split the archive, for instance by categories.'],
  bomb: ['The package would unpack to an enormous size', source],
  'too-large': ['A document or text is too large', 'Split the guide into several.'],
  'too-deep': ['Elements are nested too deep', mendXml],
  overlap: ['Files overlap in the package', source],
  'zip-disagree': [
    'The package contradicts itself',
    `Its directory and its files say different things. ${repack}`,
  ],
  crc: ['A file is damaged', 'Copy or download the package again. If that does not help, export it again.'],
  'zip-damaged': [
    'The package is damaged',
    'Copy or download it again. If that does not help, export it again.',
  ],
  'zip-parts': ['The package is one of several parts', 'Pack everything into one file.'],
  'zip-method': [
    'A file is packed in a way that few programs read',
    'Pack with the methods “deflate” or “store”.',
  ],
  encrypted: ['The package is encrypted', 'Pack it without a password.'],
  doctype: ['A document has a DOCTYPE', 'Remove the DOCTYPE. It can make readers load other files.'],
  entity: [
    'A document uses an entity that XML does not have',
    'Write the character itself, such as “ ” instead of “&nbsp;”.',
  ],
  xml: ['A document is not well-formed XML', mendXml],
  'xml-encoding': [
    'The encoding of a document is wrong',
    'Store the document as UTF-8, and declare UTF-8 or nothing.',
  ],
  'media-type': [
    'A file is not what its name or element claims',
    'Replace the file, or name the type that it has.',
  ],
  namespace: [
    'An element is in the wrong namespace',
    'Write xmlns="http://omanual.com/" at the root element, and no other namespace below it.',
  ],
  element: ['An element is not allowed here', schema],
  'element-missing': ['A required element is missing', schema],
  'element-twice': ['An element is there twice', 'Remove one of them.'],
  attribute: ['An attribute is not allowed here', schema],
  'attribute-missing': ['A required attribute is missing', schema],
  text: ['Text is not allowed here', 'Put the text into an element, or remove it.'],
  value: ['A value is of the wrong kind', schema],
  'path-missing': ['A path leads to a file that is not in the package', addFile],
  'path-outside': [
    'A path leads out of the package',
    'Put the file into the package, and write its path relative to the document.',
  ],
  'path-from-root': [
    'A path begins with a slash',
    'Write it relative to the document. Some readers cannot follow it otherwise.',
  ],
  bullet: [
    'A line has an unknown bullet',
    'Use black, red, orange, yellow, green, blue, violet, icon_note, icon_caution or icon_reminder.',
  ],
  difficulty: [
    'The difficulty is none of the standard',
    'Use Very easy, Easy, Moderate, Difficult or Very difficult.',
  ],
  level: ['The indentation of a line is none of the standard', 'Use the levels 0 to 3.'],
  'step-number': ['Steps are not numbered 1, 2, 3 …', 'Number them in their order, from 1 on.'],
  'line-long': ['A line is very long', 'Split it into lines of at most 500 characters.'],
  'summary-long': ['The summary is long', 'Shorten it to 255 characters.'],
  'date-zone': ['A date has no time zone', 'Write it with one, such as 2024-01-02T03:04:05Z.'],
  'date-order': ['The guide was changed before it was made', 'Correct one of the dates.'],
  'embed-type': ['An embedded page has an unknown type', 'Use photo, video, link or rich.'],
  'embed-version': ['An embedded page has an unknown version', 'Write version="1.0".'],
  'script-link': [
    'A link runs a script or holds data',
    'Remove the link. Programs that open it could be attacked.',
  ],
  'escaped-markup': [
    'Markup is written as text',
    'Write <strong>, not &lt;strong&gt;. Otherwise readers show the tags.',
  ],
  locale: ['The language is no language tag', 'Write a tag such as en, de or pt-br.'],
  'guide-twice': ['A guide is listed twice', 'Remove one of the entries from the index.'],
  'guide-id-twice': ['Two guides have the same id', 'Give each guide in the index its own id.'],
  'guide-unlisted': [
    'A guide is in no index',
    'Add it to category.xml. Some readers show only what is listed.',
  ],
  'guide-missing': ['A listed guide is not in the package', addFile],
  'picture-box': [
    'A picture is larger than its size allows',
    'Make it smaller, or name it as a larger size.',
  ],
  'round-trip': [
    'Additional data of the producer was not used',
    'The documents were changed after the export. Nothing to do if that was intended.',
  ],
  version: ['The file is of an older version', 'Convert it to version 1.0: benchbook omanual convert.'],
  address: ['An address is dangerous or leads nowhere', 'Write an address that begins with http or https.'],
  'link-dropped': ['A link leads nowhere', 'Correct or remove the link.'],
  'unsafe-markup': ['Markup that may run scripts was left out', 'Remove it from the text.'],
  embed: ['An embedded page has no address', 'Add its address, or remove it.'],
  'embed-html': ['An embedded page is only linked', 'Nothing to do: only frames of known players are kept.'],
  'file-missing': ['A file is not in the package', addFile],
  prerequisite: [
    'A prerequisite is not in the package',
    'Add that guide to the package, or remove the reference.',
  ],
  path: ['A path had to be guessed', asIntended],
  'file-type': ['A picture has another type than its name', 'Rename the file by its type.'],
  'picture-size': ['The size of a picture is unknown', 'Store the picture again as PNG or JPEG.'],
  'picture-kind': ['A picture is of a kind that is not read', 'Store the picture as PNG or JPEG.'],
  type: ['The type of a guide is missing or unknown', asIntended],
  language: ['The language is missing', 'Write locale="en" or another language at the root element.'],
  date: ['A date is missing or unclear', asIntended],
  time: ['A duration cannot be read', asIntended],
  quantity: ['A quantity cannot be read', asIntended],
  category: ['A guide has several categories', asIntended],
  'step-order': ['Steps were sorted by their numbers', asIntended],
  'steps-missing': ['A guide has no steps', 'Add its steps.'],
  'category-supplies': ['Tools or parts of a category were left out', 'Name them in the guides.'],
  'external-source': ['A source of supplies was left out', 'Name it in the notes of the tool or part.'],
  flag: ['A flag is unknown', asIntended],
  supply: ['A tool or part was left out', asIntended],
  sku: ['An article number was left out', 'Name it in the notes of the tool or part.'],
  media: ['Media were left out', 'A step shows one video, or up to three pictures.'],
  'media-empty': ['Media are empty', 'Name a file, or remove the element.'],
  video: ['A video has neither file nor address', addFile],
  'introduction-media': ['Media of the introduction were moved', asIntended],
  'picture-in-text': ['A picture in a text was left out', addFile],
  'document-unknown': ['A document is none of a guide', 'Remove it, or put it into a media folder.'],
  'top-folder': ['Everything is in one folder', 'Pack the content of the folder, without the folder.'],
  more: ['There is more to report', 'Mend these problems, and check again.'],
  placeholder: ['A placeholder of the producer was left out', 'Replace it by a value.'],
};
