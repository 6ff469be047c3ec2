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
import { editOf, typedOf, type TypedSite } from './typed-site.ts';
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

type FieldOf<T> = { [K in keyof TypedSite]: TypedSite[K] extends T ? K : never }[keyof TypedSite];
type Switch = FieldOf<boolean>;

interface TextLine {
  field: FieldOf<string>;
  label: string;
  hint?: string;
  suffix?: string;
  kind?: 'long' | 'password' | 'numeric' | 'url';
}

interface SwitchLine {
  field: Switch;
  label: string;
}

interface Group {
  title: string;
  lines: (TextLine | SwitchLine)[];
  /** These lines are there while the switch is on. */
  when?: { field: Switch; lines: (TextLine | SwitchLine)[] };
}

function groupsOf(site: SiteRecord): Group[] {
  const words = text.site;
  const secret = (isSet: boolean) => ({
    kind: 'password' as const,
    ...(isSet && { hint: words.keepSecret }),
  });
  return [
    {
      title: words.names,
      lines: [
        { field: 'name', label: words.name },
        { field: 'title', label: words.longTitle },
        { field: 'description', label: words.description, kind: 'long' },
        { field: 'support_url', label: words.support },
        { field: 'address', label: words.address, hint: words.addressHint },
      ],
    },
    {
      title: words.access,
      lines: [
        { field: 'private', label: words.isPrivate },
        { field: 'public_registration', label: words.publicRegistration },
        { field: 'releases', label: words.releases },
        { field: 'compatibility', label: words.compatibility },
      ],
    },
    {
      title: words.languages,
      lines: [
        { field: 'langid', label: words.langid },
        { field: 'languages', label: words.languageList, hint: words.listHint },
        { field: 'guide_types', label: words.guideTypes, hint: words.listHint },
      ],
    },
    {
      title: words.mail,
      lines: [{ field: 'smtp', label: words.sendMail }],
      when: {
        field: 'smtp',
        lines: [
          { field: 'smtp.host', label: words.mailHost },
          { field: 'smtp.port', label: words.mailPort, kind: 'numeric' },
          { field: 'smtp.tls', label: words.mailTls },
          { field: 'smtp.user', label: words.mailUser, hint: words.mailUserHint },
          { field: 'smtp.password', label: words.mailPassword, ...secret(site.smtp?.has_password === true) },
          { field: 'smtp.from', label: words.mailFrom, hint: words.mailFromHint },
        ],
      },
    },
    {
      title: words.translation,
      lines: [{ field: 'translation', label: words.translate }],
      when: {
        field: 'translation',
        lines: [
          {
            field: 'translation.url',
            label: words.translationUrl,
            hint: words.translationUrlHint,
            kind: 'url',
          },
          {
            field: 'translation.key',
            label: words.translationKey,
            ...secret(site.translation?.has_key === true),
          },
        ],
      },
    },
    {
      title: words.limits,
      lines: [
        { field: 'upload_megabytes', label: words.upload, suffix: words.megabytes, kind: 'numeric' },
        {
          field: 'requests_per_minute',
          label: words.requests,
          hint: words.requestsHint,
          kind: 'numeric',
        },
        { field: 'private_networks', label: words.networks, hint: words.networksHint },
      ],
    },
  ];
}

function isTextLine(line: TextLine | SwitchLine, typed: TypedSite): line is TextLine {
  return typeof typed[line.field] === 'string';
}

function SiteForm({ site, onSaved }: { site: SiteRecord; onSaved: (site: SiteRecord) => void }) {
  const actions = useActions();
  const { act, busy } = useAct();
  const [typed, setTyped] = useState(() => typedOf(site));
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const change = (field: keyof TypedSite, value: string | boolean) =>
    setTyped((now) => ({ ...now, [field]: value }));
  const save = () => {
    const parsed = siteEdit.safeParse(editOf(typed));
    const issues = parsed.error?.issues.toReversed() ?? [];
    setErrors(new Map(issues.map(({ path, message }) => [fieldOf(path), message] as const)));
    if (!parsed.success) return;
    act(async () => {
      const saved = await actions.changeSite(parsed.data);
      onSaved(saved);
      setTyped(typedOf(saved));
      showToast(text.site.saved);
    });
  };
  const line = (one: TextLine | SwitchLine) =>
    isTextLine(one, typed) ? (
      <TextField
        key={one.field}
        label={one.label}
        {...(one.hint !== undefined && { hint: one.hint })}
        {...(one.kind !== undefined && { kind: one.kind })}
        {...(one.suffix !== undefined && { suffix: one.suffix })}
        value={typed[one.field]}
        onChange={(next) => change(one.field, next)}
        {...(errors.has(one.field) && { error: errors.get(one.field) ?? '' })}
      />
    ) : (
      <CheckboxField
        key={one.field}
        label={one.label}
        value={typed[one.field]}
        onChange={(on) => change(one.field, on)}
      />
    );
  return (
    <div className={classNames(styles, 'settings')}>
      {groupsOf(site).map(({ title, lines, when }) => (
        <Card key={title} as="section" pad="roomy">
          <Stack>
            <h2>{title}</h2>
            {lines.map(line)}
            {when !== undefined && typed[when.field] && when.lines.map(line)}
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

/** The field that a finding of the schema belongs to; of a list its whole field. */
function fieldOf(path: readonly PropertyKey[]): string {
  const [first, second] = path;
  return typeof second === 'string' ? `${String(first)}.${second}` : String(first);
}
