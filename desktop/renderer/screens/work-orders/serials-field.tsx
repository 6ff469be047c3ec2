import { Plus } from 'lucide-react';
import { useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

interface SerialsFieldProps {
  guideid: string;
  value: string;
  onChange: (value: string) => void;
}

/**
 * Asks for the serial or lot numbers of what is worked on. The field is shown if the last order on the guide had some;
 * otherwise a button shows it, so that it is in nobody's way.
 */
export function SerialsField({ guideid, value, onChange }: SerialsFieldProps) {
  const isUsual = useLiveSoon('namesSerials', guideid) ?? false;
  const [isAsked, setIsAsked] = useState(false);
  if (!isUsual && !isAsked && value === '')
    return (
      <div>
        <Button tone="quiet" icon={<Plus aria-hidden="true" />} onPress={() => setIsAsked(true)}>
          {text.workOrders.addSerials}
        </Button>
      </div>
    );
  return (
    <TextField
      label={text.workOrders.serialsOptional}
      hint={text.workOrders.serialsHint}
      value={value}
      onChange={onChange}
      autoFocus={isAsked}
    />
  );
}
