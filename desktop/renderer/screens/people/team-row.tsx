import { UsersRound } from 'lucide-react';

import type { TeamCard } from '#desktop/engine/api/page-records.ts';
import { text } from '#desktop/renderer/text/en.ts';

import { LinkedRow } from '../pages/linked-row.tsx';

/** A team in a list. */
export function TeamRow({ team: { teamid, name, members, imageGuid } }: { team: TeamCard }) {
  return (
    <LinkedRow
      href={`/teams/${teamid}`}
      name={name}
      note={text.people.members(members)}
      imageGuid={imageGuid}
      icon={<UsersRound />}
    />
  );
}
