/** Lines by the values of a label: how many each has, and one of them alone. */
import { memo } from 'react';
import type { LogFrame } from '../../contract/logs/log-view.ts';
import { formatCount } from '../../domain/format-count.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import classes from './logs.module.css';
import { messages } from './messages.ts';
import type { Narrow, Narrowing } from './use-narrowing.ts';

interface GroupFilterProps extends Pick<LogFrame, 'labelNames' | 'groups' | 'groupCount'> {
  narrowing: Narrowing;
  narrow: Narrow;
}

/** See the head of this file. Drawn anew only when it says something else. */
export const GroupFilter = memo(function GroupFilter({ narrowing, narrow, ...frame }: GroupFilterProps) {
  const { groupBy, group } = narrowing;
  const names = [...new Set([...frame.labelNames, ...(groupBy === null ? [] : [groupBy])])];
  if (names.length === 0) return null;
  const isListed = group === null || frame.groups.some(({ value }) => value === group);
  const groups = groupBy === null ? [] : [...frame.groups, ...(isListed ? [] : [{ value: group, count: 0 }])];
  return (
    <div className={classes.groups} role="group" aria-label={messages.groups}>
      <SelectField
        label={messages.groupBy}
        value={groupBy ?? ''}
        options={[{ value: '', label: messages.none }, ...names.map((value) => ({ value, label: value }))]}
        onChange={(value) => narrow({ groupBy: value === '' ? null : value, group: null })}
      />
      {groups.map(({ value, count }) => (
        <Button
          key={value}
          look="quiet"
          isPressed={value === group}
          onClick={() => narrow({ group: value === group ? null : value })}
        >
          <span className={classes.group}>{value === '' ? messages.withoutLabel : value}</span>{' '}
          {formatCount(count)}
        </Button>
      ))}
      {frame.groupCount > frame.groups.length && (
        <span>{messages.moreGroups(frame.groupCount - frame.groups.length)}</span>
      )}
    </div>
  );
});
