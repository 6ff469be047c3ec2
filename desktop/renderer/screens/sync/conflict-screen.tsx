import { CloudCheck } from 'lucide-react';

import type { GuideConflictView, TextSpan } from '#desktop/engine/views/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Grid, Stack } from '#desktop/renderer/ui/layout.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { Page } from '../shell/page.tsx';

/** Which words? */
export function ConflictScreen({ guideid }: { guideid: string }) {
  const found = useLive('conflict', guideid);
  if (found === null || found.conflicts.length === 0) {
    return (
      <Page title={text.sync.noConflict} hideTitle>
        <EmptyState icon={<CloudCheck />} title={text.sync.noConflict}>
          {text.sync.noConflictHint}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title={text.sync.conflictTitle(found.title)}>
      <Stack>
        {found.conflicts.map((conflict) => (
          <Conflict
            key={conflict.conflictid}
            guideid={guideid}
            conflict={conflict}
            theirName={found.theirName}
          />
        ))}
      </Stack>
    </Page>
  );
}

interface ConflictProps {
  guideid: string;
  conflict: GuideConflictView;
  theirName: string;
}

function wordsOf(spans: readonly TextSpan[]): string {
  return spans.length === 0 ? text.sync.deleted : spans.map((span) => span.text).join('');
}

function Conflict({ guideid, conflict, theirName }: ConflictProps) {
  const actions = useActions();
  const { act } = useAct();
  const take = (side: 'mine' | 'theirs') =>
    act(() => actions.resolveConflict(guideid, conflict.conflictid, { take: side }));
  return (
    <Grid columns="wide">
      <Card>
        <Stack align="start">
          <h2>{text.sync.yours}</h2>
          <p>{wordsOf(conflict.mine)}</p>
          <Button onPress={() => take('mine')}>{text.sync.takeMine}</Button>
        </Stack>
      </Card>
      <Card>
        <Stack align="start">
          <h2>{text.sync.theirs(theirName)}</h2>
          <p>{wordsOf(conflict.theirs)}</p>
          <Button onPress={() => take('theirs')}>{text.sync.takeTheirs(theirName)}</Button>
        </Stack>
      </Card>
    </Grid>
  );
}
