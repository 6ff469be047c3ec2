/** The schema type of an attribute or a text-only element. */
export type ValueType = 'string' | 'integer' | 'positive' | 'decimal' | 'uri' | 'dateTime';

/** The allowed content of an element. */
export type ContentRule =
  /** A value without elements. */
  | { readonly kind: 'value'; readonly type: ValueType }
  /** Elements in any order, each at most once. `mixed`: with text between them. `optional`: may be empty. */
  | {
      readonly kind: 'all';
      readonly required: readonly string[];
      readonly allowed: readonly string[];
      readonly mixed: boolean;
      readonly mayBeEmpty: boolean;
    }
  /** Elements in this order. `names`: alternatives, all with the same content. */
  | { readonly kind: 'sequence'; readonly parts: readonly SequencePart[]; readonly mixed: boolean }
  /** Text and any element that the schema declares. */
  | { readonly kind: 'any' };

export interface SequencePart {
  readonly names: readonly { readonly name: string; readonly most: number }[];
  readonly least: number;
}

export interface ElementRule {
  readonly content: ContentRule;
  /** A `!` after the type: required. */
  readonly attributes: Readonly<Record<string, ValueType | `${ValueType}!`>>;
}

export type SchemaRules = Readonly<Record<string, ElementRule>>;

const many = Number.POSITIVE_INFINITY;
const text: ContentRule = { kind: 'value', type: 'string' };
/** Text without elements. */
const mixedText: ContentRule = { kind: 'sequence', parts: [], mixed: true };
const nothing: ContentRule = { kind: 'sequence', parts: [], mixed: false };
const sizes = {
  large: 'string',
  medium: 'string',
  standard: 'string',
  thumbnail: 'string',
  mini: 'string',
} as const;
const supply = { sku: 'string', thumbnail: 'uri', notes: 'string', type: 'string', url: 'uri' } as const;

function list(name: string, most = many): ContentRule {
  return { kind: 'sequence', parts: [{ names: [{ name, most }], least: 0 }], mixed: false };
}

function plain(content: ContentRule, attributes: ElementRule['attributes'] = {}): ElementRule {
  return { content, attributes };
}

const listing = ['title', 'url', 'path', 'image'];
const htmlNames = 'p a strong em h1 h2 h3 h4 h5 h6 tt pre code ul li br sub sup del ins div'.split(' ');
const htmlRule: ElementRule = {
  content: {
    kind: 'sequence',
    parts: [{ names: htmlNames.map((name) => ({ name, most: many })), least: 0 }],
    mixed: true,
  },
  attributes: {
    id: 'string',
    class: 'string',
    href: 'string',
    style: 'string',
    rel: 'string',
    title: 'string',
    target: 'string',
  },
};
const html: SchemaRules = Object.fromEntries(htmlNames.map((name) => [name, htmlRule]));

/** Declarations that both schemas share. */
const common: SchemaRules = {
  ...html,
  url: plain({ kind: 'value', type: 'uri' }),
  path: plain(text),
  flags: plain(list('flag')),
  flag: plain(mixedText, { id: 'string', title: 'string!', image: 'uri' }),
  tools: plain(list('tool')),
  parts: plain(list('part')),
  documents: plain(list('document')),
};

/** The rules of the category schema of version 1.0. */
export const categoryRules: SchemaRules = {
  ...common,
  category: plain(
    allOf(
      [
        'title',
        'category_info',
        'image',
        'description',
        'flags',
        'ancestors',
        'children',
        'solutions',
        'parts',
      ],
      ['tools', 'contents', 'guides', 'documents'],
      [],
    ),
    { locale: 'string!' },
  ),
  title: plain(text),
  category_info: plain(mixedText, { discontinued: 'integer', introduced: 'integer', manufacturer: 'string' }),
  image: plain(mixedText, sizes),
  description: plain({ kind: 'any' }),
  contents: plain({ kind: 'any' }),
  ancestors: plain(list('ancestor')),
  ancestor: plain(text),
  children: plain(list('child')),
  child: plain(text),
  solutions: plain(nothing, { count: 'integer!', url: 'uri!' }),
  tool: plain(mixedText, { ...supply, name: 'string!', quantity: 'string' }),
  part: plain(mixedText, { ...supply, name: 'string!', quantity: 'string' }),
  guides: plain(list('guide')),
  guide: plain(allOf(listing, [], []), { id: 'integer!', subject: 'string!', type: 'string!' }),
  document: plain(text, { id: 'integer', type: 'string', date: 'dateTime' }),
};

