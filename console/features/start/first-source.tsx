import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { IconPlayerPlay } from '../../ui/icons.ts';
import { Failure, Note } from '../../ui/states.tsx';
import { suggestionsQuery, useBeginWithFile, useBeginWithRepository, useBeginWithSuggestion } from './queries.ts';
import classes from './start.module.css';

function Sample() {
  const { data } = useQuery(suggestionsQuery);
  const begin = useBeginWithSuggestion();
  const [suggestion] = data ?? [];
  if (!suggestion) return null;
  return (
    <div className={`${classes.way} ${classes.first}`}>
      <h3>Try it out</h3>
      <p className={classes.grow}>{suggestion.description} It works without a network.</p>
      {begin.error && <Failure error={begin.error} />}
      <div>
        <Button
          kind="primary"
          icon={IconPlayerPlay}
          loading={begin.isPending || begin.isSuccess}
          onClick={() => begin.mutate(suggestion)}
        >
          Scan the sample repository
        </Button>
      </div>
    </div>
  );
}

function Repository() {
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const begin = useBeginWithRepository();
  return (
    <div className={classes.way}>
      <h3>Your git repository</h3>
      <Form
        submit="Add and scan"
        loading={begin.isPending || begin.isSuccess}
        error={begin.error}
        disabledReason={url.trim() === '' ? 'Fill in the URL.' : null}
        onSubmit={() => begin.mutate({ url, token })}
      >
        <TextField
          label="URL"
          placeholder="https://github.com/you/project.git"
          value={url}
          onChange={setUrl}
          field="config.url"
        />
        <PasswordField
          label="Access token"
          description="Only for a private one. Stored encrypted."
          autoComplete="off"
          value={token}
          onChange={setToken}
        />
      </Form>
    </div>
  );
}

function ResultFile() {
  const begin = useBeginWithFile();
  return (
    <div className={classes.way}>
      <h3>Results you have</h3>
      <DropZone
        what="a result file"
        hint="Of Trivy, Semgrep, ZAP and over 40 more tools; SARIF; SBOMs."
        onFile={begin.mutate}
      />
      {begin.isPending && <Note>The file is being sent.</Note>}
      {begin.error && <Failure error={begin.error} />}
    </div>
  );
}

/** Three ways to have something to look at. */
export function FirstSource() {
  return (
    <div className={classes.ways}>
      <Sample />
      <Repository />
      <ResultFile />
    </div>
  );
}
