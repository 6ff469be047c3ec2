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

/** The note and the photos (`keepFormFile`) of a deviation that is not reported yet. */
export const typedDeviation = z.object({ note: z.string(), pictures: z.array(z.string()).default([]) });

/** The note of a shift summary that is not made yet. */
export const typedShiftNote = z.object({ note: z.string() });

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

/** Words that are not sent yet; null: nothing is being written. */
export const typedWords = z.object({ words: z.string().nullable() });

/** Nothing is being written. */
export const noWords: z.infer<typeof typedWords> = { words: null };

/** The tools and parts of a guide that a person has ticked, and when they ticked the last one, ms since 1970. */
export const typedTicks = z.object({ ids: z.array(z.string()), at: z.number() });

/** Nothing is ticked. */
export const noTicks: z.infer<typeof typedTicks> = { ids: [], at: 0 };

/**
 * Roles and teams of an account that an administrator gives (`on`) and takes, before they are saved. `seen`: what the person
 * had then; null: nothing is changed. Each is `role:Author` or `team:3`.
 */
export const typedAccess = z.object({
  on: z.array(z.string()),
  off: z.array(z.string()),
  seen: z.array(z.string()).nullable(),
});

/** Nothing is given or taken. */
export const sameAccess: z.infer<typeof typedAccess> = { on: [], off: [], seen: null };

/** The note for whoever continues an order that is not suspended yet. */
export const typedNote = z.object({ note: z.string() });

/** Reasons at the end of an order that is not finished yet, by the `field_guid` of the field. */
export const typedReasons = z.object({ reasons: z.record(z.string(), z.string()) });

/** What happens to a person's orders when they sign out of a station, before they do. */
export const typedSignOut = z.object({
  orders: z.enum(['pause', 'hand-over', 'keep-running']),
  note: z.string(),
});

/** A work order that is not started yet. */
export const typedOrder = z.object({ number: z.string(), serials: z.string() });

/** The same, with its guide and what was typed to find it. */
export const typedOrderOf = typedOrder.extend({ guideid: z.string().nullable(), words: z.string() });

/** Who is to confirm a step: their number, null while nobody is chosen, and the typed name. */
export const typedPerson = z.object({ userid: z.number().nullable(), words: z.string() });

/** Why a part gets what a lead decided, before it is saved. */
export const typedReason = z.object({ reason: z.string() });
