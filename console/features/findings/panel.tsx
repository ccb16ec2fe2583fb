import type { FindingStatus } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';
import { useMay } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { useMediaQuery } from '../../ui/hooks.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconArrowsDiagonal, IconChevronDown, IconChevronLeft, IconChevronUp, IconX } from '../../ui/icons.ts';
import { Load } from '../../ui/states.tsx';
import { PanelActions, RequestActions } from './actions.tsx';
import { linkOf } from './copies.ts';
import { CopyMenu } from './copy-menu.tsx';
import { Detail } from './detail.tsx';
import classes from './panel.module.css';
import { findingQuery } from './queries.ts';
import type { Revert } from './timeline.tsx';
import type { TriageAction } from './use-triage.tsx';

const widthKey = 'assay.panelWidth';
const minWidth = 360;
const defaultWidth = 424;
const clamp = (width: number) => Math.round(Math.min(Math.max(width, minWidth), window.innerWidth * 0.7));

function useWidth(): [number, (width: number) => void] {
  const [width, setWidth] = useState(() => Number(localStorage.getItem(widthKey)) || defaultWidth);
  return [
    width,
    (next) => {
      setWidth(clamp(next));
      localStorage.setItem(widthKey, String(clamp(next)));
    },
  ];
}

/** The edge that resizes the panel by dragging or with the arrow keys. */
function Handle({ width, onResize }: { width: number; onResize: (width: number) => void }) {
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const { currentTarget } = event;
    currentTarget.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => onResize(window.innerWidth - moved.clientX);
    currentTarget.addEventListener('pointermove', move);
    currentTarget.addEventListener('pointerup', () => currentTarget.removeEventListener('pointermove', move), {
      once: true,
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? 32 : event.key === 'ArrowRight' ? -32 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onResize(width + step);
  };
  return (
    <div
      role="separator"
      aria-label="Width of the panel"
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={minWidth}
      aria-valuemax={2000}
      tabIndex={0}
      className={classes.handle}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}

/** The distance in pixels by which pulling a sheet down closes it. */
const closesAfter = 120;

/**
 * On a phone the panel is a sheet: it follows a finger that pulls its bar down, and closes if it is released far enough
 * down.
 */
function usePull(sheet: RefObject<HTMLElement | null>, isOn: boolean, onClose: () => void) {
  const from = useRef<number | null>(null);
  const still = useMediaQuery('(prefers-reduced-motion: reduce)') ?? false;
  if (!isOn || still) return {};
  const put = (y: number) => sheet.current?.style.setProperty('translate', `0 ${Math.max(0, y)}px`);
  const end = (event: PointerEvent, closes: boolean) => {
    if (from.current === null) return;
    const y = event.clientY - from.current;
    from.current = null;
    if (closes && y > closesAfter) onClose();
    else put(0);
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType !== 'mouse' && event.isPrimary) from.current = event.clientY;
    },
    onPointerMove: (event: PointerEvent) => {
      if (from.current === null) return;
      const y = event.clientY - from.current;
      if (y > 12 && !event.currentTarget.hasPointerCapture(event.pointerId))
        event.currentTarget.setPointerCapture(event.pointerId);
      put(y);
    },
    onPointerUp: (event: PointerEvent) => end(event, true),
    onPointerCancel: (event: PointerEvent) => end(event, false),
  };
}

type PanelProps = {
  id: string;
  onClose: () => void;
  onMove: (step: number) => void;
  /** Absent for people without write permission. */
  onAction: ((action: TriageAction) => void) | undefined;
  onRevert: Revert | undefined;
};

/** The finding beside the list. It does not receive the focus, so that the list's keys keep working. */
/** Shows the steps that the person's role allows. */
function Actions(props: { status: FindingStatus; onAction: (action: TriageAction) => void }) {
  const mayWork = useMay('findings:comment');
  return useMay('findings:write') ? <PanelActions {...props} /> : <RequestActions {...props} mayWork={mayWork} />;
}

export function Panel({ id, onClose, onMove, onAction, onRevert }: PanelProps) {
  const query = useQuery(findingQuery(id));
  const [width, setWidth] = useWidth();
  const narrow = useMediaQuery('(max-width: 599px)') ?? false;
  const size = narrow ? 44 : 28;
  const sheet = useRef<HTMLElement>(null);
  const pull = usePull(sheet, narrow, onClose);
  return (
    <aside
      ref={sheet}
      aria-label="Finding"
      data-sheet={narrow || undefined}
      className={classes.panel}
      style={{ '--panel-width': `${width}px` } as React.CSSProperties}
    >
      <Handle width={width} onResize={setWidth} />
      <div className={classes.content}>
        <div className={classes.bar} {...pull}>
          {narrow && <IconButton label="Back to the list" icon={IconChevronLeft} size={44} onClick={onClose} />}
          <span className={classes.id}>{query.data?.number}</span>
          <IconButton label="Previous finding" hint="k" icon={IconChevronUp} size={size} onClick={() => onMove(-1)} />
          <IconButton label="Next finding" hint="j" icon={IconChevronDown} size={size} onClick={() => onMove(1)} />
          <span className={classes.copy}>
            <CopyIcon text={linkOf({ id })} label="Copy a link to this finding" />
          </span>
          <Link
            to={`${paths.findings}/$id`}
            params={{ id }}
            className={classes.open}
            aria-label="Open page"
            title="Open page (Enter)"
          >
            <IconArrowsDiagonal size={18} stroke={1.5} aria-hidden />
          </Link>
          {query.data && <CopyMenu finding={query.data} />}
          {!narrow && <IconButton label="Close" hint="Esc" icon={IconX} size={28} onClick={onClose} />}
        </div>
        <Load query={query} rows={10}>
          {(finding) => <Detail finding={finding} onRevert={onRevert} />}
        </Load>
        {onAction && query.data && <Actions status={query.data.status} onAction={onAction} />}
      </div>
    </aside>
  );
}
