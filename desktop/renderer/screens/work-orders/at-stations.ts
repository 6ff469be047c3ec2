import { text } from '#desktop/renderer/text/en.ts';

/** At which stations something was recorded, in words, to be joined with other facts. Names may be '' or absent. */
export function atStations(names: readonly (string | undefined)[] = []): string[] {
  return names.flatMap((name) => (name === undefined ? [] : [text.workOrders.atStation(name)]));
}
