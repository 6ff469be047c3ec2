import { z } from 'zod';

/**
 * Size keys of an image, in ascending order, with the maximum width and height in pixels (as on live servers).
 */
export const imageSizes = {
  mini: { width: 56, height: 56 },
  thumbnail: { width: 96, height: 96 },
  '140x105': { width: 140, height: 105 },
  '200x150': { width: 200, height: 150 },
  standard: { width: 300, height: 225 },
  '440x330': { width: 440, height: 330 },
  medium: { width: 592, height: 444 },
  large: { width: 800, height: 600 },
  huge: { width: 1600, height: 1200 },
} as const;

export type ImageSize = keyof typeof imageSizes;

/**
 * An image as facts, as the feed and guides contain it; `imageObjectOf` derives the URLs. `path`: the base of its URLs
 * if that is not `/igi/{guid}`. `sizes`: the existing size keys, if they do not follow from `width` and `height`
 * (records imported from another site).
 */
export const imageRef = z.strictObject({
  id: z.int(),
  guid: z.string().min(1),
  width: z.int().nonnegative(),
  height: z.int().nonnegative(),
  markup: z.string().optional(),
  path: z.string().optional(),
  sizes: z.array(z.string()).optional(),
});
export type ImageRef = z.infer<typeof imageRef>;

const url = z.string();

/** The image object of the spec: id, guid, and a URL for each size that exists. */
export const imageObject = z
  .strictObject({
    id: z.int(),
    guid: z.string(),
    mini: url.optional(),
    thumbnail: url.optional(),
    '140x105': url.optional(),
    '200x150': url.optional(),
    standard: url.optional(),
    '440x330': url.optional(),
    medium: url.optional(),
    large: url.optional(),
    huge: url.optional(),
    original: url,
  })
  .meta({ id: 'Image' });
export type ImageObject = z.infer<typeof imageObject>;

/**
 * Derives the image object from facts. `base`: the site's origin without a trailing slash ('' for relative URLs). A
 * size exists if the original is at least as wide or as high as the next smaller size; small sizes always exist.
 */
export function imageObjectOf(image: ImageRef, base: string): ImageObject {
  const root = base + (image.path ?? `/igi/${image.guid}`);
  const result: ImageObject = {
    id: image.id,
    guid: image.guid,
    original: image.path === undefined ? `${root}.full` : root,
  };
  for (const size of sizesOf(image)) result[size] = `${root}.${size}`;
  return result;
}

/** The picture of records without one, which the server draws. `base` as for `imageObjectOf`. */
export function neutralImage(base: string): ImageObject {
  const path = '/static/images/guide/noimage.jpg';
  return imageObjectOf({ id: 0, guid: 'noimage', width: 800, height: 800, path }, base);
}

/** The size keys that exist for an image. */
export function sizesOf(image: ImageRef): ImageSize[] {
  const all = Object.keys(imageSizes) as ImageSize[];
  if (image.sizes !== undefined) return all.filter((size) => image.sizes?.includes(size));
  return all.filter((size) => {
    if (size !== 'large' && size !== 'huge') return true;
    return image.width >= imageSizes[size].width || image.height >= imageSizes[size].height;
  });
}

/** An item of the media manager, and the answer to an upload (as on live servers). */
export const imageWithMetadata = z
  .strictObject({
    image: imageObject,
    srcid: z.int().nullable(),
    width: z.int(),
    height: z.int(),
    ratio: z.enum(['ONE_ONE', 'FOUR_THREE', 'VARIABLE']),
    markup: z.string().nullable(),
    exif: z.union([z.array(z.never()), z.record(z.string(), z.union([z.string(), z.number()]))]),
    /** Of a picture with markers: the picture without them, on which clients draw (as on live servers). */
    srcImageInfo: z.strictObject({ width: z.int(), height: z.int(), image: imageObject }).optional(),
  })
  .meta({ id: 'ImageWithMetadata' });
export type ImageWithMetadata = z.infer<typeof imageWithMetadata>;
