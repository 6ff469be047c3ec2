import { z } from 'zod';

/**
 * Names one record for ever, in documents of the feed only: after a restore its number may belong to another record.
 * Absent in what is stored, and in what was told before records had it.
 */
export const recordUid = z.string().optional();
