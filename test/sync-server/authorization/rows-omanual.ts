import type { omanualVariant } from '#shared/api/omanual-variant.ts';
import type { omanual } from '#shared/api/omanual.ts';

import { addArchive } from './records.ts';
import { authors, everybody, guideRead, own, signedIn, type Row } from './row.ts';
import type { RowsOf } from './table.ts';

/** Archives belong to the person who had them made; a kiosk cannot have any made. */
const made = (status: number): Row['expect'] => ({ own: own(status, 404), public: signedIn(404) });

/** Imports are visible to and can be ended by the person who created them and administrators. */
const imports = (status: number): Row['expect'] => ({
  own: own(status, 404),
  public: `401 404 404 404 ${status} 404 404`,
});

const ofArchive: Pick<Row, 'ids'> = { ids: ({ ids }) => ({ importid: ids['archiveImport'] ?? 0 }) };

export const omanualRows: RowsOf<typeof omanual> = {
  list: { expect: { any: everybody(200) } },
  download: { expect: { any: everybody(404) }, ids: () => ({ name: 'nothing' }) },
  listMade: { expect: { any: signedIn(200) } },
  make: {
    expect: { any: '401 202 202 202 202 202 403' },
    body: ({ world }: { world: { publicGuide: number } }) => ({
      guideids: [world.publicGuide],
      media: 'links',
    }),
  },
  readMade: { expect: made(200) },
  downloadMade: { expect: made(200) },
  removeMade: {
    expect: made(204),
    fresh: async ({ world, role }) => ({ ids: { archiveid: await addArchive(world, role) } }),
  },
  listImports: { expect: { any: signedIn(200) } },
  createImport: { expect: { any: authors(201) }, body: { size: 10 } },
  readImport: { expect: imports(200), ...ofArchive },
  uploadPart: { expect: imports(422), ...ofArchive },
  runImport: { expect: { ...imports(422), own: '- 403 422 422 422 403 404' }, ...ofArchive },
  cancelImport: { expect: imports(422), ...ofArchive },
  undoImport: { expect: imports(422), ...ofArchive },
};

export const omanualVariantRows: RowsOf<typeof omanualVariant> = {
  guides: { expect: { any: everybody(200) } },
  guide: { expect: guideRead(200) },
  categories: { expect: { any: everybody(200) } },
  category: { expect: { any: everybody(200) } },
};
