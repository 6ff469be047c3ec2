import type { AttemptCard } from '#desktop/engine/api/training-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { ListRow, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';

import { AttemptMark } from './attempt-marks.tsx';

/** An id is a number or `tmp:…`. The colon must not be escaped for the router. */
export function attemptHref(sessionid: string): string {
  return `/training/attempts/${sessionid}`;
}

/** A list row for an attempt; the whole row is the link. */
export function AttemptRow({ attempt, name }: { attempt: AttemptCard; name: string }) {
  return (
    <ListRow end={<AttemptMark attempt={attempt} />}>
      <RowTitle href={attemptHref(attempt.sessionid)}>{name}</RowTitle>
      {attempt.pending && <Note>{text.quizzes.saved}</Note>}
    </ListRow>
  );
}
