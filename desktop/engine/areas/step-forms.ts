import { type Observable, combineLatest, firstValueFrom, map, of, switchMap } from 'rxjs';

import type { MergeConflict } from '#shared/merge/conflict.ts';
import { mergeForm } from '#shared/merge/form.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import {
  type DesignedField,
  designedField,
  faultsOf,
  type FormBase,
  formBody,
  settledFields,
} from '#shared/rules/form-design.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import {
  type ActionContext,
  guideTitle,
  impossible,
  laneOf,
  openCallsOf,
} from '../features/action-context.ts';
import { toLive } from '../features/live.ts';
import { applies, callsOf, isOpen } from '../features/records/overlay/applies.ts';
import { stepIdOf } from '../features/records/overlay/guide.ts';
import { realIdOf, type Sources } from '../features/records/sources.ts';
import type { Services } from '../features/services.ts';
import { isUnsent } from '../outbox/coalesce.ts';
import { guideSaveOf } from '../outbox/kinds/guides.ts';
import { formSaveOf } from '../outbox/kinds/step-forms.ts';
import type { Mirrored, OutboxCall } from '../platform/ports.ts';

/** The form of a step, as the person changes it. */
export interface DesignedForm {
  /** The number of the step, or `tmp:…`. */
  stepid: string;
  /** Whether the step is on the server, or waits for it: a form is saved after its step. */
  isStepSaved: boolean;
  /** The form on which a save of `fields` is based. */
  base: FormBase;
  /** The fields with the person's waiting changes, or the merged ones of a refused save. */
  fields: DesignedField[];
  state: 'saved' | 'queued' | 'refused';
  /** Why the last save was refused. */
  refusal: string | null;
  /** What the person and somebody else changed differently; `fields` has the version of the others. */
  conflicts: Contradiction[];
}

/** A field that two authors changed differently. */
export interface Contradiction {
  field_guid: string;
  /** The property; null: one of them removed the field, and the other changed it. */
  property: string | null;
  /** The values of the property, or the fields; null: removed. */
  mine: unknown;
  theirs: unknown;
}

/** The form of which an edit began. */
export type BegunForm = Pick<DesignedForm, 'base' | 'fields'>;

/** Live reads of forms for their authors. */
export function stepFormViews({ sources }: Services) {
  return {
    /** The form of a step of a guide that this person edits. `step`: its key. */
    designedForm: (guideid: string, step: string) => toLive(designedForm(sources, guideid, step)),
    /** The teams whose members can be asked to confirm, by name. */
    formTeams: () =>
      toLive(
        sources.people.pipe(
          map(({ teams }) =>
            teams
              .map(({ teamid, name }) => ({ teamid, name }))
              .toSorted((a, b) => a.name.localeCompare(b.name)),
          ),
        ),
      ),
  };
}

/** Writes of forms. Each promise resolves when the change is journalled; the outbox sends it. */
export function stepFormActions(context: ActionContext) {
  return {
    /**
     * Saves the form of a step. `began`: the form when the edit began, so that what others saved meanwhile is merged. Throws
     * `Problem` for what the server would refuse (STEPFORM-1).
     */
    saveStepForm: (guideid: string, step: string, fields: readonly DesignedField[], began: BegunForm) =>
      saveStepForm(context, guideid, step, fields, began),
  };
}

function designedForm(sources: Sources, guideid: string, step: string): Observable<DesignedForm> {
  const { core, calls } = sources;
  return realIdOf(sources, guideid).pipe(
    switchMap((id) => {
      const guide = id.startsWith('tmp:') ? of(null) : core.mirror.one('guides', id);
      return combineLatest([guide, calls]);
    }),
    switchMap(([guide, waiting]) => {
      const stepid = sources.resolve(stepIdOf({ facts: guide?.facts ?? null }, step));
      const form = stepid.startsWith('tmp:') ? of(null) : core.mirror.one('stepForms', stepid);
      const isStepSaved = !stepid.startsWith('tmp:') || isCreated(waiting, step);
      return form.pipe(
        map((record) => {
          const own = callsOf(waiting, 'stepForms', stepid, sources.resolve);
          return { stepid, isStepSaved, ...withCalls(record, own) };
        }),
      );
    }),
  );
}

