import { formatDigits, typedNumber } from '#desktop/renderer/text/format.ts';
import type { FieldKind } from '#shared/model/setting.ts';
import { partsOf, settings, type SettingName } from '#shared/model/site-settings.ts';
import type { SiteRecord } from '#shared/model/site.ts';

/**
 * The typed settings by field: `upload_megabytes`, `smtp.host`. For a setting with parts, a switch under its own name
 * includes or removes the parts; `smtp.password.forget` is the switch that clears a secret.
 */
export type TypedSite = Readonly<Record<string, string | boolean>>;

/** Converts between a value and the text in its field. `undefined`: there is no value yet. */
interface Field {
  typed: (value: unknown) => string | boolean;
  meant: (typed: string) => unknown;
}

const words = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const digits = (value: unknown): string => (typeof value === 'number' ? formatDigits(value) : words(value));
const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(words) : []);

const fields: Record<Exclude<FieldKind, 'switch'>, Field> = {
  text: { typed: words, meant: (typed) => typed },
  long: { typed: words, meant: (typed) => typed },
  url: { typed: words, meant: (typed) => typed.trim() },
  'optional-text': { typed: words, meant: orNull },
  number: { typed: digits, meant: typedNumber },
  'optional-number': {
    typed: digits,
    meant: (typed) => (orNull(typed) === null ? null : typedNumber(typed)),
  },
  list: { typed: (value) => listOf(value).join(', '), meant: list },
  certificates: { typed: (value) => listOf(value).join('\n'), meant: certificatesOf },
};

/** The initial contents of the form. The server never sends secrets, so their fields are empty. */
export function typedOf(site: SiteRecord): TypedSite {
  return Object.fromEntries(
    settings.flatMap(([name, setting]): [string, string | boolean][] => {
      if (setting.kind !== 'parts') return [[name, typedValue(setting.kind, site[name])]];
      const value = new Map(Object.entries(site[name] ?? {}));
      const parts = partsOf(setting).flatMap(([part, one]): [string, string | boolean][] => {
        const field = `${name}.${part}`;
        if (one.kind !== 'secret') return [[field, typedValue(one.kind, value.get(part) ?? one.begin)]];
        return [
          [field, ''],
          [forgetField(field), false],
        ];
      });
      return [[name, site[name] !== null], ...parts];
    }),
  );
}

function typedValue(kind: FieldKind, value: unknown): string | boolean {
  return kind === 'switch' ? value === true : fields[kind].typed(value);
}

/** The body of the change, not validated. An empty secret stays unchanged unless its switch clears it. */
export function editOf(typed: TypedSite): unknown {
  return Object.fromEntries(
    settings.map(([name, setting]) => {
      if (setting.kind !== 'parts') return [name, meantValue(setting.kind, typed[name])];
      if (typed[name] !== true) return [name, null];
      const parts = partsOf(setting).flatMap(([part, { kind }]): [string, unknown][] => {
        const field = `${name}.${part}`;
        if (kind !== 'secret') return [[part, meantValue(kind, typed[field])]];
        if (typed[field] !== '') return [[part, typed[field]]];
        return typed[forgetField(field)] === true ? [[part, null]] : [];
      });
      return [name, Object.fromEntries(parts)];
    }),
  );
}

function meantValue(kind: FieldKind, typed: string | boolean | undefined): unknown {
  return kind === 'switch' ? typed === true : fields[kind].meant(words(typed));
}

/** The name of the switch that clears a secret. */
export function forgetField(field: string): string {
  return `${field}.forget`;
}

/** Whether the server has a secret for a part. */
export function isSecretSet(site: SiteRecord, name: SettingName, part: string): boolean {
  return Object.entries(site[name] ?? {}).some(([key, value]) => key === `has_${part}` && value === true);
}

/** The settings whose fields changed, as the body of the change. */
export function changesOf(before: TypedSite, after: TypedSite): unknown {
  const was = new Map(Object.entries(editOf(before) as Record<string, unknown>));
  const changed = Object.entries(editOf(after) as Record<string, unknown>).filter(
    ([name, value]) => written(value) !== written(was.get(name)),
  );
  return Object.fromEntries(changed);
}

/** As JSON, but text that is no number differs from an empty field. */
function written(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part: unknown) => (Number.isNaN(part) ? 'NaN' : part));
}

/** Number of fields that differ. */
export function countChanges(before: TypedSite, after: TypedSite): number {
  return Object.entries(after).filter(([field, value]) => value !== before[field]).length;
}

/** The values in the text of a list. */
export function listIn(typed: string | boolean | undefined): string[] {
  return list(words(typed));
}

/** The text of a list. */
export function typedList(values: readonly string[]): string {
  return values.join(', ');
}

function list(typed: string): string[] {
  return typed
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function orNull(typed: string): string | null {
  return typed.trim() === '' ? null : typed.trim();
}

/** Splits a text into certificates. Other text is sent as it is, so that the server reports the error. */
function certificatesOf(typed: string): string[] {
  const blocks = typed.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length > 0) return blocks;
  return typed.trim() === '' ? [] : [typed.trim()];
}
