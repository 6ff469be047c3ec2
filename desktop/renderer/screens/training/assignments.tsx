import { useCallback, useState } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import type { Directory } from '#desktop/engine/api/page-records.ts';
import type { Course, CourseAssignment, CourseProgress } from '#shared/model/course.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { courseText } from '#desktop/renderer/text/en/courses.ts';
import { formatDay } from '#desktop/renderer/text/format.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { useServerValue } from '../site/use-server-value.ts';
import { FromServer } from './from-server.tsx';
import styles from './training.module.css';

const tones: Record<CourseAssignment['status'], Tone> = {
  open: 'neutral',
  overdue: 'danger',
  complete: 'ok',
};

interface AssignmentData {
  assignments: CourseAssignment[];
  progress: CourseProgress[];
}

/** The people who are assigned to the course, with due dates and progress. */
export function Assignments({ course }: { course: Course }) {
  const { courseid } = course;
  const directory = useLive('directory');
  const read = useCallback(
    async (actions: Actions): Promise<AssignmentData> => {
      const [assignments, progress] = await Promise.all([
        actions.listAssignments(courseid),
        actions.courseCompletions(courseid),
      ]);
      return { assignments, progress };
    },
    [courseid],
  );
  const assigned = useServerValue(read);
  return (
    <>
      <Section title={courseText.assignments}>
        <AssignForm courseid={courseid} directory={directory} onDone={assigned.reload} />
        <FromServer from={assigned}>
          {({ assignments }) =>
            assignments.length === 0 ? (
              <Note>{courseText.nobody}</Note>
            ) : (
              <RowList>
                {assignments.map((one) => (
                  <Assignment
                    key={one.course_assignmentid}
                    assignment={one}
                    directory={directory}
                    onDone={assigned.reload}
                  />
                ))}
              </RowList>
            )
          }
        </FromServer>
      </Section>
      {assigned.value !== null && assigned.value.progress.length > 0 && (
        <Section title={courseText.completions}>
          <RowList>
            {assigned.value.progress.map(({ userid, stages, completed_date }) => (
              <ListRow key={userid} end={completed_date !== null && <Completed at={completed_date * 1000} />}>
                <RowTitle>{nameOf(directory, { userid, teamid: null })}</RowTitle>
                <Note>{courseText.progress(stages.length, course.stages.length)}</Note>
              </ListRow>
            ))}
          </RowList>
        </Section>
      )}
    </>
  );
}

function Completed({ at }: { at: number }) {
  return (
    <Badge tone="ok" look="dot">
      {courseText.completed(formatDay(at))}
    </Badge>
  );
}

function nameOf(
  { people, teams }: Directory,
  { userid, teamid }: { userid: number | null; teamid: number | null },
): string {
  if (teamid !== null)
    return courseText.team(teams.find((one) => one.teamid === teamid)?.name ?? String(teamid));
  return people.find((one) => one.userid === userid)?.name ?? String(userid);
}

interface AssignmentProps {
  assignment: CourseAssignment;
  directory: Directory;
  onDone: () => void;
}

function Assignment({ assignment, directory, onDone }: AssignmentProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const { courseid, course_assignmentid, status, due_date } = assignment;
  return (
    <ListRow
      end={
        <>
          <Badge tone={tones[status]} look="dot">
            {courseText.statuses[status]}
          </Badge>
          <Button
            isPending={busy}
            onPress={() =>
              act(async () => {
                await actions.unassignCourse(courseid, course_assignmentid);
                onDone();
              })
            }
          >
            {courseText.unassign}
          </Button>
        </>
      }
    >
      <RowTitle>{nameOf(directory, assignment)}</RowTitle>
      {due_date !== null && <Note>{courseText.due(formatDay(due_date * 1000))}</Note>}
    </ListRow>
  );
}

function AssignForm({
  courseid,
  directory,
  onDone,
}: {
  courseid: number;
  directory: Directory;
  onDone: () => void;
}) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [whom, setWhom] = useState<string | null>(null);
  const [due, setDue] = useState('');
  const date = due.trim() === '' ? null : Date.parse(`${due.trim()}T23:59:59`);
  const isBad = date !== null && (Number.isNaN(date) || !/^\d{4}-\d{2}-\d{2}$/.test(due.trim()));
  const choices = [
    ...directory.teams.map(({ teamid, name }) => ({ id: `team:${teamid}`, name: courseText.team(name) })),
    ...directory.people.map(({ userid, name }) => ({ id: `user:${userid}`, name })),
  ];
  const give = () =>
    act(async () => {
      if (whom === null) return;
      const [kind, id] = whom.split(':');
      const due_date = date === null ? null : Math.floor(date / 1000);
      await actions.assignCourse(courseid, {
        ...(kind === 'team' ? { teamid: Number(id) } : { userid: Number(id) }),
        due_date,
      });
      actions.syncNow();
      onDone();
    });
  return (
    <div className={classNames(styles, 'tools')}>
      <div className={classNames(styles, 'grow')}>
        <SelectField
          label={courseText.whom}
          choices={choices}
          value={whom}
          onChange={setWhom}
          placeholder={courseText.choose}
        />
      </div>
      <TextField
        label={courseText.dueDate}
        placeholder={courseText.dueHint}
        value={due}
        onChange={setDue}
        error={isBad ? courseText.badDate : undefined}
      />
      <Button tone="primary" onPress={give} isPending={busy} isDisabled={whom === null || isBad}>
        {courseText.assign}
      </Button>
    </div>
  );
}
