import type { Live } from '#desktop/engine/engine.ts';
import type { FormActions, FormViews, UnsavedForm } from '#desktop/engine/api/forms.ts';

import { must } from '#shared/must.ts';

import type { World } from './fixture-world.ts';

/** Survives a reload, like data stored on a device. */
const formsKey = 'fixture.forms';

function formsIn(page: Storage): Record<string, UnsavedForm> {
  return JSON.parse(page.getItem(formsKey) ?? '{}') as Record<string, UnsavedForm>;
}

export function formViews(live: <T>(pick: (now: World) => T) => Live<T>): FormViews {
  return {
    unsavedForm: (id) => live(() => formsIn(sessionStorage)[id] ?? null),
    unsavedForms: (prefix) =>
      live(() =>
        Object.entries(formsIn(sessionStorage))
          .filter(([id]) => id.startsWith(prefix))
          .map(([id, form]) => ({ id, form })),
      ),
    holdsUnstored: () => live(({ storage }) => storage.journal === 'full'),
  };
}

export function formActions(change: (make: (now: World) => Partial<World>) => void): FormActions {
  const store = (forms: Record<string, UnsavedForm>): void => {
    sessionStorage.setItem(formsKey, JSON.stringify(forms));
    change(() => ({}));
  };
  return {
    async keepForm(id, form) {
      const { [id]: _, ...others } = formsIn(sessionStorage);
      store(form === null ? others : { ...others, [id]: form });
    },
    async keepFormFile(file) {
      const id = `form-file-${Object.keys(sessionStorage).length}`;
      const bytes = Array.from(new Uint8Array(await file.arrayBuffer()));
      sessionStorage.setItem(id, JSON.stringify({ bytes, name: file.name, type: file.type }));
      return id;
    },
    async formFile(id) {
      const stored = JSON.parse(must(sessionStorage.getItem(id), 'the file')) as {
        bytes: number[];
        name: string;
        type: string;
      };
      return new File([new Uint8Array(stored.bytes)], stored.name, { type: stored.type });
    },
    async adoptForms(forms) {
      store({ ...Object.fromEntries(forms), ...formsIn(sessionStorage) });
    },
  };
}
