/**
 * A language id in the spelling of this site: lower case, `-` between its parts, and `ja` for the `jp` of old clients
 * (as on live servers).
 */
export function languageId(langid: string): string {
  const plain = langid.trim().toLowerCase().replaceAll('_', '-');
  return plain === 'jp' ? 'ja' : plain;
}

/** The languages to try for `langid`, best first: itself, without its region, the site's language. */
function languageFallbacks(langid: string, siteLangid: string): string[] {
  const wanted = languageId(langid);
  return [...new Set([wanted, wanted.split('-', 1)[0] ?? wanted, siteLangid])];
}

/** The version in the wanted language, else in the site's language, else the source. */
export function inLanguage<T extends { langid: string; source_revisionid: number | null }>(
  versions: readonly T[],
  langid: string | undefined,
  siteLangid: string,
): T | undefined {
  for (const wanted of languageFallbacks(langid ?? siteLangid, siteLangid)) {
    const found = versions.find((one) => languageId(one.langid) === languageId(wanted));
    if (found !== undefined) return found;
  }
  return versions.find((one) => one.source_revisionid === null) ?? versions[0];
}
