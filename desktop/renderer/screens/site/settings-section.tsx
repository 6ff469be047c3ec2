import { useEffect, useRef, type ReactNode } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import { settingSectionText } from '#desktop/renderer/text/en/site-settings.ts';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import type { SiteRecord } from '#shared/model/site.ts';

import { SaveBar } from '../administration/area.tsx';
import { SiteFacts } from '../administration/facts.tsx';
import { useLeaveGuard } from '../administration/use-leave-guard.tsx';
import styles from '../settings/settings-screen.module.css';
import { AdminPage } from './admin-page.tsx';
import { SiteField } from './setting-fields.tsx';
import { groupsOf, sectionOfGroup, type SettingSection } from './site-groups.ts';
import { SignOnAddresses } from './sign-on-addresses.tsx';
import { useServerValue } from './use-server-value.ts';
import { useSiteForm } from './use-site-form.ts';

const readSite = (actions: Actions) => actions.readSite();

interface SettingsScreenProps {
  section: SettingSection;
  /** Beside the form; null: nothing. Default: the facts about the site. */
  side?: ReactNode;
  /** Before and after the form. */
  before?: ReactNode;
  after?: (site: SiteRecord) => ReactNode;
}

/** The settings of one section. */
export function SettingsScreen({ section, side = <SiteFacts />, before, after }: SettingsScreenProps) {
  const from = useServerValue(readSite);
  const { title, lead } = settingSectionText[section];
  return (
    <AdminPage title={title} lead={lead} from={from} side={side}>
      {(site) => (
        <div className={classNames(styles, 'settings')}>
          {before}
          <SiteForm section={section} site={site} onSaved={from.set} />
          {after?.(site)}
        </div>
      )}
    </AdminPage>
  );
}

interface SiteFormProps {
  section: SettingSection;
  site: SiteRecord;
  onSaved: (site: SiteRecord) => void;
}

function SiteForm({ section, site, onSaved }: SiteFormProps) {
  const groups = groupsOf(site).filter(({ id }) => sectionOfGroup[id] === section);
  const fields = new Set(groups.flatMap(({ lines }) => lines.map(({ line }) => line.field)));
  const { typed, errors, busy, save, change, discard, changes, question } = useSiteForm(
    site,
    onSaved,
    (field) => fields.has(field),
  );
  const guard = useLeaveGuard(changes);
  const form = useRef<HTMLDivElement>(null);
  // Focuses the first invalid field, which may be out of view.
  useEffect(() => {
    if (errors.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  return (
    <div ref={form} className={classNames(styles, 'settings')}>
      {groups.map(({ id, title, lead, lines }) => (
        <Card key={id} as="section" pad="roomy">
          <Stack gap="l">
            <h2>{title}</h2>
            {lead !== undefined && <p className={classNames(styles, 'facts')}>{lead}</p>}
            {lines
              .filter(({ when }) => when === undefined || typed[when] === true)
              .map(({ line }) => (
                <SiteField
                  key={line.field}
                  line={line}
                  typed={typed}
                  change={change}
                  error={errors.get(line.field)}
                />
              ))}
            {id === 'sign_on' && typed['sign_on'] === true && (
              <SignOnAddresses address={String(typed['address'])} />
            )}
          </Stack>
        </Card>
      ))}
      <SaveBar changes={changes} onSave={save} onDiscard={discard} isPending={busy} />
      {guard}
      {question}
    </div>
  );
}
