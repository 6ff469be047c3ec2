import type { RecordSeal } from '#shared/model/record-seal.ts';
import { peopleIn } from '#shared/rules/work-record.ts';

import type { LocalEntry } from './overlay/entry.ts';

/** The names in the record of an order: those of its end, or the present ones while it is open. */
export function namesInRecord(
  { facts, guideid }: Pick<LocalEntry, 'facts' | 'guideid'>,
  titles: ReadonlyMap<string, string>,
  people: ReadonlyMap<number, string>,
): Omit<RecordSeal, 'sha256'> {
  return (
    facts.record ?? {
      guide_title: titles.get(guideid) ?? '',
      people: peopleIn(facts).map((userid) => ({ userid, name: people.get(userid) ?? '' })),
    }
  );
}
