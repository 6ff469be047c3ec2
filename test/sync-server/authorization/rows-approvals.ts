import type { approvals } from '#shared/api/approvals.ts';

import { administrators, type Row } from './row.ts';
import type { RowsOf } from './table.ts';

/** All signed-in people except a kiosk. */
const people: Row = { expect: { any: '401 200 200 200 200 200 403' } };

/** People who see the guide, are asked to sign it, or administer the site. */
const request: Row['expect'] = {
  own: '- 200 200 200 200 200 404 200',
  team: '401 200 404 404 200 200 404 200',
  public: '401 200 200 200 200 200 404 200',
  private: '401 404 404 404 200 404 404 200',
};

/** Only the approver named by the stage; administrators are not named. */
const signing: Row['expect'] = {
  own: '- 403 403 403 403 403 404 422',
  team: '401 403 404 404 403 403 404 422',
  public: '401 403 403 403 403 403 404 422',
  private: '401 404 404 404 403 404 404 422',
};

export const approvalRows: RowsOf<typeof approvals> = {
  processes: people,
  searchProcesses: { ...people, ids: () => ({ search_phrase: 'quality' }) },
  process: people,
  createProcess: { expect: { any: administrators(422) } },
  patchProcess: { expect: { any: administrators(422) } },
  setDefault: { expect: { any: administrators(200) } },
  removeDefault: { expect: { any: administrators(204) } },
  requests: people,
  request: { expect: request },
  sign: { expect: signing },
  signWithToken: { expect: signing },
};
