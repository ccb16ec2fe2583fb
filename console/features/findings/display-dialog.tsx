import { useState } from 'react';
import { savePreferences, usePreferences } from '../../api/preferences.ts';
import { ColumnList } from '../../list/column-list.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { showError } from '../../ui/toasts.tsx';
import { orderedColumns, usualColumns } from './columns.tsx';
import { densities, densityOf, saveDensity } from './density.ts';
import type { RowDensity } from './table.tsx';

/**
 * The columns of the list, their order and the row height, stored for the person on all devices. `roomy`: whether all
 * default columns fit.
 */
export default function DisplayDialog({ roomy, onClose }: { roomy: boolean; onClose: () => void }) {
  const preferences = usePreferences();
  const [chosen, setChosen] = useState(() => preferences.columns ?? usualColumns(roomy));
  const [resets, setResets] = useState(0);
  const save = (columns: string[] | null) => {
    setChosen(columns ?? usualColumns(roomy));
    savePreferences({ columns }).catch(showError);
  };
  return (
    <Dialog title="Rows and columns" onClose={onClose}>
      <Choice
        label="Rows"
        value={densityOf(preferences)}
        onChange={(value) => saveDensity(preferences, value as RowDensity)}
        options={densities}
      />
      <ColumnList key={resets} columns={orderedColumns(chosen)} chosen={chosen} onChange={save} />
      <Button
        kind="quiet"
        onClick={() => {
          save(null);
          setResets(resets + 1);
        }}
      >
        Default columns
      </Button>
    </Dialog>
  );
}
