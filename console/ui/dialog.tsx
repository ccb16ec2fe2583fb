import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog.module.css';

type DialogProps = { title: string; onClose: () => void; children: ReactNode; size?: 'sm' | 'md' | 'lg' | 'xl' };

/** A dialog in front of the page. It is mounted only while it is open; Escape and the button close it. */
export function Dialog({ title, onClose, children, size = 'md' }: DialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      classNames={{ title: classes.title ?? '', body: classes.body ?? '' }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  );
}
