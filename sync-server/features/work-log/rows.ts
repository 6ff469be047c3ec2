import type { Selectable } from 'kysely';

import { prepared } from '#server/storage/prepared.ts';
import type { Tables } from '#server/storage/tables.ts';

type Row = Selectable<Tables['work_log']>;

/** Adds the row of an entry that starts. Returns its id. */
export const insertEntry = prepared<
  Pick<Row, 'guideid' | 'userid' | 'workorderid' | 'starttime'>,
  { entryid: number }
>((db, value) =>
  db
    .insertInto('work_log')
    .values({
      guideid: value('guideid'),
      userid: value('userid'),
      workorderid: value('workorderid'),
      status: 'started',
      starttime: value('starttime'),
      endtime: null,
      gaps: 0,
    })
    .returning('entryid'),
);

/** Updates a row only if it differs, to avoid needless index updates. */
export const setColumns = prepared<
  Pick<Row, 'entryid' | 'userid' | 'status' | 'starttime' | 'endtime' | 'gaps'>,
  unknown
>((db, value) =>
  db
    .updateTable('work_log')
    .set({
      userid: value('userid'),
      status: value('status'),
      starttime: value('starttime'),
      endtime: value('endtime'),
      gaps: value('gaps'),
    })
    .where('entryid', '=', value('entryid'))
    .where((is) =>
      is.or([
        is('userid', 'is distinct from', value('userid')),
        is('status', 'is distinct from', value('status')),
        is('starttime', 'is distinct from', value('starttime')),
        is('endtime', 'is distinct from', value('endtime')),
        is('gaps', 'is distinct from', value('gaps')),
      ]),
    ),
);
