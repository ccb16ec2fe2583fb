import type { Scan } from '@assay/client';
import { useState } from 'react';
import classes from './scans.module.css';
import { nothingClosed } from './words.ts';

const maxShown = 3;

/** Errors and warnings of a scan, each with its data source, and the consequences for findings there. */
export function ScanMessages({ scan }: { scan: Pick<Scan, 'errors' | 'warnings'> }) {
  const [all, setAll] = useState(false);
  const messages = [
    ...scan.errors.map((entry) => ({ ...entry, isError: true })),
    ...scan.warnings.map((entry) => ({ ...entry, isError: false })),
  ];
  const shown = all ? messages : messages.slice(0, maxShown);
  return (
    <>
      {shown.map(({ data_source_id, data_source_name, message, isError }) => (
        <p
          key={`${data_source_id} ${message}`}
          className={`${classes.message} ${isError ? classes.error : classes.warning}`}
        >
          <b>{data_source_name}</b>: {message} {isError && nothingClosed}
        </p>
      ))}
      {messages.length > shown.length && (
        <p className={classes.message}>
          <button type="button" className="link" onClick={() => setAll(true)}>
            Show {messages.length - shown.length} more
          </button>
        </p>
      )}
    </>
  );
}
