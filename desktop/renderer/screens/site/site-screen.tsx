import { useState } from 'react';

import type { Actions } from '#desktop/engine/api.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';
import { siteEdit } from '#shared/api/site.ts';
import type { SiteRecord } from '#shared/model/site.ts';

import styles from '../settings/settings-screen.module.css';
import { AdminPage } from './admin-page.tsx';
import { useServerValue } from './use-server-value.ts';

const readSite = (actions: Actions) => actions.readSite();

/** How does this site work? */
export function SiteScreen() {
  const from = useServerValue(readSite);
  return (
    <AdminPage title={text.site.title} lead={text.site.lead} from={from}>
      {(site) => <SiteForm site={site} onSaved={from.set} />}
    </AdminPage>
  );
}

type Typed = ReturnType<typeof typedOf>;

/** The settings as they are typed. */
function typedOf(site: SiteRecord) {
  return {
    name: site.name,
    title: site.title,
    description: site.description,
    support_url: site.support_url ?? '',
    address: site.address ?? '',
    private: site.private,
    public_registration: site.public_registration,
    releases: site.releases,
    compatibility: site.compatibility,
    langid: site.langid,
    languages: site.languages.join(', '),
    guide_types: site.guide_types.join(', '),
    upload_megabytes: String(site.upload_megabytes),
    requests_per_minute: site.requests_per_minute === null ? '' : String(site.requests_per_minute),
  };
}

function editOf(typed: Typed): unknown {
  const list = (words: string) =>
    words
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  const orNull = (words: string) => (words.trim() === '' ? null : words.trim());
  return {
    ...typed,
    support_url: orNull(typed.support_url),
    address: orNull(typed.address),
    languages: list(typed.languages),
    guide_types: list(typed.guide_types),
    upload_megabytes: Number(typed.upload_megabytes),
    requests_per_minute:
      orNull(typed.requests_per_minute) === null ? null : Number(typed.requests_per_minute),
  };
}

const fields = [
  { title: text.site.names, texts: ['name', 'title', 'description', 'support_url', 'address'], switches: [] },
  {
    title: text.site.access,
    texts: [],
    switches: ['private', 'public_registration', 'releases', 'compatibility'],
  },
  { title: text.site.languages, texts: ['langid', 'languages', 'guide_types'], switches: [] },
  { title: text.site.limits, texts: ['upload_megabytes', 'requests_per_minute'], switches: [] },
] as const;

const labels: Record<keyof Typed, string> = {
  name: text.site.name,
  title: text.site.longTitle,
  description: text.site.description,
  support_url: text.site.support,
  address: text.site.address,
  private: text.site.isPrivate,
  public_registration: text.site.publicRegistration,
  releases: text.site.releases,
  compatibility: text.site.compatibility,
  langid: text.site.langid,
  languages: text.site.languageList,
  guide_types: text.site.guideTypes,
  upload_megabytes: text.site.upload,
  requests_per_minute: text.site.requests,
};

const hints: Partial<Record<keyof Typed, string>> = {
  address: text.site.addressHint,
  languages: text.site.listHint,
  guide_types: text.site.listHint,
  requests_per_minute: text.site.requestsHint,
};

function SiteForm({ site, onSaved }: { site: SiteRecord; onSaved: (site: SiteRecord) => void }) {
  const actions = useActions();
  const { act, busy } = useAct();
  const [typed, setTyped] = useState(() => typedOf(site));
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const save = () => {
    const parsed = siteEdit.safeParse(editOf(typed));
    const issues = parsed.error?.issues.toReversed() ?? [];
    setErrors(new Map(issues.map(({ path, message }) => [String(path[0]), message] as const)));
    if (!parsed.success) return;
    act(async () => {
      onSaved(await actions.changeSite(parsed.data));
      showToast(text.site.saved);
    });
  };
  return (
    <div className={classNames(styles, 'settings')}>
      {fields.map(({ title, texts, switches }) => (
        <Card key={title} as="section" pad="roomy">
          <Stack>
            <h2>{title}</h2>
            {texts.map((field) => (
              <TextField
                key={field}
                label={labels[field]}
                {...(hints[field] !== undefined && { hint: hints[field] })}
                {...(field === 'description' && { kind: 'long' as const })}
                {...(field === 'upload_megabytes' && { suffix: text.site.megabytes })}
                value={typed[field]}
                onChange={(next) => setTyped((now) => ({ ...now, [field]: next }))}
                {...(errors.has(field) && { error: errors.get(field) ?? '' })}
              />
            ))}
            {switches.map((field) => (
              <CheckboxField
                key={field}
                label={labels[field]}
                value={typed[field]}
                onChange={(on) => setTyped((now) => ({ ...now, [field]: on }))}
              />
            ))}
          </Stack>
        </Card>
      ))}
      <div>
        <Button tone="primary" size="large" onPress={save} isPending={busy}>
          {text.site.save}
        </Button>
      </div>
    </div>
  );
}
