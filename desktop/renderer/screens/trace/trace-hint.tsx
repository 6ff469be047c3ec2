import { ScanSearch } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { traceHref } from '../work-orders/number-link.tsx';

/** Leads from a search to a serial or lot number on this device that begins with its words; renders nothing without one. */
export function TraceHint({ words }: { words: string }) {
  const [number] = useLiveSoon('numbersHere', words) ?? [];
  if (number === undefined) return null;
  return (
    <div>
      <ButtonLink icon={<ScanSearch aria-hidden="true" />} href={traceHref(number)}>
        {text.tracing.findNamed(number)}
      </ButtonLink>
    </div>
  );
}
