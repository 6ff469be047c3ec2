import { lazy, Suspense, type ComponentProps } from 'react';

const PlanDialog = lazy(async () => ({ default: (await import('./plan-dialog.tsx')).PlanDialog }));

/** The dialog of a plan, loaded when it is opened. */
export function LazyPlanDialog(props: ComponentProps<typeof PlanDialog>) {
  return (
    <Suspense fallback={null}>
      <PlanDialog {...props} />
    </Suspense>
  );
}
