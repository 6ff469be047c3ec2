import { z } from 'zod';

import { badgeCategory, earnedBadge } from '#shared/model/badge.ts';
import { guideSummary } from '#shared/model/guide-record.ts';
import { privilege, user, userSummary } from '#shared/model/user.ts';

import { del, get, idText, limit, order, patch, post, put, offset, querySwitch } from './endpoint.ts';
import { userFlags } from './guides.ts';

const userId = z.strictObject({ userid: idText });
const guideId = z.strictObject({ guideid: idText });
const langQuery = z.object({ langid: z.string().optional() });
const pages = z.object({ limit, offset });

/** Lower case letters, digits, dots, dashes, underscores. */
const uniqueUsername = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9._-]{1,39}$/, 'Use 2 to 40 letters, digits, dots, dashes or underscores');
/** A new password: any text of at least ten characters. */
export const newPassword = z.string().min(10, 'Use at least 10 characters').max(1000);
const email = z.email('Must be an e-mail address').max(320);

/**
 * Body of a registration (not in the spec): the fields that existing clients send. Old clients omit `unique_username`,
 * which is then derived.
 */
export const registration = z.strictObject({
  email,
  username: z.string().trim().min(1).max(100),
  unique_username: uniqueUsername.optional(),
  password: newPassword,
});

/** Maximum lengths of profile fields in characters. */
export const profileLimits = { username: 100, summary: 1000, about: 100_000, location: 200 };

/**
 * Proof that the caller is the person of the session, required to change sign-in credentials (extension): the current
 * password, or a token of a single sign-on (`POST /sign_on`) for this call.
 */
export const proof = {
  current_password: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'The current password of the caller, required to change sign-in credentials' }),
  sign_on_token: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'Instead of `current_password`: the token of a single sign-on made for this call' }),
};
/** The fields of a proof. They do not make a repeated call a different one (IDEMPOTENCY-15). */
export const proofFields = ['current_password', 'sign_on_token'] as const;

/**
 * An administrator who creates an account for another person must prove their own identity (extension). They may omit
 * the password; then the owner sets one through a link, and the answer has no token. 422 for `current_password` without
 * a proof.
 */
const provedRegistration = registration.partial({ password: true }).extend(proof);

/**
 * Body of a profile edit. The spec says "update only the provided fields" and does not list them. `privileges`,
 * `enabled`, `teams` (all of them) and `sso_userid` (extension) are for administrators. Changing `password`, `email` or
 * `sso_userid`, adding the privilege `Admin` and removing `Kiosk` need a proof of the caller, on any profile: 422 for
 * `current_password` without one.
 */
export const profileEdit = z.strictObject({
  email: email.optional(),
  username: z.string().trim().min(1).max(profileLimits.username).optional(),
  unique_username: uniqueUsername.nullable().optional(),
  password: newPassword.optional(),
  image: z.int().positive().nullable().optional(),
  summary: z.string().trim().max(profileLimits.summary).nullable().optional(),
  about: z.string().max(profileLimits.about).optional(),
  location: z.string().trim().max(profileLimits.location).nullable().optional(),
  latitude: z.number().min(-90).max(90).nullable().optional(),
  longitude: z.number().min(-180).max(180).nullable().optional(),
  langid: z.string().min(2).max(10).optional(),
  privileges: z.array(privilege).optional(),
  enabled: z.boolean().optional(),
  teams: z.array(z.int().positive()).max(1000).optional(),
  sso_userid: z.string().trim().min(1).max(200).nullable().optional(),
  ...proof,
});
export type ProfileEdit = z.output<typeof profileEdit>;

/**
 * The fields of one's own profile that may wait on a device for the server. Password and mail address are not among
 * them: credentials are never stored in an outbox.
 */
export const waitingProfileEdit = profileEdit.pick({
  username: true,
  unique_username: true,
  image: true,
  summary: true,
  about: true,
  location: true,
});

/**
 * The text of a search: a userid, or part of a username or unique username; for administrators also of a mail address.
 */
const searched = z.strictObject({ search: z.string().trim().min(1).max(320) });

const badgeQuery = z.object({
  category: badgeCategory.optional().meta({ description: 'Only badges of this category' }),
  includeUnearned: querySwitch.meta({ description: 'Also the badges not earned, after the others' }),
});

