import { z } from 'zod';

import { imageObject } from './image.ts';

/** A team (as on live servers). `join_code`: only for those who may change the team. */
export const team = z
  .strictObject({
    teamid: z.int(),
    name: z.string(),
    description: z.string(),
    owner: z.int().nullable(),
    image: imageObject.nullable(),
    url: z.string(),
    location: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    reputation: z.int(),
    member_count: z.int(),
    new_member_since: z.int(),
    join_code: z.string().nullable().optional(),
  })
  .meta({ id: 'Team' });
export type Team = z.infer<typeof team>;

/** An additional field of teams that a site defines (not in the spec). */
export const teamAttribute = z
  .strictObject({ attributeid: z.int(), name: z.string(), value: z.string() })
  .meta({ id: 'TeamAttribute' });
export type TeamAttribute = z.infer<typeof teamAttribute>;
