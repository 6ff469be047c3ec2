import { safe } from '#shared/html.ts';

/** A screen with its picture in each look. */
export interface ScreenFiles {
  name: string;
  path: string;
  files: Readonly<Record<string, string>>;
}

/** A page with a row for each screen and a column for each look. Each picture opens in full size. */
export function indexPage(looks: readonly string[], screens: readonly ScreenFiles[]): string {
  const head = looks.map((look) => safe`<th>${look}</th>`);
  const rows = screens.map(({ name, path, files }) => {
    const cells = looks.map((look) => {
      const file = files[look] ?? '';
      return safe`<td><a href="${file}"><img loading="lazy" width="260" src="${file}" alt="${name}, ${look}"></a></td>`;
    });
    return safe`<tr><th scope="row">${name}<br><code>${path}</code></th>${cells}</tr>`;
  });
  const style =
    'body{font:14px sans-serif;margin:16px}th{text-align:left;vertical-align:top;padding:8px}img{border:1px solid #ccc}';
  return safe`<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens of Benchbook</title><style>${style}</style><table><tr><th>Screen</th>${head}</tr>${rows}</table></html>`
    .text;
}
