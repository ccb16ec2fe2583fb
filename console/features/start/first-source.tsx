import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button, type Icon } from '../../ui/button.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { IconFileUpload, IconPlayerPlay } from '../../ui/icons.ts';
import { Failure, Note } from '../../ui/states.tsx';
import { suggestionsQuery, useBeginWithFile, useBeginWithRepository, useBeginWithSuggestion } from './queries.ts';
import classes from './start.module.css';

function Repository() {
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const begin = useBeginWithRepository();
  return (
    <Form
      submit="Add and scan"
      loading={begin.isPending || begin.isSuccess}
      error={begin.error}
      disabledReason={url.trim() === '' ? 'Enter the address first.' : null}
      onSubmit={() => begin.mutate({ url, token })}
    >
      <TextField
        label="Address of a git repository"
        placeholder="https://github.com/you/repository"
        value={url}
        onChange={setUrl}
        field="config.url"
        autoFocus
      />
      <details className={classes.private}>
        <summary>The repository is private</summary>
        <PasswordField
          label="Access token"
          description="It is stored encrypted."
          autoComplete="off"
          value={token}
          onChange={setToken}
        />
      </details>
    </Form>
  );
}

type WayProps = { icon: Icon; title: string; text: string; children: ReactNode };

const Way = ({ icon: Of, title, text, children }: WayProps) => (
  <li className={classes.way}>
    <Of size={16} stroke={1.5} aria-hidden />
    <div>
      <h3>{title}</h3>
      <p>{text}</p>
    </div>
    {children}
  </li>
);

function Sample() {
  const { data } = useQuery(suggestionsQuery);
  const begin = useBeginWithSuggestion();
  const [suggestion] = data ?? [];
  if (!suggestion) return null;
  return (
    <Way icon={IconPlayerPlay} title="Try the sample" text={`${suggestion.description} It works without a network.`}>
      <Button loading={begin.isPending || begin.isSuccess} onClick={() => begin.mutate(suggestion)}>
        Scan the sample repository
      </Button>
      {begin.error && <Failure error={begin.error} />}
    </Way>
  );
}

function ResultFile() {
  const begin = useBeginWithFile();
  return (
    <Way
      icon={IconFileUpload}
      title="Existing results"
      text="Of Trivy, Semgrep, ZAP and over 40 more tools; SARIF; SBOMs."
    >
      <DropZone what="a result file" onFile={begin.mutate} />
      {begin.isPending && <Note>Uploading the file …</Note>}
      {begin.error && <Failure error={begin.error} />}
    </Way>
  );
}

/** Three ways to get first findings. */
export const FirstSource = () => (
  <>
    <h2 className={classes.question}>What should Assay scan first?</h2>
    <p className={classes.muted}>
      A repository is enough: its files and its history are searched for secrets, flaws and vulnerable packages. Nothing
      leaves this server.
    </p>
    <div className={classes.repository}>
      <Repository />
    </div>
    <ul className={classes.list}>
      <Sample />
      <ResultFile />
    </ul>
  </>
);
