import { useRef, useState } from 'react';
import { useLocation } from 'wouter';

import type { StationProof } from '#desktop/engine/api/station-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { stationText } from '#desktop/renderer/text/en/stations.ts';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';

/** What a try to sign in has come to. `waitUntil`: ms since 1970. */
interface Tried {
  words: string | null;
  waitUntil: number | null;
}

/** Signs people in, and leads them to where they were. One try at a time. */
export function useStationSignIn(): Tried & {
  isBusy: boolean;
  send: (proof: StationProof) => void;
  forget: () => void;
} {
  const actions = useActions();
  const [, navigate] = useLocation();
  const [isBusy, setBusy] = useState(false);
  // Two scans may follow each other before the screen is drawn again.
  const isTrying = useRef(false);
  const [tried, setTried] = useState<Tried>({ words: null, waitUntil: null });
  const send = async (proof: StationProof): Promise<void> => {
    isTrying.current = true;
    setBusy(true);
    setTried({ words: null, waitUntil: null });
    try {
      const answer = await actions.signInAtStation(proof);
      if (answer.result === 'signed-in') return navigate(answer.address ?? '/station', { replace: true });
      const { wrongBadge, wrongPin, ambiguous } = stationText.lock;
      const words = { wrong: 'badge' in proof ? wrongBadge : wrongPin, ambiguous, early: null };
      setTried({ words: words[answer.result], waitUntil: answer.waitUntil });
    } catch (error) {
      setTried({ words: errorMessage(error), waitUntil: null });
    } finally {
      isTrying.current = false;
      setBusy(false);
    }
  };
  return {
    ...tried,
    isBusy,
    send: (proof) => {
      if (!isTrying.current) void send(proof);
    },
    forget: () => setTried({ words: null, waitUntil: null }),
  };
}
