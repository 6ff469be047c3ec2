/** In the order of the statuses of a row. */
export const roles = [
  'anonymous',
  'user',
  'author',
  'moderator',
  'administrator',
  'owner',
  'kiosk',
  'approver',
] as const;
export type Role = (typeof roles)[number];
/** `writer` is a person outside the table who owns the records of others. */
export type Actor = Role | 'writer';

/** Values for the parameters of a path. */
export type Ids = Record<string, number | string>;
