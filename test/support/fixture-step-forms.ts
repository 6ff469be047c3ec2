import type { DesignedForm } from '#desktop/engine/areas/step-forms.ts';
import type { Actions, Live, Views } from '#desktop/engine/engine.ts';
import { designedField } from '#shared/rules/form-design.ts';

import type { World } from './fixture-world.ts';

/** The form of a step of a demo guide, unless it was saved since. */
function formOf({ forms, guides }: World, guideid: string, step: string): DesignedForm {
  const saved = forms[step];
  if (saved !== undefined) return saved;
  const guide = guides.find((one) => one.guideid === guideid);
  const known = guide?.steps.find(({ stepid }) => stepid === step);
  const fields = (known?.fields ?? []).map(({ stepid: _stepid, form: _form, ...field }) => field);
  return {
    stepid: step,
    isStepSaved: !step.startsWith('tmp:'),
    base: { form_revisionid: fields.length === 0 ? 0 : 1, fields },
    fields: fields.map(designedField),
    state: 'saved',
    refusal: null,
    conflicts: [],
  };
}

type FormViews = Pick<Views, 'designedForm' | 'formTeams'>;

export function stepFormViews(live: <T>(pick: (now: World) => T) => Live<T>): FormViews {
  return {
    designedForm: (guideid, step) => live((now) => formOf(now, guideid, step)),
    formTeams: () => live(({ teams }) => teams.map(({ teamid, name }) => ({ teamid, name }))),
  };
}

export function stepFormActions(
  world: () => World,
  change: (make: (now: World) => Partial<World>) => void,
): Pick<Actions, 'saveStepForm'> {
  return {
    async saveStepForm(guideid, step, fields) {
      const now = formOf(world(), guideid, step);
      const saved: DesignedForm = {
        ...now,
        fields: [...fields],
        state: 'queued',
        refusal: null,
        conflicts: [],
      };
      change(({ forms }) => ({ forms: { ...forms, [step]: saved } }));
    },
  };
}
