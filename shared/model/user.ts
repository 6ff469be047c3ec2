import { z } from 'zod';

import { badgeCounts } from './badge.ts';
import { imageObject, imageRef } from './image.ts';
import { impersonator } from './session.ts';

/**
 * Privileges of users; everyone has `User`. `Kiosk` marks the shared account of a device on the shop floor and
 * restricts it: it reads, runs work orders, fills in forms and comments, and edits no guides, wikis, tags, people or
 * teams.
 */
export const privileges = ['User', 'Author', 'Moderator', 'Admin', 'Kiosk'] as const;
export const privilege = z.enum(privileges);
export type Privilege = z.infer<typeof privilege>;

/**
 * A person as facts (feed collection `people`, id `user:{userid}`). It contains no mail address and no settings.
 * `reputation` and `badge_counts` are updated with a delay of minutes.
 */
export const personFacts = z.strictObject({
  kind: z.literal('user'),
  userid: z.int(),
  username: z.string(),
  unique_username: z.string().nullable(),
  join_date: z.int(),
  image: imageRef.nullable(),
  reputation: z.int(),
  teams: z.array(z.int()),
  privileges: z.array(z.string()),
  summary: z.string().nullable(),
  about_raw: z.string(),
  location: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  enabled: z.boolean(),
  badge_counts: badgeCounts.optional(),
});
export type PersonFacts = z.infer<typeof personFacts>;

/** A team as facts (feed collection `people`, id `team:{teamid}`). */
export const teamFacts = z.strictObject({
  kind: z.literal('team'),
  teamid: z.int(),
  name: z.string(),
  description: z.string(),
  owner: z.int().nullable(),
  image: imageRef.nullable(),
  location: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  members: z.array(z.int()),
  new_member_since: z.int(),
});
export type TeamFacts = z.infer<typeof teamFacts>;

export const peopleFacts = z.discriminatedUnion('kind', [personFacts, teamFacts]);

/** A short user record: the author of guides and comments, items of lists (as on live servers). */
export const userSummary = z
  .strictObject({
    userid: z.int(),
    username: z.string(),
    unique_username: z.string().nullable(),
    join_date: z.int(),
    image: imageObject.nullable(),
    reputation: z.int(),
    url: z.string(),
    teams: z.array(z.int()),
    privileges: z.array(z.string()).optional(),
    banned: z.null().optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'UserSummary' });
export type UserSummary = z.infer<typeof userSummary>;

const textOrFalse = z.union([z.string(), z.literal(false)]);

/**
 * A full user record. `authToken`: only for the owner of the token. Ours: `accountid`, `serverid`, `impersonator` and
 * `must_set_password`, only for the owner, and `sso_userid`, only for administrators.
 */
export const user = z
  .strictObject({
    userid: z.int(),
    username: z.string(),
    unique_username: z.string().nullable(),
    image: imageObject.nullable(),
    teams: z.array(z.int()),
    reputation: z.int(),
    join_date: z.int(),
    location: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    certification_count: z.int().meta({ description: 'Always 0: this server issues no certifications' }),
    badge_counts: badgeCounts,
    summary: z.string().nullable(),
    about_raw: textOrFalse,
    about_rendered: textOrFalse,
    privileges: z.array(z.string()),
    langid: z.string().optional(),
    unread_notification_count: z
      .int()
      .optional()
      .meta({ description: 'Always 0: this server keeps no notifications' }),
    authToken: z.string().optional(),
    /**
     * Ours, sent with the `authToken` of a sign-in by password: the device sends it as `device_key` when the same
     * person signs in again.
     */
    deviceKey: z.string().optional(),
    accountid: z
      .uuid()
      .optional()
      .meta({ description: 'Names the account for ever, on any server; shown to its owner' }),
    serverid: z.string().optional().meta({
      description: 'Names the server that the account is on (`GET /sync/1/identity`); shown to its owner',
    }),
    impersonator: impersonator
      .optional()
      .meta({ description: 'The administrator who acts as this person with the token used for the call' }),
    must_set_password: z.literal(true).optional().meta({
      description:
        'Another person set the password: its owner cannot sign approvals until they choose their own',
    }),
    sso_userid: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Whom the single sign-on provider means; shown to administrators' }),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof user>;
