import { z } from 'zod';

/**
 * Identifies one record permanently, in documents of the feed only: after a restore its number may belong to another
 * record. Absent in stored records, and in documents sent before the field existed.
 */
export const recordUid = z.string().optional();
