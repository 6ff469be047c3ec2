import { ClipboardCheck } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'wouter';

import { Button } from '#desktop/renderer/ui/button.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { shiftWords } from '#desktop/renderer/text/en/shift-summaries.ts';

const MakeDialog = lazy(async () => ({ default: (await import('./make-dialog.tsx')).MakeDialog }));

/** A button that makes a shift summary; renders nothing for people who lead no team. */
export function MakeSummaryButton() {
  const teams = useLive('shiftTeams');
  const [isOpen, setIsOpen] = useState(false);
  const [, navigate] = useLocation();
  if (teams.length === 0) return null;
  return (
    <>
      <Button tone="primary" icon={<ClipboardCheck aria-hidden="true" />} onPress={() => setIsOpen(true)}>
        {shiftWords.make}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <MakeDialog
            onClose={() => setIsOpen(false)}
            onMade={(id) => navigate(`/shifts/${encodeURIComponent(id)}`)}
          />
        </Suspense>
      )}
    </>
  );
}