/** Whether a waiting save creates the step. */
function isCreated(calls: readonly OutboxCall[], step: string): boolean {
  return calls.some((call) => guideSaveOf(call)?.content.steps.some(({ key }) => key === step) === true);
}

function withCalls(
  record: Mirrored<'stepForms'> | null,
  calls: readonly OutboxCall[],
): Omit<DesignedForm, 'stepid' | 'isStepSaved'> {
  const present = baseOf(record?.facts);
  const shown = present.fields.map(designedField);
  const last = calls.findLast((call) => isOpen(call) || applies(call, record?.seq ?? null));
  const save = last === undefined ? undefined : formSaveOf(last);
  const nothing = { refusal: null, conflicts: [] };
  if (last === undefined || save === undefined)
    return { base: present, fields: shown, state: 'saved', ...nothing };
  if (last.state === 'parked') {
    const { merged, conflicts } = mergeForm(save.base.fields.map(designedField), save.fields, shown);
    const refusal = last.refusal?.message ?? '';
    return {
      base: present,
      fields: merged,
      state: 'refused',
      refusal,
      conflicts: conflicts.map(contradictionOf),
    };
  }
  return { base: onTopOf(last), fields: save.fields, state: 'queued', ...nothing };
}

function contradictionOf({ place, mine, theirs }: MergeConflict): Contradiction {
  return { field_guid: place.element ?? '', property: place.field ?? null, mine, theirs };
}

function baseOf(facts: StepForm | undefined): FormBase {
  return { form_revisionid: facts?.form_revisionid ?? 0, fields: facts?.fields ?? [] };
}

/**
 * The base of a save that follows a waiting one: the same, if the two become one call. Otherwise it names the old revision,
 * so that the server answers 409, and the fields that the earlier save added are found by their content (MERGE-97).
 */
function onTopOf(call: OutboxCall): FormBase {
  const { base, fields } = formSaveOf(call) ?? { base: baseOf(undefined), fields: [] };
  if (isUnsent(call)) return base;
  const known = new Map(base.fields.map((field) => [field.field_guid, field.field_revisionid]));
  const sent = fields.map((field) => ({ ...field, field_revisionid: known.get(field.field_guid) ?? 0 }));
  return { form_revisionid: base.form_revisionid, fields: sent };
}

async function saveStepForm(
  context: ActionContext,
  guideid: string,
  step: string,
  typed: readonly DesignedField[],
  began: BegunForm,
): Promise<void> {
  const { sources } = context;
  const id = context.resolve(guideid);
  const now = await firstValueFrom(designedForm(sources, id, step));
  if (!now.isStepSaved) throw impossible('Save the guide first: this step is only in your draft');
  const { stepid } = now;
  const last = openCallsOf(context, 'stepForms', stepid).at(-1);
  const waiting = last === undefined || last.state === 'parked' ? undefined : formSaveOf(last);
  // Another window saved meanwhile: its changes stay, except for those that this one contradicts.
  const isBehind = waiting !== undefined && !sameValue(waiting.fields, began.fields);
  const given = isBehind ? mergeForm(began.fields, waiting.fields, typed).merged : typed;
  const base = last === undefined || waiting === undefined ? began.base : onTopOf(last);
  const [fault] = faultsOf(base, given);
  if (fault !== undefined) throw impossible(`${given[fault.index]?.label ?? ''}: ${fault.message}`);
  const fields = settledFields(base, given);
  if (last === undefined && sameValue(fields, base.fields.map(designedField))) return;
  await sources.core.outbox.add([
    {
      kind: 'form-save',
      lane: laneOf(context, 'form', 'stepForms', stepid),
      method: 'POST',
      path: `/step_forms/${stepid}`,
      body: formBody(base, fields),
      target: { collection: 'stepForms', id: stepid },
      subject: await guideTitle(context, id),
      context: { guideid: id, base, fields },
    },
  ]);
}
