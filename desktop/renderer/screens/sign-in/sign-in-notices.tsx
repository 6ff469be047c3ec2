import { DamageNotice, LossNotice } from '../shell/storage-notices.tsx';
import { WaitingElsewhereList } from '../sync/waiting-elsewhere.tsx';

/** What the sign-in reports of the work on this device. */
export function SignInNotices() {
  return (
    <>
      <LossNotice />
      <DamageNotice />
      <WaitingElsewhereList />
    </>
  );
}
