import { z } from 'zod';

import { guideFacts } from '#shared/model/guide.ts';
import { wikiFacts } from '#shared/model/wiki.ts';

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** JSON Schemas of the records of an archive: `facts` of guides and of categories. */
export function archiveSchemas(): { guide: JsonSchema; category: JsonSchema } {
  const schemaOf = (schema: z.ZodType): JsonSchema =>
    z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  return { guide: schemaOf(guideFacts), category: schemaOf(wikiFacts) };
}
