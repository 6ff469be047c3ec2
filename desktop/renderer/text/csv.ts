/** Rows as CSV (RFC 4180). */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

/** A cell. A text that a spreadsheet program would run as a formula gets an apostrophe. */
function cellOf(value: string | number): string {
  const words = String(value);
  const isFormula = /^[=+\-@\t\r]/.test(words) && !Number.isFinite(Number(words));
  const safe = isFormula ? `'${words}` : words;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
