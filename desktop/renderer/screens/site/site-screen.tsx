import { useEffect, useRef } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import type { SiteRecord } from '#shared/model/site.ts';

import styles from '../settings/settings-screen.module.css';
import { AdminPage } from './admin-page.tsx';
import { groupsOf, type SwitchLine, type TextLine } from './site-groups.ts';
import { SignOnAddresses } from './sign-on-addresses.tsx';
import type { TypedSite } from './typed-site.ts';
import { useServerValue } from './use-server-value.ts';
import { useSiteForm } from './use-site-form.ts';

const readSite = (actions: Actions) => actions.readSite();

/** The settings of the site. */
export function SiteScreen() {
  const from = useServerValue(readSite);
  return (
    <AdminPage title={text.site.title} lead={text.site.lead} from={from}>
      {(site) => <SiteForm site={site} onSaved={from.set} />}
    </AdminPage>
  );
}

function SiteForm({ site, onSaved }: { site: SiteRecord; onSaved: (site: SiteRecord) => void }) {
  const { typed, errors, busy, save, change, question } = useSiteForm(site, onSaved);
  const form = useRef<HTMLDivElement>(null);
  // Focuses the first invalid field, which may be out of view.
  useEffect(() => {
    if (errors.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  const field = (one: TextLine | SwitchLine) => (
    <SiteField key={one.field} line={one} typed={typed} change={change} error={errors.get(one.field)} />
  );
  return (
    <div ref={form}>
      <div className={classNames(styles, 'settings')}>
        {groupsOf(site).map(({ id, title, lead, lines }) => (
          <Card key={id} as="section" pad="roomy">
            <Stack>
              <h2>{title}</h2>
              {lead !== undefined && <p className={classNames(styles, 'facts')}>{lead}</p>}
              {lines
                .filter(({ when }) => when === undefined || typed[when] === true)
                .map((one) => field(one.line))}
              {id === 'sign_on' && typed['sign_on'] === true && (
                <SignOnAddresses address={String(typed['address'])} />
              )}
            </Stack>
          </Card>
        ))}
      </div>
      <div className={classNames(styles, 'save')}>
        <Button tone="primary" size="large" onPress={save} isPending={busy}>
          {text.site.save}
        </Button>
      </div>
      {question}
    </div>
  );
}

interface SiteFieldProps {
  line: TextLine | SwitchLine;
  typed: TypedSite;
  change: (field: string, value: string | boolean) => void;
  error: string | undefined;
}

function SiteField({ line, typed, change, error }: SiteFieldProps) {
  const { field, ...words } = line;
  const value = typed[field] ?? '';
  if (typeof value === 'boolean')
    return <CheckboxField label={line.label} value={value} onChange={(on) => change(field, on)} />;
  return <TextField {...words} value={value} onChange={(next) => change(field, next)} error={error} />;
}
