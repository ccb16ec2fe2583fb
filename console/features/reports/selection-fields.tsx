import { useState } from 'react';
import { serverNow } from '../../api/clock.ts';
import { FilterBox } from '../../filters/filter-box.tsx';
import { FilterChips } from '../../filters/filter-chips.tsx';
import type { Filters } from '../../filters/filters.ts';
import { nameIn, useGrammar } from '../../filters/use-grammar.ts';
import { Failure } from '../../ui/states.tsx';
import { plural } from '../findings/words.ts';
import { useCount } from './queries.ts';
import classes from './reports.module.css';

type FieldsProps = { filters: Filters; onChange: (filters: Filters) => void };

function Count({ filters, now }: { filters: Filters; now: number }) {
  const { data, error, isPlaceholderData } = useCount(filters, now);
  if (error) return <Failure error={error} />;
  return (
    <p className={classes.count} role="status" aria-busy={isPlaceholderData}>
      {data ? plural(data.total, 'finding') : 'Counting …'}
    </p>
  );
}

/** Selects the findings that a report covers, and shows their current number. */
export function SelectionFields({ filters, onChange }: FieldsProps) {
  const [isTyping, setTyping] = useState(false);
  const [now] = useState(serverNow);
  const grammar = useGrammar(filters, isTyping);
  return (
    <fieldset className={classes.selection}>
      <legend>Findings</legend>
      <FilterBox
        label="Findings in the report"
        filters={filters}
        onChange={onChange}
        grammar={grammar}
        onOpen={setTyping}
        now={now}
      />
      <FilterChips filters={filters} nameOf={nameIn(grammar)} onChange={onChange} />
      <Count filters={filters} now={now} />
    </fieldset>
  );
}
