import { UserCheck } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

/** Steps that this person is named to confirm; renders nothing if there are none. */
export function ToConfirm() {
  const waiting = useLiveSoon('toConfirm') ?? [];
  const now = useNow();
  if (waiting.length === 0) return null;
  return (
    <Section title={text.secondPerson.toConfirm} count={waiting.length}>
      <RowList>
        {waiting.map(({ entryid, workorderid, guideTitle, label, username, at }) => (
          <ListRow key={`${entryid} ${label}`} icon={<UserCheck />}>
            <RowTitle as="heading" href={`/work-orders/${encodeURIComponent(entryid)}`}>
              {text.secondPerson.toConfirmTitle(workorderid, label)}
            </RowTitle>
            {guideTitle !== '' && <p>{guideTitle}</p>}
            <Note>{text.secondPerson.toConfirmBy(username, formatSince(at, now))}</Note>
          </ListRow>
        ))}
      </RowList>
    </Section>
  );
}
