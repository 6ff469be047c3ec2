import { z } from 'zod';

import type { PageText, PersonProfile } from '#desktop/engine/api/page-records.ts';
import { documentRef } from '#shared/model/guide.ts';
import { imageRef } from '#shared/model/image.ts';
import { namedValue, supplier } from '#shared/model/wiki.ts';
import { tolerant } from '#shared/sync/tolerant.ts';

// What forms store until it is saved (`useFormDraft`). Records of a newer server may have unknown properties; with a
// strict schema of them the typed text would be lost.

/** What the form of a page edits. */
export type NamedPage = PageText & { name: string };

/** The form of a page. */
export const typedPage: z.ZodType<NamedPage> = z.object({
  name: z.string(),
  displayTitle: z.string(),
  description: z.string(),
  contents: z.string(),
  image: tolerant(imageRef).nullable().exactOptional(),
  flags: z.array(z.string()).exactOptional(),
  documents: z.array(tolerant(documentRef)).exactOptional(),
  info: z.array(tolerant(namedValue)).exactOptional(),
  suppliers: z.array(tolerant(supplier)).exactOptional(),
  parent: z.string().nullable().exactOptional(),
} satisfies Record<keyof NamedPage, z.ZodType>);

/** What the form of a profile edits. */
export type EditedProfile = NonNullable<PersonProfile['editable']>;

/** The form of a profile. */
export const typedProfile: z.ZodType<EditedProfile> = z.object({
  name: z.string(),
  uniqueName: z.string().nullable(),
  summary: z.string(),
  about: z.string(),
  location: z.string(),
  image: tolerant(imageRef).nullable(),
} satisfies Record<keyof EditedProfile, z.ZodType>);
