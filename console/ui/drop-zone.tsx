import { type DragEvent, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import classes from './drop-zone.module.css';
import { IconUpload } from './icons.ts';

type DropZoneProps = {
  /** The kind of file that may be dropped: "a result file". */
  what: string;
  hint?: string;
  onFile: (file: File) => void;
};

/** Accepts a file that is dropped on it or chosen with its button. */
export function DropZone({ what, hint, onFile }: DropZoneProps) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const onDrag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type !== 'dragleave');
  };
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button does the same
    <div
      className={`${classes.zone} ${over ? classes.over : ''}`}
      onDragEnter={onDrag}
      onDragOver={onDrag}
      onDragLeave={onDrag}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <p>Drop {what} here, or</p>
      <Button icon={IconUpload} onClick={() => input.current?.click()}>
        Choose a file
      </Button>
      <label htmlFor={id} className="visually-hidden">
        Choose {what}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        tabIndex={-1}
        className={classes.input}
        onChange={(event) => {
          take(event.currentTarget.files);
          // Allow choosing the same file again.
          event.currentTarget.value = '';
        }}
      />
      {hint && <p>{hint}</p>}
    </div>
  );
}
