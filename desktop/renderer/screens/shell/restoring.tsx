import { text } from '#desktop/renderer/text/en.ts';
import { Loading } from '#desktop/renderer/ui/loading.tsx';

/** Between the start of the app and its first screen. */
export function Restoring() {
  return (
    <main>
      <title>{text.app.name}</title>
      <Loading label={text.app.restoring} />
    </main>
  );
}
