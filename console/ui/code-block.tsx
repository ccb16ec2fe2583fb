import classes from './code-block.module.css';

type CodeBlockProps = {
  text: string;
  /** Whether a long text scrolls within the block. */
  bounded?: boolean;
  testId?: string;
};

/** Code, a command or a link in a box, with its line breaks. */
export function CodeBlock({ text, bounded = false, testId }: CodeBlockProps) {
  if (!bounded) {
    return (
      <pre className={classes.block} data-testid={testId}>
        {text}
      </pre>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, by keyboard too
    <pre className={`${classes.block} ${classes.bounded}`} data-testid={testId} tabIndex={0}>
      {text}
    </pre>
  );
}
