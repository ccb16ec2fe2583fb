import { type PointerEvent, useRef } from 'react';
import { useMediaQuery } from '../../ui/hooks.ts';

type Side = 'right' | 'left';

/** The distance in pixels from which a touch is a swipe, not a tap or a scroll. */
const startsAfter = 12;
/** The time in milliseconds in which a released card returns to its place. */
const backMs = 160;

type Swipe = { row: HTMLElement; x: number; y: number; started: boolean };

function put(row: HTMLElement, x: number): void {
  row.style.setProperty('--swiped', `${x}px`);
  row.dataset.swipe = x < 0 ? 'left' : 'right';
  row.toggleAttribute('data-armed', Math.abs(x) > row.offsetWidth / 2);
}

function putBack(row: HTMLElement): void {
  row.dataset.back = '';
  row.style.setProperty('--swiped', '0px');
  row.removeAttribute('data-armed');
  setTimeout(() => {
    delete row.dataset.back;
    delete row.dataset.swipe;
    row.style.removeProperty('--swiped');
  }, backMs);
}

/**
 * Lets a finger move rows aside: past half the width, `onSwipe` is called with the row's element. Off if the system
 * prefers reduced motion. It moves the elements directly: rendering the list for each move would be too slow.
 */
export function useSwipe(isOn: boolean, onSwipe: (row: HTMLElement, side: Side) => void) {
  const still = useMediaQuery('(prefers-reduced-motion: reduce)') ?? false;
  const swipe = useRef<Swipe | null>(null);
  /** The time at which a swipe ended: the click that follows it is ignored. */
  const endedAt = useRef(Number.NEGATIVE_INFINITY);
  const wasSwiped = (at: number) => at - endedAt.current < 100;
  if (!isOn || still) return { wasSwiped };
  const end = (event: PointerEvent, counts: boolean) => {
    const current = swipe.current;
    swipe.current = null;
    if (!current?.started) return;
    endedAt.current = event.timeStamp;
    const x = event.clientX - current.x;
    putBack(current.row);
    if (counts && Math.abs(x) > current.row.offsetWidth / 2) onSwipe(current.row, x < 0 ? 'left' : 'right');
  };
  return {
    wasSwiped,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        const row = (event.target as HTMLElement).closest<HTMLElement>('[role="row"]');
        if (event.pointerType === 'mouse' || !event.isPrimary || !row) return;
        swipe.current = { row, x: event.clientX, y: event.clientY, started: false };
      },
      onPointerMove: (event: PointerEvent) => {
        const current = swipe.current;
        if (!current || !event.isPrimary) return;
        const x = event.clientX - current.x;
        if (!current.started) {
          if (Math.abs(x) < startsAfter) return;
          if (Math.abs(event.clientY - current.y) > Math.abs(x)) {
            swipe.current = null;
            return;
          }
          current.started = true;
          current.row.setPointerCapture(event.pointerId);
        }
        put(current.row, x);
      },
      onPointerUp: (event: PointerEvent) => end(event, true),
      onPointerCancel: (event: PointerEvent) => end(event, false),
    },
  };
}
