import { useEffect, useRef, useState } from 'react';

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
import { Problem } from '#shared/api/problem.ts';
import { siteEdit, type SiteEdit } from '#shared/api/site.ts';
import type { SiteRecord } from '#shared/model/site.ts';

import styles from '../settings/settings-screen.module.css';
import { AdminPage } from './admin-page.tsx';
import { groupsOf, type SwitchLine, type TextLine } from './site-groups.ts';
import { SignOnAddresses } from './sign-on-addresses.tsx';
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

function isTextLine(line: TextLine | SwitchLine, typed: TypedSite): line is TextLine {
  return typeof typed[line.field] === 'string';
}

function SiteForm({ site, onSaved }: { site: SiteRecord; onSaved: (site: SiteRecord) => void }) {
  const actions = useActions();
  const { act, busy } = useAct();
  const [typed, setTyped] = useState(() => typedOf(site));
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const form = useRef<HTMLDivElement>(null);
  // The form is long: what is wrong may be out of sight.
  useEffect(() => {
    if (errors.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  const change = (field: keyof TypedSite, value: string | boolean) =>
    setTyped((now) => ({ ...now, [field]: value }));
  const save = () => {
    const parsed = siteEdit.safeParse(editOf(typed));
    const issues = parsed.error?.issues.toReversed() ?? [];
    setErrors(new Map(issues.map((issue) => [fieldOf(issue.path), issueWords(issue)] as const)));
    if (!parsed.success) {
      showToast(text.site.notSaved, 'danger');
      return;
    }
    act(async () => {
      const saved = await changed(parsed.data);
      if (saved === null) return;
      onSaved(saved);
      setTyped(typedOf(saved));
      showToast(text.site.saved);
    });
  };
  /** Null: the server found something wrong with a field, and it is said there. */
  const changed = async (edit: SiteEdit): Promise<SiteRecord | null> => {
    try {
      return await actions.changeSite(edit);
    } catch (error) {
      const found = error instanceof Problem ? (error.details.errors ?? []) : [];
      const known = found.filter(({ field }) => field in typed);
      if (known.length === 0) throw error;
      setErrors(new Map(known.map(({ field, message }) => [field, message] as const)));
      showToast(text.site.notSaved, 'danger');
      return null;
    }
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
    <div className={classNames(styles, 'settings')} ref={form}>
      {groupsOf(site).map(({ title, lead, lines, when, below }) => (
        <Card key={title} as="section" pad="roomy">
          <Stack>
            <h2>{title}</h2>
            {lead !== undefined && <p className={classNames(styles, 'facts')}>{lead}</p>}
            {lines.map(line)}
            {when !== undefined && typed[when.field] && when.lines.map(line)}
            {below === 'sign-on' && typed.sign_on && <SignOnAddresses address={typed.address} />}
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

/** What is wrong with a field, as a person says it. */
function issueWords({
  path,
  code,
  message,
}: {
  path: readonly PropertyKey[];
  code?: string | undefined;
  message: string;
}): string {
  if (fieldOf(path) === 'sign_on.certificates') return text.site.needCertificates;
  return code === 'invalid_type' ? text.site.wholeNumber : message;
}
