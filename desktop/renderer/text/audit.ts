import { recordNames } from './en.ts';
import { auditText } from './en/audit.ts';

/** All texts of the audit log. They are many, so only its screens load them. */
export const auditWords = { ...auditText, kinds: { ...auditText.kinds, ...recordNames } };
