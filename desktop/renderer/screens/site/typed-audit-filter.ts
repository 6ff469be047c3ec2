import { auditWords } from '#desktop/renderer/text/audit.ts';
import type { ComboChoice } from '#desktop/renderer/ui/combo-field.tsx';

import type { AuditFilter } from './audit-query.ts';
import { actionWords } from './audit-words.ts';

/** The fields of a person that the filter needs. */
export interface NamedPerson {
  userid: number;
  name: string;
}

/** All actions of the log, by name. */
export const actionChoices: ComboChoice[] = Object.keys(auditWords.actions)
  .map((id) => ({ id, name: actionWords(id), note: id }))
  .toSorted((a, b) => a.name.localeCompare(b.name));

/** The contents of the filter's fields. */
export interface TypedFilter {
  person: string;
  /** The chosen person; several people may have the same name. */
  chosenPerson: NamedPerson | undefined;
  action: string;
  /** The chosen action; several calls may have the same words. */
  chosenAction: string | undefined;
  object: string;
  objectid: string;
  outcome: 'all' | 'done' | 'refused';
  from: string;
  to: string;
}

/** Errors of the fields. */
export interface FilterErrors {
  person?: string;
  object?: string;
  to?: string;
}

/** The field contents for a filter. */
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

/** The filter for the field contents, or the errors. */
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

/** The userid for the typed text: the chosen person, an account number, or the only person with this name. */
function useridOf({ person, chosenPerson }: TypedFilter, people: readonly NamedPerson[]): number | undefined {
  const words = person.trim();
  if (words === chosenPerson?.name) return chosenPerson.userid;
  if (/^\d{1,15}$/.test(words)) return Number(words);
  const named = people.filter(({ name }) => name.toLowerCase() === words.toLowerCase());
  return named.length === 1 ? named[0]?.userid : undefined;
}

/** The action for the typed text: the chosen one, one with this name, or the text itself. */
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
    ...(person.trim() !== '' && userid === undefined && { person: auditWords.needPerson }),
    ...(objectid.trim() !== '' && object === '' && { object: auditWords.needKind }),
    ...(from !== '' && to !== '' && to < from && { to: auditWords.badDays }),
  };
}
