import type { MergeConflict, MergeLog } from './conflict.ts';
import { mergeTextField } from './records.ts';

/** Merges two edits of the text of a comment (rule M80). A comment has one text, so it has one conflict at most. */
export function mergeComment(
  base: string,
  mine: string,
  theirs: string,
): { merged: string; conflict: MergeConflict | undefined } {
  const log: MergeLog = { conflicts: [], merges: [] };
  const merged = mergeTextField(base, mine, theirs, { field: 'text_raw' }, log);
  return { merged, conflict: log.conflicts[0] };
}
