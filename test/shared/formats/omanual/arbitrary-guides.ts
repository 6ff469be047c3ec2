import fc from 'fast-check';

import {
  bullets,
  difficulties,
  guideFacts,
  guideTypes,
  type GuideFacts,
  type LineFacts,
  type MediaFacts,
  type StepFacts,
  type SupplyFacts,
  type VideoFacts,
} from '#shared/model/guide.ts';
import { wikiFacts, type WikiFacts } from '#shared/model/wiki.ts';
import { wikiText } from '#test/shared/formats/wikitext/wiki-text-arbitrary.ts';

const anyText = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('', 'Belt', 'Größe & <b>', 'a "b" \'c\'', '部品 1', ']]>', 'x\ty\nz'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
);
const anyAddress = fc.oneof(
  fc.constantFrom(
    '',
    '/Item/Drive_belt',
    'https://shop.example/x?a=1&b=ü',
    'javascript:alert(1)',
    'http://[::1]:80/a b',
  ),
  fc.constantFrom('http://a.b/%zz#x#y', '//evil.example', 'http://', 'https://ü.example/{x}|^', '/a b"<>'),
  fc.webUrl(),
);
const anyInt = fc.integer({ min: -5, max: 2_000_000 });
const number = fc.integer({ min: 0, max: 100_000 });
const guid = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[A-Za-z0-9]{4,8}$/) },
  { weight: 1, arbitrary: fc.constantFrom('same', 'SAME', '../x', 'a b/c', 'ü', '.') },
);
const markup = fc.constantFrom(';circle,120x80,30,red;', ';crop,0x0,10x10;', ';null;', 'nonsense');

const image = fc.record(
  { id: number, guid, width: number, height: number, markup, path: fc.constant('/elsewhere/7') },
  { requiredKeys: ['id', 'guid', 'width', 'height'] },
);

const meta = fc.record({
  id: number,
  format: anyText,
  frame_rate: fc.double({ noNaN: true, noDefaultInfinity: true }),
  duration_in_ms: number,
  audio_sample_rate: number,
  audio_bitrate_in_kbps: number,
  audio_codec: anyText,
  height: number,
  width: number,
  file_size_in_bytes: number,
  video_codec: anyText,
  total_bitrate_in_kbps: number,
  channels: fc.constantFrom('2', 'stereo', ''),
  video_bitrate_in_kbps: number,
  state: anyText,
  md5_checksum: fc.constant(null),
});

const encoding = fc.record({
  column: fc.constantFrom('mp4', 'webm', ''),
  label: anyText,
  width: number,
  height: number,
  codecs: anyText,
  mime: fc.constant('video/mp4'),
  always_generate: fc.boolean(),
  format: anyText,
  url: anyAddress,
});

const video: fc.Arbitrary<VideoFacts> = fc.record({
  videoid: number,
  objectid: number,
  srcid: fc.constant(null),
  filename: anyText,
  duration: number,
  width: number,
  height: number,
  image: fc.option(
    fc.record({
      image,
      srcid: fc.constant(null),
      width: number,
      height: number,
      ratio: fc.constantFrom('ONE_ONE', 'FOUR_THREE', 'VARIABLE'),
      markup: fc.constant(null),
    }),
  ),
  meta: fc.option(meta),
  encodings: fc.array(encoding, { maxLength: 2 }),
});

const embed = fc.record({
  embedid: number,
  objectid: number,
  url: anyAddress,
  width: number,
  height: number,
  title: anyText,
  type: fc.constantFrom('video', 'rich', '', 'odd'),
  version: fc.constantFrom('1.0', '', 'x'),
  html: anyText,
  provider_url: anyAddress,
  provider_name: anyText,
  author_url: anyAddress,
  author_name: anyText,
  cache_age: number,
});

const media: fc.Arbitrary<MediaFacts> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('image' as const), data: fc.array(image, { maxLength: 7 }) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('video' as const), data: video }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('embed' as const), data: embed }) },
);

const line: fc.Arbitrary<LineFacts> = fc.record({
  id: fc.uuid(),
  lineid: fc.option(number),
  bullet: fc.constantFrom(...bullets),
  level: fc.integer({ min: 0, max: 6 }),
  text_raw: wikiText,
});

const step: fc.Arbitrary<StepFacts> = fc.record(
  {
    stepid: number,
    revisionid: number,
    key: fc.constant('step-key'),
    title: anyText,
    lines: fc.oneof(
      { weight: 8, arbitrary: fc.array(line, { maxLength: 10 }) },
      { weight: 1, arbitrary: fc.array(line, { minLength: 60, maxLength: 70 }) },
    ),
    media,
    time_estimate: number,
  },
  { requiredKeys: ['stepid', 'revisionid', 'title', 'lines', 'media', 'time_estimate'] },
);

