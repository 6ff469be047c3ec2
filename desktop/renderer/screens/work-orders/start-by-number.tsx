import { useId, useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { useGuideChoices } from './guide-choices.ts';
import { readSerials } from './read-serials.ts';
import { SerialsField } from './serials-field.tsx';

/** Starts a work order, by its number and a guide. */
export function StartByNumber() {
  const heading = useId();
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [, navigate] = useLocation();
  const [number, setNumber] = useState('');
  const [words, setWords] = useState('');
  const [guideid, setGuideid] = useState<string | null>(null);
  const [serials, setSerials] = useState('');
  const [asked, setAsked] = useState(false);
  const guides = useGuideChoices(words);
  const start = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (number.trim() === '' || guideid === null) return;
    act(async () => {
      await actions.startWorkOrder(guideid, number.trim(), { serials: readSerials(serials) });
      navigate(`/guides/${guideid}`);
    });
  };
  return (
    <Card as="section" labelledBy={heading} pad="roomy">
      <form onSubmit={start} noValidate>
        <Stack>
          <h2 id={heading}>{text.workOrders.startTitle}</h2>
          <TextField
            label={text.workOrders.number}
            hint={text.workOrders.numberHint}
            value={number}
            onChange={setNumber}
            error={asked && number.trim() === '' ? text.player.needNumber : undefined}
          />
          <ComboField
            label={text.workOrders.guide}
            choices={guides}
            input={words}
            onInput={setWords}
            onChoose={setGuideid}
            placeholder={text.workOrders.guidePlaceholder}
            emptyText={text.workOrders.noGuide}
            openLabel={text.workOrders.openGuides}
            error={asked && guideid === null ? text.workOrders.needGuide : undefined}
          />
          {guideid !== null && <SerialsField guideid={guideid} value={serials} onChange={setSerials} />}
          <Button type="submit" tone="primary" size="large" wide isPending={busy}>
            {text.workOrders.start}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
