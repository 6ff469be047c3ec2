import { Copy } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Row, Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';

import styles from '../settings/settings-screen.module.css';

/** The addresses to register at the identity provider. `address`: the server's address as typed in the form. */
export function SignOnAddresses({ address }: { address: string }) {
  const origin = URL.canParse(address.trim()) ? new URL(address.trim()).origin : null;
  return (
    <Stack gap="s">
      <h3>{text.site.tellProvider}</h3>
      {origin === null ? (
        <Notice tone="warn" title={text.site.needAddress} />
      ) : (
        <>
          <CopyableValue what={text.site.metadataAddress} words={`${origin}/api/2.0/sign_on/metadata`} />
          <CopyableValue what={text.site.consumerAddress} words={`${origin}/api/2.0/sign_on/assertions`} />
        </>
      )}
    </Stack>
  );
}

function CopyableValue({ what, words }: { what: string; words: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(words);
      showToast(text.site.copied);
    } catch {
      // Pages of an insecure origin have no clipboard.
      showToast(text.site.notCopied, 'danger');
    }
  };
  return (
    <div>
      <p className={classNames(styles, 'facts')}>{what}</p>
      <Row wrap={false}>
        <code className={classNames(styles, 'address')}>{words}</code>
        <IconButton label={text.site.copy(what)} icon={<Copy />} onPress={() => void copy()} />
      </Row>
    </div>
  );
}
