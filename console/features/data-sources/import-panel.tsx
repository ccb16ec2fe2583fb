import { APIStatusError, type ImportPreview, type Scan } from '@assay/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/choice-fields.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Failure, Note, Skeleton } from '../../ui/states.tsx';
import { ScanStatusMark } from '../scans/marks.tsx';
import { ScanMessages } from '../scans/messages.tsx';
import { isRunning, scanQuery } from '../scans/queries.ts';
import { outcomeOf } from '../scans/words.ts';
import classes from './data-sources.module.css';
import { formatOptions, type ImportFormat, sizeOf } from './import-words.ts';

/** The maximum size of a file that is sent twice, for a preview and the import. */
const maxBytes = 20_000_000;

const number = new Intl.NumberFormat('en');
const formatName = (format: string) => formatOptions.find(({ value }) => value === format)?.label ?? format;

function Missing({ missing, incomplete, closes }: Pick<ImportPreview, 'missing' | 'incomplete'> & { closes: boolean }) {
  if (missing.count === 0) return null;
  const one = missing.count === 1;
  if (incomplete.length > 0) return <p>It closes nothing: {incomplete.join(' ')}</p>;
  return (
    <>
      <p>
        {number.format(missing.count)} open {one ? 'finding' : 'findings'} of this data source {one ? 'is' : 'are'} not
        in it and {closes ? (one ? 'becomes resolved' : 'become resolved') : one ? 'stays open' : 'stay open'}:
      </p>
      <ul className={classes.samples} aria-label="Not in the file">
        {missing.samples.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
    </>
  );
}

type PreviewProps = { dataSourceId: string; file: File; format: ImportFormat | ''; closeMissing: boolean };

/** Previews the import of a file; nothing is written for it. */
function PreviewNote({ dataSourceId, file, format, closeMissing }: PreviewProps) {
  const params = { ...(format !== '' && { format }), ...(closeMissing && { close_missing: true }) };
  const isSmall = file.size <= maxBytes;
  const { data: preview, error } = useQuery({
    queryKey: ['import-preview', dataSourceId, file.name, file.size, file.lastModified, params],
    queryFn: ({ signal }) =>
      assay.imports.preview(dataSourceId, file, params, { signal, timeoutMs: 120_000, maxRetries: 0 }),
    enabled: isSmall,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (!isSmall) return null;
  if (error) return <Failure error={error} isInput />;
  if (!preview) return <Skeleton rows={2} shown="Reading the file …" />;
  return (
    <Note>
      <div role="status">
        <p>
          <b>{formatName(preview.format)}</b> with {number.format(preview.results)}{' '}
          {preview.results === 1 ? 'result' : 'results'}. An import gives: {outcomeOf(preview.findings).toLowerCase()}.
        </p>
        <Missing missing={preview.missing} incomplete={preview.incomplete} closes={closeMissing} />
      </div>
    </Note>
  );
}

type Choice = { format: ImportFormat | ''; closeMissing: boolean };

const paramsOf = ({ format, closeMissing }: Choice) => ({
  ...(format !== '' && { format }),
  ...(closeMissing && { close_missing: true }),
});

/** The server's limit too: large files may take an hour. */
const uploadMs = 3_600_000;

/** The scan that merges a file, while it runs and afterwards. */
function ImportProgress({ id, onAgain }: { id: string; onAgain: () => void }) {
  const { data: scan, error, refetch } = useQuery(scanQuery(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!scan) return null;
  return (
    <div className={classes.stack} role="status">
      <div>
        <ScanStatusMark status={scan.status} /> {isRunning(scan) ? 'Merging the results …' : outcomeOf(scan.findings)}
      </div>
      <ScanMessages scan={scan} />
      {!isRunning(scan) && (
        <div className={classes.actions}>
          <Link to={paths.findings} search={{ data_source: scan.data_sources?.[0] ?? '', source: scan.source }}>
            Review its findings
          </Link>
          <Button onClick={onAgain}>Import another file</Button>
        </div>
      )}
    </div>
  );
}

type ImportProps = { dataSourceId: string; onStarted?: (scan: Scan) => void };

/** Accepts a result file, previews its import, and imports it. */
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
        hint="SARIF, CycloneDX, SPDX or a result file of more than 40 scanners, optionally compressed with gzip."
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
        description={isUnrecognised ? 'Choose the tool that wrote the file if it isn’t recognized.' : undefined}
      />
      <Checkbox
        label="Close findings that are not in the file"
        description="Resolves findings of the same tool in this data source that the file does not contain. Leave off for a partial scan."
        checked={choice.closeMissing}
        onChange={(closeMissing) => setChoice({ ...choice, closeMissing })}
      />
      {!send.error && <PreviewNote dataSourceId={dataSourceId} file={file} {...choice} />}
    </Form>
  );
}
