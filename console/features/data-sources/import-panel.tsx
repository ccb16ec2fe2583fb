import { APIStatusError, type Scan } from '@assay/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { Checkbox, Select } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Failure, Note } from '../../ui/states.tsx';
import { ScanStatusMark } from '../scans/marks.tsx';
import { ScanMessages } from '../scans/messages.tsx';
import { isRunning, scanQuery } from '../scans/queries.ts';
import { outcomeOf } from '../scans/words.ts';
import classes from './data-sources.module.css';
import { PreviewNote } from './import-preview.tsx';
import { formatOptions, type ImportFormat, sizeOf } from './import-words.ts';

type Choice = { format: ImportFormat | ''; closeMissing: boolean };

const paramsOf = ({ format, closeMissing }: Choice) => ({
  ...(format !== '' && { format }),
  ...(closeMissing && { close_missing: true }),
});

/** Large files may take an hour, as on the server. */
const uploadMs = 3_600_000;

/** The scan that merges a file, until it ends and after. */
function ImportProgress({ id, onAgain }: { id: string; onAgain: () => void }) {
  const { data: scan, error, refetch } = useQuery(scanQuery(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!scan) return null;
  return (
    <div className={classes.stack} role="status">
      <div>
        <ScanStatusMark status={scan.status} />{' '}
        {isRunning(scan) ? 'The results are being merged.' : outcomeOf(scan.findings)}
      </div>
      <ScanMessages scan={scan} />
      {!isRunning(scan) && (
        <div className={classes.actions}>
          <Link to={paths.findings} search={{ data_source: scan.data_sources?.[0] ?? '', source: scan.source }}>
            Go through its findings
          </Link>
          <Button onClick={onAgain}>Import another file</Button>
        </div>
      )}
    </div>
  );
}

type ImportProps = { dataSourceId: string; onStarted?: (scan: Scan) => void };

/** Accepts a result file, shows what its import would do, and imports it. */
export function ImportPanel({ dataSourceId, onStarted }: ImportProps) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [choice, setChoice] = useState<Choice>({ format: '', closeMissing: false });
  const send = useMutation({
    mutationFn: async (): Promise<Scan> =>
      assay.imports.upload(dataSourceId, file!, paramsOf(choice), { timeoutMs: uploadMs, maxRetries: 0 }),
    onSuccess: (scan) => {
      for (const key of ['scans', 'data-sources', 'findings']) void client.invalidateQueries({ queryKey: [key] });
      onStarted?.(scan);
    },
  });
  const begin = (next: File | null) => {
    setFile(next);
    setChoice({ format: '', closeMissing: false });
    send.reset();
  };
  if (send.data) return <ImportProgress id={send.data.id} onAgain={() => begin(null)} />;
  if (!file) {
    return (
      <DropZone
        what="a result file"
        hint="SARIF, CycloneDX, SPDX, and the files of more than 40 scanners. It may be compressed with gzip."
        onFile={begin}
      />
    );
  }
  const isUnrecognised = send.error instanceof APIStatusError && send.error.status === 400;
  return (
    <Form
      submit="Import"
      loading={send.isPending}
      error={send.error}
      onSubmit={() => send.mutate()}
      onCancel={() => begin(null)}
    >
      <Note>
        <b>{file.name}</b>, {sizeOf(file.size)}
      </Note>
      <Select
        label="Format"
        searchable
        value={choice.format}
        onChange={(format) => setChoice({ ...choice, format: format as Choice['format'] })}
        options={formatOptions}
        description={isUnrecognised ? 'Choose the tool that wrote the file, if it was not recognised.' : undefined}
      />
      <Checkbox
        label="Close what the file no longer reports"
        description="Findings of the same tool in this data source that are not in the file become resolved. Leave it off for a partial scan."
        checked={choice.closeMissing}
        onChange={(closeMissing) => setChoice({ ...choice, closeMissing })}
      />
      {!send.error && <PreviewNote dataSourceId={dataSourceId} file={file} {...choice} />}
    </Form>
  );
}