const sources: ContentRule = {
  kind: 'sequence',
  parts: [{ names: [{ name: 'external_sources', most: 1 }], least: 0 }],
  mixed: true,
};

/** The rules of the guide schema of version 1.0. */
export const guideRules: SchemaRules = {
  ...common,
  guide: plain(
    allOf(
      ['title', 'image', 'author', 'introduction', 'tools', 'parts', 'flags', 'documents', 'prerequisites'],
      ['steps', 'modified_date', 'created_date'],
      ['summary', 'time_required', 'difficulty', 'category', 'conclusion'],
    ),
    { locale: 'string!' },
  ),
  title: plain(text, { subject: 'string', type: 'string' }),
  summary: plain(text),
  author: plain(text, { id: 'string' }),
  time_required: plain(text),
  difficulty: plain(text),
  category: plain(text),
  introduction: plain({ kind: 'any' }),
  conclusion: plain({ kind: 'any' }),
  modified_date: plain({ kind: 'value', type: 'dateTime' }),
  created_date: plain({ kind: 'value', type: 'dateTime' }),
  tool: plain(sources, { ...supply, name: 'string!', quantity: 'string' }),
  part: plain(sources, { ...supply, name: 'string!', quantity: 'string!' }),
  external_sources: plain(list('external_source')),
  external_source: plain(nothing, { id: 'string', url: 'uri', notes: 'string' }),
  document: plain(text, { url: 'uri' }),
  prerequisites: plain(list('prerequisite')),
  prerequisite: plain(
    { kind: 'all', required: listing, allowed: listing, mixed: true, mayBeEmpty: true },
    { id: 'integer!', locale: 'string!', subject: 'string!', type: 'string!' },
  ),
  steps: plain(list('step')),
  step: plain(
    {
      kind: 'sequence',
      parts: [
        { names: [{ name: 'lines', most: 8 }], least: 1 },
        { names: [{ name: 'media', most: 1 }], least: 0 },
      ],
      mixed: false,
    },
    { number: 'integer!', title: 'string' },
  ),
  lines: plain(list('line', 8)),
  line: plain({ kind: 'any' }, { bullet: 'string!', level: 'integer!' }),
  media: plain(
    {
      kind: 'sequence',
      parts: [
        {
          names: [
            { name: 'image', most: 3 },
            { name: 'embed', most: 1 },
            { name: 'video', most: 1 },
          ],
          least: 1,
        },
      ],
      mixed: false,
    },
    { type: 'string!' },
  ),
  image: plain(mixedText, { ...sizes, orderby: 'positive' }),
  embed: plain(mixedText, {
    type: 'string',
    cache_age: 'integer',
    thumbnail_url: 'uri',
    thumbnail_height: 'integer',
    thumbnail_width: 'integer',
    provider_url: 'uri',
    provider_name: 'string',
    author_url: 'uri',
    author_name: 'string',
    version: 'decimal',
    title: 'string',
    height: 'integer',
    width: 'integer',
    url: 'uri',
    html: 'string',
  }),
  video: plain({
    kind: 'sequence',
    parts: [one('encoding', many), one('source', 1), one('poster', 1)],
    mixed: true,
  }),
  encoding: plain(mixedText, {
    width: 'integer!',
    height: 'integer!',
    codecs: 'string!',
    format: 'string!',
    mime: 'string!',
  }),
  source: plain(nothing, {
    duration_in_ms: 'integer',
    audio_bitrate_in_kbps: 'integer',
    audio_sample_rate: 'integer',
    video_bitrate_in_kbps: 'integer',
    total_bitrate_in_kbps: 'integer',
    video_codec: 'string',
    audio_codec: 'string',
    frame_rate: 'decimal',
    format: 'string',
    channels: 'integer',
    file_size_in_bytes: 'integer',
    width: 'integer',
    height: 'integer',
  }),
  poster: plain(mixedText, { ...sizes, guid: 'string' }),
};

function one(name: string, most: number): SequencePart {
  return { names: [{ name, most }], least: 1 };
}

function allOf(
  first: readonly string[],
  second: readonly string[],
  optional: readonly string[],
): ContentRule {
  const required = [...first, ...second];
  return { kind: 'all', required, allowed: [...required, ...optional], mixed: false, mayBeEmpty: false };
}
