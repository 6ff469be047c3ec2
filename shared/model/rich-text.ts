import { z } from 'zod';

/** Rich-text tree (`introduction_json`, `contents_json`): a document node with nested content. */
export interface RichTextNode {
  type: string;
  attrs?: Record<string, unknown> | unknown[] | undefined;
  content?: RichTextNode[] | undefined;
  marks?: { type: string; attrs?: Record<string, unknown> | undefined }[] | undefined;
  text?: string | undefined;
}
export const richText: z.ZodType<RichTextNode> = z
  .strictObject({
    type: z.string(),
    attrs: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
    get content() {
      return z.array(richText).optional();
    },
    marks: z
      .array(z.strictObject({ type: z.string(), attrs: z.record(z.string(), z.unknown()).optional() }))
      .optional(),
    text: z.string().optional(),
  })
  .meta({ id: 'RichText' });
