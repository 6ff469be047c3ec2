import type { ApprovalPurpose, SignatureMeaning } from '#shared/model/approval.ts';
import type { Bullet } from '#shared/model/guide.ts';

/** Every word that a page says besides its content. */
export interface PageWords {
  step(number: number, count: number): string;
  tools: string;
  parts: string;
  optional: string;
  documents: string;
  prerequisites: string;
  cautions: string;
  conclusion: string;
  signatures: string;
  /** What a signature says; `asked`: the stage. */
  purposes: Readonly<Record<ApprovalPurpose, string>>;
  meanings: Readonly<Record<SignatureMeaning, string>>;
  /** Of a version that waits for signatures, was refused, or has none. */
  notApproved: string;
  guides: string;
  film: string;
  author: string;
  difficulty: string;
  time: string;
  steps: string;
  revision: string;
  changed: string;
  printed: string;
  /** What scanning the code does. */
  scan: string;
  /** In place of the code, where the site has no address for other devices. */
  noCode: string;
  pictureMissing: string;
  bullets: Readonly<Record<Bullet, string>>;
}

export const englishWords: PageWords = {
  step: (number, count) => `Step ${number} of ${count}`,
  tools: 'Tools',
  parts: 'Parts',
  optional: 'optional',
  documents: 'Documents',
  prerequisites: 'Do this first',
  cautions: 'Take care',
  conclusion: 'When you are done',
  signatures: 'Signatures',
  purposes: { publish: 'Publication', release: 'Release' },
  meanings: { approved: 'Approved', reviewed: 'Reviewed', rejected: 'Rejected' },
  notApproved: 'This version is not approved.',
  guides: 'Guides',
  film: 'Film',
  author: 'Written by',
  difficulty: 'Difficulty',
  time: 'Time',
  steps: 'Steps',
  revision: 'Revision',
  changed: 'Changed',
  printed: 'Saved',
  scan: 'Scan to open the newest version',
  noCode: 'No code to scan: this site has no address that other devices can reach.',
  pictureMissing: 'This picture was not at hand.',
  bullets: {
    black: 'Black',
    red: 'Red',
    orange: 'Orange',
    yellow: 'Yellow',
    green: 'Green',
    light_blue: 'Light blue',
    blue: 'Blue',
    violet: 'Violet',
    icon_note: 'Note',
    icon_caution: 'Caution',
    icon_reminder: 'Reminder',
  },
};
