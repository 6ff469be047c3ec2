import type { Finding, FindingKind } from './archive.ts';

/** Collects findings about one member that is being written. */
export interface Notes {
  add(kind: FindingKind, code: string, place: string, message: string): void;
}

/** Notes that append to `findings`. */
export function notesOf(member: string, findings: Finding[]): Notes {
  return {
    add: (kind, code, place, message) => findings.push({ kind, code, member, place, message }),
  };
}
