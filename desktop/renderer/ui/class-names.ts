/** Joins the classes that a CSS module gives to these names; what is false is left out. */
export function classNames(
  styles: Readonly<Record<string, string>>,
  ...names: (string | false | null | undefined)[]
): string {
  return names.flatMap((name) => (name ? (styles[name] ?? []) : [])).join(' ');
}
