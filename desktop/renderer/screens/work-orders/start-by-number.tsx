import { useId, useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { typedOrderOf } from '#desktop/renderer/typed-forms.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraftSoon, useFormId } from '#desktop/renderer/use-form-draft.ts';

import { useGuideChoices } from './guide-choices.ts';
import { readSerials } from './read-serials.ts';
import { SerialsField } from './serials-field.tsx';

/** Starts a work order, by its number and a guide. */
export function StartByNumber() {
  const heading = useId();
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [, navigate] = useLocation();
  const typed = useFormDraftSoon({
    id: useFormId('start-by-number'),
    schema: typedOrderOf,
    start: { number: '', serials: '', guideid: null, words: '' },
  });
  const { number, serials, guideid, words } = typed.text;
  const [asked, setAsked] = useState(false);
  const guides = useGuideChoices(words);
  const start = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (number.trim() === '' || guideid === null) return;
    act(async () => {
      await actions.startWorkOrder(guideid, number.trim(), { serials: readSerials(serials) });
      typed.forget();
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
            onChange={(next) => typed.change({ number: next })}
            error={asked && number.trim() === '' ? text.player.needNumber : undefined}
          />
          <ComboField
            label={text.workOrders.guide}
            choices={guides}
            input={words}
            onInput={(next) => typed.change({ words: next })}
            onChoose={(id) => typed.change({ guideid: id })}
            placeholder={text.workOrders.guidePlaceholder}
            emptyText={text.workOrders.noGuide}
            openLabel={text.workOrders.openGuides}
            error={asked && guideid === null ? text.workOrders.needGuide : undefined}
          />
          {guideid !== null && (
            <SerialsField
              guideid={guideid}
              value={serials}
              onChange={(next) => typed.change({ serials: next })}
            />
          )}
          <Button type="submit" tone="primary" size="large" wide isPending={busy}>
            {text.workOrders.start}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
