import { areas, joined } from './en.ts';
import { auditText as words } from './en/audit.ts';

/** The words of the audit log, with the names of records of all areas. They are many, so they are loaded with its screen. */
export const auditText = {
  ...words,
  kinds: joined<string>(words.kinds, ...areas.map(({ recordNames }) => recordNames)),
};
