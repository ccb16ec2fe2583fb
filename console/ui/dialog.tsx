import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import classes from './dialog.module.css';

type DialogProps = {
  title: string;
  onClose: () => void;
  children: ReactNode;
  size?: 'sm' | 'md' | 'lg' | 'xl';
  /** Without a heading and margins: its content has both. The title is its name. */
  bare?: boolean;
  /** On a phone, as high as the screen: its heading stays where it is while its content loads. */
  tall?: boolean;
};

const field = ':is(input, select, textarea):not(:disabled, [type="hidden"], [type="file"])';

/** Moves the focus to the first field of a dialog, even if the field appears only after data has loaded. */
function startInFirstField(content: HTMLElement | null) {
  if (!content) return;
  const find = () =>
    content.querySelector<HTMLElement>('[data-autofocus]') ?? content.querySelector<HTMLElement>(field);
  const first = find();
  // The dialog focuses it when it opens.
  first?.setAttribute('data-autofocus', 'true');
  const observer = new MutationObserver(() => {
    const later = find();
    if (!later) return;
    observer.disconnect();
    if (!content.contains(document.activeElement)) later.focus();
  });
  if (!first) observer.observe(content, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** Returns the focus to its element before the dialog, or to the page's list if that element is gone. */
function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (document.activeElement !== document.body && document.activeElement !== null) return;
      const isGone = !(before instanceof HTMLElement) || !before.isConnected || before === document.body;
      const target = isGone ? document.querySelector<HTMLElement>('[data-focus-home]') : before;
      target?.focus({ preventScroll: true });
    },
    [before],
  );
}

/** A modal dialog. It is mounted only while open; Escape and the button close it. */
export function Dialog({ title, onClose, children, size = 'md', bare = false, tall = false }: DialogProps) {
  useFocusReturn();
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      {...(bare && { withCloseButton: false, padding: 0 })}
      size={bare ? 680 : size}
      classNames={{
        title: classes.title ?? '',
        header: (bare && classes.unseen) || '',
        body: classes.body ?? '',
        inner: classes.inner ?? '',
        content: (tall ? `${classes.content} ${classes.tall}` : classes.content) ?? '',
        overlay: classes.overlay ?? '',
      }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div ref={startInFirstField}>{children}</div>
    </Modal>
  );
}
