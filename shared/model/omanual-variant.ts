import { z } from 'zod';

import { imageObject } from './image.ts';

const url = z.string();

/** A part or tool as in oManual 1.0, where the quantity is a text. */
const supply = z
  .strictObject({
    type: z.string(),
    quantity: z.string(),
    text: z.string(),
    notes: z.string(),
    url,
    thumbnail: z.string(),
  })
  .meta({ id: 'OmanualSupply' });

const flag = z
  .strictObject({ title: z.string(), flagid: z.string(), text: z.string() })
  .meta({ id: 'OmanualFlag' });

const document = z.strictObject({ text: z.string(), url }).meta({ id: 'OmanualDocument' });

const video = z.strictObject({
  videoid: z.int(),
  filename: z.string(),
  duration: z.int(),
  width: z.int(),
  height: z.int(),
  image: imageObject.nullable(),
  encodings: z.array(
    z.strictObject({
      width: z.int(),
      height: z.int(),
      codecs: z.string(),
      mime: z.string(),
      format: z.string(),
      url,
    }),
  ),
});

const embed = z.strictObject({
  type: z.string(),
  version: z.string(),
  url,
  html: z.string(),
  width: z.int(),
  height: z.int(),
  title: z.string(),
  author_name: z.string(),
  author_url: z.string(),
  provider_name: z.string(),
  provider_url: z.string(),
  cache_age: z.int(),
});

const media = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('image'), data: z.array(imageObject) }),
  z.strictObject({ type: z.literal('video'), data: video }),
  z.strictObject({ type: z.literal('embed'), data: embed }),
]);

const step = z
  .strictObject({
    title: z.string(),
    lines: z.array(
      z.strictObject({
        bullet: z.string(),
        level: z.int(),
        lineid: z.int().nullable(),
        text: z.string(),
      }),
    ),
    media,
    guideid: z.int(),
    stepid: z.int(),
    orderby: z.int(),
    revisionid: z.int(),
  })
  .meta({ id: 'OmanualStep' });

/** A guide in a list. `subject` is `false` when missing. */
export const variantListedGuide = z
  .strictObject({
    guideid: z.int(),
    type: z.string(),
    category: z.string(),
    subject: z.union([z.string(), z.literal(false)]),
    title: z.string(),
    public: z.boolean(),
    userid: z.int(),
    username: z.string(),
    image: imageObject.nullable(),
  })
  .meta({ id: 'OmanualListedGuide' });
export type ListedGuide = z.infer<typeof variantListedGuide>;

/** The answer of `GET guides/{guideid}`: the guide, and fields that depend on the caller. */
export const variantGuide = z
  .strictObject({
    category: z.string(),
    url,
    guideid: z.int(),
    canEdit: z.boolean(),
    guide: z.strictObject({
      author: z.strictObject({ text: z.string(), userid: z.int() }),
      categories: z.array(z.string()),
      conclusion: z.string(),
      difficulty: z.string(),
      documents: z.array(document),
      flags: z.array(flag),
      guideid: z.int(),
      image: imageObject.nullable(),
      introduction: z.string(),
      locale: z.string(),
      parts: z.array(supply),
      prereqs: z.array(z.strictObject({ text: z.string(), guideid: z.int(), locale: z.string() })),
      steps: z.array(step),
      subject: z.string(),
      summary: z.string(),
      time_required: z.string(),
      title: z.string(),
      tools: z.array(supply),
      type: z.string(),
      revisionid: z.int(),
    }),
  })
  .meta({ id: 'OmanualGuide' });
export type VariantGuide = z.infer<typeof variantGuide>;

/** The answer of `GET categories/{categoryname}`. Missing dates are `false`. */
export const variantCategory = z
  .strictObject({
    title: z.string(),
    locale: z.string(),
    category_info: z.strictObject({
      name: z.string(),
      manufacturer: z.string(),
      introduced: z.string(),
      discontinued: z.string(),
    }),
    image: imageObject.nullable(),
    description: z.string(),
    flags: z.array(flag),
    categories: z.array(z.string()),
    solutions: z.strictObject({ url, count: z.int() }),
    guides: z.array(
      variantListedGuide
        .extend({
          dataType: z.literal('guide'),
          revisionid: z.int(),
          modified_date: z.int(),
          prereq_modified_date: z.union([z.int(), z.literal(false)]),
          url,
        })
        .meta({ id: 'OmanualCategoryGuide' }),
    ),
    contents: z.string(),
  })
  .meta({ id: 'OmanualCategory' });
export type VariantCategory = z.infer<typeof variantCategory>;