const foundName = z.strictObject({
  userid: z.int(),
  username: z.string(),
  unique_username: z.string().nullable(),
  image: z.strictObject({ mini: z.string() }).nullable(),
});

const favorite = z.strictObject({ date: z.int(), guide: guideSummary });

export const users = {
  register: post('/users', {
    summary: 'Register an account',
    access: 'public',
    status: 201,
    body: provedRegistration,
    result: user,
    refuses: [400, 403],
    transaction: 'handler',
  }),
  list: get('/users', {
    summary: 'List registered users',
    access: 'public',
    query: z.object({
      order,
      limit,
      offset: z.coerce.number().int().min(0).max(1000).default(0),
      joinedSince: z.coerce.number().int().optional(),
    }),
    result: z.array(userSummary),
  }),
  // Only administrators can search the addresses of other people; everyone can search names.
  search: get('/users/search/{search}', {
    summary: 'Search people by userid or name',
    access: 'public',
    params: searched,
    query: pages,
    result: z.array(userSummary),
  }),
  searchNames: get('/users/searchnames/{search}', {
    summary: 'Search names of people; use /users/search/{search} instead',
    deprecated: true,
    access: 'public',
    params: searched,
    query: pages,
    result: z.array(foundName),
  }),
  bySso: get('/users/sso/{sso_userid}', {
    summary: 'Read the public profile of a single sign-on id; administrators any, others their own',
    params: z.strictObject({ sso_userid: z.string().min(1).max(200) }),
    result: user,
    refuses: [403, 404],
  }),
  byEmail: get('/users/email/{email}', {
    summary: 'Read the public profile of an e-mail address; administrators any, others their own',
    params: z.strictObject({ email: z.string().min(1).max(320) }),
    result: user,
    refuses: [403, 404],
  }),
  badges: get('/users/{userid}/badges', {
    summary: 'List the badges that a user earned',
    access: 'public',
    params: userId,
    query: badgeQuery,
    result: z.array(earnedBadge),
  }),
  ownBadges: get('/user/badges', {
    summary: 'List the badges that the caller earned',
    query: badgeQuery,
    result: z.array(earnedBadge),
  }),
  own: get('/user', { summary: "Read the caller's own record", result: user }),
  read: get('/users/{userid}', {
    summary: 'Read a public profile',
    access: 'public',
    params: userId,
    result: user,
  }),
  patch: patch('/users/{userid}', {
    summary: 'Edit a profile',
    params: userId,
    body: profileEdit,
    proofs: proofFields,
    result: user,
    tagged: user,
    offline: 'profile-save',
    transaction: 'handler',
  }),
  flags: get('/user/flags', {
    summary: 'List the flags that the caller may set on guides',
    result: userFlags,
  }),
  ownGuides: get('/user/guides', {
    summary: 'List guides that the caller contributed to',
    query: pages,
    result: z.array(guideSummary),
  }),
  guides: get('/users/{userid}/guides', {
    summary: 'List guides that a user contributed to',
    access: 'public',
    params: userId,
    query: pages,
    result: z.array(guideSummary),
  }),
  ownFavorites: get('/user/favorites/guides', {
    summary: "List the caller's favourite guides",
    query: pages,
    result: z.array(favorite),
  }),
  favorites: get('/users/{userid}/favorites/guides', {
    summary: "List a user's favourite guides",
    access: 'public',
    params: userId,
    query: pages,
    result: z.array(favorite),
  }),
  favorite: put('/user/favorites/guides/{guideid}', {
    summary: 'Favourite a guide',
    status: 204,
    params: guideId,
    query: langQuery,
    refuses: [400, 404],
    offline: 'favorite',
  }),
  unfavorite: del('/user/favorites/guides/{guideid}', {
    summary: 'Unfavourite a guide',
    status: 204,
    params: guideId,
    query: langQuery,
    refuses: [400, 404],
    offline: 'favorite',
  }),
  ownCompletions: get('/user/completions', {
    summary: 'List guides that the caller completed',
    query: pages,
    result: z.array(guideSummary),
  }),
  completions: get('/users/{userid}/completions', {
    summary: 'List guides that a user completed',
    access: 'public',
    params: userId,
    query: pages,
    result: z.array(guideSummary),
  }),
};
