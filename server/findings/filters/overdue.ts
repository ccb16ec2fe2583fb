import Type from 'typebox';
import { defineFilter } from '../filter.ts';
import { yesNo } from './yes-no-filter.ts';

export const overdue = defineFilter({
  schema: Type.Boolean({ description: 'Whether it should be fixed by now: its due date has passed.' }),
  label: { en: 'Overdue', de: 'Überfällig' },
  control: yesNo,
  keys: ['overdue'],
  read: (is, { now }) => ({ any: { is, at: now } }),
  dependsOnNow: () => true,
  holdsNow: () => true,
  condition: ({ is, at }, parameters) => `f.due_at ${is ? '<' : '>='} ${parameters.add(at)}::timestamptz`,
  column: ({ is, at }) => ({ number: 'dueAt', [is ? 'before' : 'from']: at.getTime() * 1000 }),
  samples: [true, false],
  matches: ({ due_at: due }, { is, at }) => (due !== null && Date.parse(due) < at.getTime()) === is,
});
