import { FileCheck2 } from 'lucide-react';

import { servingOrigin } from '#desktop/renderer/platform/server-address.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

/** Link to the page of the server that checks archives; nothing without a server, and at a station. */
export function CheckLink() {
  const { server } = useLive('session');
  const isStation = useLive('station') !== null;
  const address = server ?? servingOrigin();
  if (address === null || isStation) return null;
  return (
    <ButtonLink icon={<FileCheck2 aria-hidden="true" />} href={`${address}/omanual/check`} isExternal>
      {text.archives.check}
    </ButtonLink>
  );
}
