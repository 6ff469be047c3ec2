import { useState } from 'react';

import type { PlannedOrderView } from '#desktop/engine/api/planned-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { LeftNotice, leftWords } from './left-notice.tsx';
import { LazyPlanDialog } from './lazy-plan-dialog.tsx';
import { planForms, planFormId } from './use-plan-form.ts';

/**
 * A change of a planned order that was typed and not saved, with the way back into its form; only its words if the order was
 * started or withdrawn since, so that nobody can change it any more. Renders nothing if there is none.
 */
export function LeftChange({ planned }: { planned: PlannedOrderView }) {
  const { user } = useLiveSoon('session') ?? { user: null };
  const forms = useLiveSoon('unsavedForms', planForms) ?? [];
  const [isOpen, setIsOpen] = useState(false);
  const id = planFormId(user?.userid, planned.planned_orderid);
  const left = forms.find((one) => one.id === id);
  const words = leftWords(left?.form.typed);
  const dialog = isOpen && <LazyPlanDialog seen={planned} onClose={() => setIsOpen(false)} />;
  if (left === undefined || (words === '' && !planned.plans)) return dialog;
  return (
    <>
      {dialog}
      {!isOpen && (
        <LeftNotice
          id={id}
          title={planned.plans ? text.planned.leftOpen : text.planned.leftChange}
          words={words === '' ? text.planned.leftHint : words}
          action={planned.plans && <Button onPress={() => setIsOpen(true)}>{text.planned.goOn}</Button>}
        />
      )}
    </>
  );
}
