import { useState } from 'react';
import { IconCheck, IconCopy } from '../ui/icons.ts';
import { Button, type Icon } from './button.tsx';
import { IconButton } from './icon-button.tsx';

function useCopy(text: string): [boolean, () => void] {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    });
  };
  return [copied, copy];
}

/** Copies a text to the clipboard and confirms it. */
export function CopyIcon({ text, label = 'Copy', icon = IconCopy }: { text: string; label?: string; icon?: Icon }) {
  const [copied, copy] = useCopy(text);
  return <IconButton label={copied ? 'Copied' : label} icon={copied ? IconCheck : icon} size={28} onClick={copy} />;
}

type CopyButtonProps = { text: string; label?: string; autoFocus?: boolean };

export function CopyButton({ text, label = 'Copy', autoFocus = false }: CopyButtonProps) {
  const [copied, copy] = useCopy(text);
  return (
    <Button icon={copied ? IconCheck : IconCopy} onClick={copy} {...(autoFocus && { 'data-autofocus': true })}>
      {copied ? 'Copied' : label}
    </Button>
  );
}
