import { z } from 'zod';

import { del, get, idText, put } from './endpoint.ts';

/**
 * Maximum length of a term, a translation and a note, in characters; maximum number of entries and translations in one
 * request.
 */
const limits = { term: 200, notes: 2000, entries: 1000, translations: 100 } as const;

const langid = z.string().trim().min(2).max(35);
const text = z.string().trim().min(1).max(limits.term);
const translation = z.strictObject({ langid: z.string(), text: z.string() });

/** A term with its translations (not in the spec; as on live servers). */
export const glossaryEntry = z
  .strictObject({
    entryid: z.int(),
    source_langid: z.string(),
    term: z.string(),
    notes: z.string(),
    translations: z.array(translation),
  })
  .meta({ id: 'GlossaryEntry' });
export type GlossaryEntry = z.infer<typeof glossaryEntry>;

/**
 * A change of the glossary: without `entryid` it creates an entry, with `delete` it removes one. `translations`
 * replaces all translations of the entry (spec, "Translation glossary"); absent fields stay.
 */
export const glossaryChange = z.strictObject({
  entryid: z.int().positive().optional(),
  source_langid: langid.optional(),
  term: text.optional(),
  notes: z.string().trim().max(limits.notes).optional(),
  translations: z.array(z.strictObject({ langid, text })).max(limits.translations).optional(),
  delete: z.boolean().optional(),
});
export type GlossaryChange = z.output<typeof glossaryChange>;

export const translationGlossary = {
  list: get('/translation_glossary/entries', {
    summary: 'List the translation glossary',
    result: z.array(glossaryEntry),
    refuses: [404],
  }),
  put: put('/translation_glossary/entries', {
    summary: 'Add, change and delete entries of the translation glossary',
    body: z.strictObject({ entries: z.array(glossaryChange).min(1).max(limits.entries) }),
    result: z.array(glossaryEntry),
    tagged: z.array(glossaryEntry),
    refuses: [400, 403, 404],
  }),
  remove: del('/translation_glossary/entries/{entryid}', {
    summary: 'Delete an entry of the translation glossary',
    status: 204,
    params: z.strictObject({ entryid: idText }),
  }),
};