const supply: fc.Arbitrary<SupplyFacts> = fc.record(
  {
    text: anyText,
    notes: fc.option(anyText),
    type: anyText,
    quantity: anyInt,
    url: anyAddress,
    thumbnail: fc.option(anyAddress),
    isoptional: fc.boolean(),
    featured: fc.boolean(),
  },
  { requiredKeys: ['text', 'notes', 'type', 'quantity', 'url', 'thumbnail'] },
);

const document = fc.record({
  documentid: number,
  guid,
  text: anyText,
  extension: fc.constantFrom('pdf', 'zip', ''),
  icon: fc.constant('/static/icons/pdf.svg'),
  url: anyAddress,
  download_url: anyAddress,
});

const date = fc.integer({ min: -1, max: 2_000_000_000 });

/** Any storable guide, hostile texts included; the caller sets `guideid` (0) and prerequisites (1 to 3). */
export const anyGuide: fc.Arbitrary<GuideFacts> = fc
  .record(
    {
      guideid: fc.constant(0),
      revisionid: number,
      guide_revisionid: number,
      key: fc.constant('device-key'),
      langid: fc.constantFrom('en', 'de', 'zh-hant'),
      userid: number,
      public: fc.boolean(),
      type: fc.constantFrom('', ...guideTypes),
      category: anyText,
      subject: anyText,
      title: anyText,
      summary: fc.oneof(anyText, fc.string({ minLength: 250, maxLength: 300 })),
      introduction_raw: wikiText,
      conclusion_raw: wikiText,
      difficulty: fc.constantFrom('', 'Odd', ...difficulties),
      time_required_min: number,
      time_required_max: number,
      flags: fc.constantFrom([], ['GUIDE_IN_PROGRESS'], ['GUIDE_IN_PROGRESS', 'OWN <FLAG>']),
      image: fc.option(image),
      parts: fc.array(supply, { maxLength: 3 }),
      tools: fc.array(supply, { maxLength: 3 }),
      documents: fc.array(document, { maxLength: 2 }),
      featured_documentid: fc.option(number),
      featured_document_embed_url: anyText,
      featured_document_thumbnail_url: anyText,
      intro_video: fc.option(video),
      prerequisites: fc.subarray([1, 2, 3]),
      steps: fc.array(step, { maxLength: 4 }),
      created_date: date,
      published_date: date,
      modified_date: date,
      modified_userid: fc.constant(4_711_001),
      patrol_threshold: number,
      ogdc_enabled: anyText,
      per_step_time_enabled: fc.boolean(),
      work_log_enabled: fc.boolean(),
      should_use_granular_permissions: fc.boolean(),
      allowed_users: fc.constant([4_711_002]),
      allowed_teams: fc.constant([4_711_003]),
      prerequisite_releases: fc.constant([
        { guideid: 1, releaseid: 10 },
        { guideid: 4_711_004, releaseid: 11 },
      ]),
    },
    {
      noNullPrototype: true,
    },
  )
  .map((facts) => guideFacts.parse(facts));

/** One to three guides with the numbers 1, 2, 3, which may require each other and missing guides. */
export const anyGuides: fc.Arbitrary<GuideFacts[]> = fc
  .array(anyGuide, { minLength: 1, maxLength: 3 })
  .map((guides) => guides.map((facts, index) => ({ ...facts, guideid: index + 1 })));

/** Any category; the caller sets title and parent. */
export const anyCategory: fc.Arbitrary<WikiFacts> = fc
  .record({
    wikiid: number,
    revisionid: number,
    key: fc.constant('wiki-key'),
    namespace: fc.constant('CATEGORY' as const),
    title: fc.constant('Root'),
    display_title: anyText,
    page_title: anyText,
    langid: fc.constantFrom('en', 'de'),
    parent: fc.constant(null),
    description: wikiText,
    contents_raw: wikiText,
    image: fc.option(image),
    flags: fc.constantFrom([], ['GUIDE_IN_PROGRESS']),
    table_of_contents: fc.boolean(),
    documents: fc.array(document, { maxLength: 2 }),
    info: fc.constantFrom([], [{ name: 'Manufacturer', value: 'A & B' }]),
    repairability_score: fc.constant(7),
    source_revisionid: fc.constant(null),
    userid: number,
    created_date: date,
    modified_date: date,
  })
  .map((facts) => wikiFacts.parse(facts));

/** Two trees or one of three categories. */
export const anyCategories: fc.Arbitrary<WikiFacts[]> = fc
  .tuple(anyCategory, anyCategory, anyCategory, fc.boolean())
  .map(([root, child, other, isOneTree]) => [
    root,
    { ...child, title: 'Child', parent: 'Root' },
    { ...other, title: 'Other', parent: isOneTree ? 'Child' : null },
  ]);
