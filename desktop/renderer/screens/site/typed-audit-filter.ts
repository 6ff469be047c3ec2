import { text } from '#desktop/renderer/text/en.ts';
import type { ComboChoice } from '#desktop/renderer/ui/combo-field.tsx';

import type { AuditFilter } from './audit-query.ts';
import { actionWords } from './audit-words.ts';

/** A person as far as a filter needs it. */
export interface NamedPerson {
  userid: number;
  name: string;
}

/** Everything that the log calls an action, by its words. */
export const actionChoices: ComboChoice[] = Object.keys(text.audit.actions)
  .map((id) => ({ id, name: actionWords(id), note: id }))
  .toSorted((a, b) => a.name.localeCompare(b.name));

/** What stands in the fields of the filter. */
export interface TypedFilter {
  person: string;
  /** Whom the name means: several may have it. */
  chosenPerson: NamedPerson | undefined;
  action: string;
  /** What the words mean: several calls may have them. */
  chosenAction: string | undefined;
  object: string;
  objectid: string;
  outcome: 'all' | 'done' | 'refused';
  from: string;
  to: string;
}

/** Why a field cannot be used as it is. */
export interface FilterErrors {
  person?: string;
  object?: string;
  to?: string;
}

/** `filter` as it stands in the fields. */
export function typedOf(filter: AuditFilter, people: readonly NamedPerson[]): TypedFilter {
  const chosenPerson = people.find(({ userid }) => userid === filter.userid);
  return {
    person: chosenPerson?.name ?? String(filter.userid ?? ''),
    chosenPerson,
    action: filter.action === undefined ? '' : actionWords(filter.action),
    chosenAction: filter.action,
    object: filter.object ?? '',
    objectid: filter.objectid ?? '',
    outcome: filter.outcome ?? 'all',
    from: filter.from ?? '',
    to: filter.to ?? '',
  };
}

/** The filter that typed fields mean, or why they mean none. */
export function filterOf(
  typed: TypedFilter,
  people: readonly NamedPerson[],
): { filter: AuditFilter } | { errors: FilterErrors } {
  const userid = useridOf(typed, people);
  const errors = errorsOf(typed, userid);
  if (Object.keys(errors).length > 0) return { errors };
  return {
    filter: {
      userid,
      action: actionOf(typed),
      object: typed.object || undefined,
      objectid: typed.objectid.trim() || undefined,
      outcome: typed.outcome === 'all' ? undefined : typed.outcome,
      from: typed.from || undefined,
      to: typed.to || undefined,
    },
  };
}

/** Whom typed text means: who was chosen, an account by its number, or the one person of this name. */
function useridOf({ person, chosenPerson }: TypedFilter, people: readonly NamedPerson[]): number | undefined {
  const words = person.trim();
  if (words === chosenPerson?.name) return chosenPerson.userid;
  if (/^\d{1,15}$/.test(words)) return Number(words);
  const named = people.filter(({ name }) => name.toLowerCase() === words.toLowerCase());
  return named.length === 1 ? named[0]?.userid : undefined;
}

/** Which action typed words mean: the one that was chosen, one that is called so, or itself. */
function actionOf({ action, chosenAction }: TypedFilter): string | undefined {
  const words = action.trim();
  if (words === '') return undefined;
  if (chosenAction !== undefined && words === actionWords(chosenAction)) return chosenAction;
  return actionChoices.find(({ name }) => name.toLowerCase() === words.toLowerCase())?.id ?? words;
}

function errorsOf(
  { person, object, objectid, from, to }: TypedFilter,
  userid: number | undefined,
): FilterErrors {
  return {
    ...(person.trim() !== '' && userid === undefined && { person: text.audit.needPerson }),
    ...(objectid.trim() !== '' && object === '' && { object: text.audit.needKind }),
    ...(from !== '' && to !== '' && to < from && { to: text.audit.badDays }),
  };
}
