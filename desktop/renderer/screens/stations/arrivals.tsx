import { useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { stationAdminText } from '#desktop/renderer/text/en/station-admin.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import type { StationArrival } from '#shared/model/station.ts';

import { actionWords, recordWords } from '../site/audit-words.ts';

/** What arrived from a station in the name of its people, loaded on request. */
export function Arrivals({ stationid }: { stationid: number }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [loaded, setLoaded] = useState<StationArrival[] | null>(null);
  const [isEnd, setEnd] = useState(false);
  const more = () =>
    act(async () => {
      const next = await actions.stationArrivals(stationid, loaded?.length ?? 0);
      setLoaded([...(loaded ?? []), ...next]);
      setEnd(next.length === 0 || next.length % 200 !== 0);
    });
  return (
    <SectionCard title={stationAdminText.arrivals}>
      <Note>{stationAdminText.arrivalsHint}</Note>
      {loaded?.length === 0 && <p>{stationAdminText.noArrivals}</p>}
      <RowList>
        {(loaded ?? []).map((one) => (
          <ListRow key={one.arrivalid}>
            <RowTitle>{`${one.username}: ${actionWords(one.action)}`}</RowTitle>
            <Note>
              {[
                recordWords(one),
                formatDate(one.date * 1000),
                stationAdminText.recorded(formatDate(one.recorded_date * 1000)),
              ].join(' · ')}
            </Note>
          </ListRow>
        ))}
      </RowList>
      {!isEnd && (
        <div>
          <Button onPress={more} isPending={busy}>
            {loaded === null ? stationAdminText.showArrivals : stationAdminText.moreArrivals}
          </Button>
        </div>
      )}
    </SectionCard>
  );
}
