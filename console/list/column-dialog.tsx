import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ColumnList } from './column-list.tsx';

type DialogProps = {
  columns: { id: string; title: string }[];
  chosen: string[];
  onChange: (ids: string[] | null) => void;
  onClose: () => void;
};

/** Chooses the columns of a list and their order. */
export default function ColumnDialog({ columns, chosen, onChange, onClose }: DialogProps) {
  const [resets, setResets] = useState(0);
  return (
    <Dialog title="Columns" onClose={onClose}>
      <ColumnList key={resets} columns={columns} chosen={chosen} onChange={onChange} />
      <Button
        kind="quiet"
        onClick={() => {
          onChange(null);
          setResets(resets + 1);
        }}
      >
        Default columns
      </Button>
    </Dialog>
  );
}
