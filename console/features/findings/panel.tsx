import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { paths } from '../../paths.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconChevronDown, IconChevronUp, IconHash, IconX } from '../../ui/icons.ts';
import { Load } from '../../ui/states.tsx';
import { Detail } from './detail.tsx';
import classes from './panel.module.css';
import { findingQuery } from './queries.ts';

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

/** The edge that is dragged, or moved with the arrow keys, to make the panel wider. */
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

type PanelProps = { id: string; onClose: () => void; onMove: (step: number) => void; actions: ReactNode };

/** The finding beside the list. It doesn't take the focus, so that the list's keys keep working. */
export function Panel({ id, onClose, onMove, actions }: PanelProps) {
  const query = useQuery(findingQuery(id));
  const [width, setWidth] = useWidth();
  return (
    <aside
      aria-label="Finding"
      className={classes.panel}
      style={{ '--panel-width': `${width}px` } as React.CSSProperties}
    >
      <Handle width={width} onResize={setWidth} />
      <div className={classes.content}>
        <div className={classes.bar}>
          <span className={classes.id} title={id}>
            {query.data?.number ?? id}
          </span>
          <CopyIcon text={id} label="Copy the id" icon={IconHash} />
          <CopyIcon text={`${location.origin}${paths.findings}/${id}`} label="Copy a link to this finding" />
          <Link to={`${paths.findings}/$id`} params={{ id }}>
            Open page
          </Link>
          <IconButton label="Previous finding" hint="k" icon={IconChevronUp} size={28} onClick={() => onMove(-1)} />
          <IconButton label="Next finding" hint="j" icon={IconChevronDown} size={28} onClick={() => onMove(1)} />
          <IconButton label="Close" hint="Esc" icon={IconX} size={28} onClick={onClose} />
        </div>
        <Load query={query} rows={10}>
          {(finding) => <Detail finding={finding} heading="h2" actions={actions} />}
        </Load>
      </div>
    </aside>
  );
}
