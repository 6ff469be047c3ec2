/** Joins the classes of a CSS module for these names; falsy names are left out. */
export function classNames(
  styles: Readonly<Record<string, string>>,
  ...names: (string | false | null | undefined)[]
): string {
  return names.flatMap((name) => (name ? (styles[name] ?? []) : [])).join(' ');
}
