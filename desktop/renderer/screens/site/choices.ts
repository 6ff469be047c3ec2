import { languageName } from '#desktop/renderer/text/language-name.ts';
import type { ComboChoice } from '#desktop/renderer/ui/combo-field.tsx';

/** The languages of ISO 639-1 that have a writing system in use today. */
const languageCodes =
  'aa ab af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cs cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'.split(
    ' ',
  );

/** What the language calls itself, such as “Deutsch”. */
function ownName(langid: string): string {
  return new Intl.DisplayNames(langid, { type: 'language' }).of(langid) ?? langid;
}

let choices: ComboChoice[] | null = null;

/** The languages that can be added, by their names in the language of the screens. Made once, because each name of its own takes a while. */
export function languageChoices(): ComboChoice[] {
  return (choices ??= languageCodes
    .map((id) => {
      const [name, own] = [languageName(id), ownName(id)];
      return { id, name, note: own === name ? id : `${own} · ${id}` };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name)));
}

/** The time zones, by their names; `UTC` first. */
export function timeZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
}
