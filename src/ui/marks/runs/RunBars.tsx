/** Runs side by side, the newest on the right: what rows of checks and of groups of them share. */
import { Suspense, useState, type PointerEvent } from 'react';
import { RECENT_RUNS } from '../../../domain/check/run-text.ts';
import { LazyPanel } from '../../overlays/Popover.tsx';
import classes from './RunBars.module.css';

/** In units of the picture: each run has a slot; a failed one is more than twice as high as one that passed. */
const SLOT = 4;
const BAR = 3;
const HEIGHT = 15;
const PASSED = 6;
const EMPTY = 1;
/** Between what passed and what failed of one slot; what failed has at least `LEAST` then. */
const GAP = 1;
const LEAST = 3;

interface Piece {
  at: number;
  height: number;
  /** How high above the ground it begins. */
  above: number;
}

/** One path for all pieces of one look: a row costs three elements, not thirty. */
function pathOf(pieces: readonly Piece[]): string {
  return pieces
    .map(({ at, height, above }) => `M${at * SLOT} ${HEIGHT - above - height}h${BAR}v${height}h-${BAR}z`)
    .join('');
}

/** Of what is told in one slot, the share that failed stands above the rest. */
function failedPiece(at: number, share: number): Piece {
  if (share === 1) return { at, height: HEIGHT, above: 0 };
  const room = HEIGHT - PASSED - GAP;
  return { at, height: Math.round(LEAST + share * (room - LEAST)), above: PASSED + GAP };
}

function Picture({ shares, lead }: { shares: readonly number[]; lead: number }) {
  const empty = Array.from({ length: lead }, (_, at): Piece => ({ at, height: EMPTY, above: 0 }));
  const passed = shares.flatMap((share, at): Piece[] =>
    share < 1 ? [{ at: lead + at, height: PASSED, above: 0 }] : [],
  );
  const failed = shares.flatMap((share, at) => (share > 0 ? [failedPiece(lead + at, share)] : []));
  return (
    <svg
      className={classes.picture}
      viewBox={`0 0 ${RECENT_RUNS * SLOT - 1} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {lead > 0 && <path className={classes.empty} d={pathOf(empty)} />}
      <path className={classes.passed} d={pathOf(passed)} />
      <path className={classes.failed} d={pathOf(failed)} />
    </svg>
  );
}

interface RunBarsProps {
  /** Of each run, the oldest first: what share of it failed, 0 to 1. */
  shares: readonly number[];
  label: string;
  /** What is said of the run at that place of `shares`. */
  textOf: (at: number) => string;
}

/** The mouse or a finger on a bar says what it was and when. */
export function RunBars({ shares, label, textOf }: RunBarsProps) {
  const [shown, setShown] = useState<{ anchor: HTMLElement; at: number } | null>(null);
  const lead = RECENT_RUNS - shares.length;
  const show = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = Math.floor(((clientX - left) / width) * RECENT_RUNS) - lead;
    setShown(at in shares ? { anchor: currentTarget, at } : null);
  };
  const hide = () => setShown(null);
  return (
    <span
      className={classes.root}
      role="img"
      aria-label={label}
      data-runs={shares.length}
      onPointerMove={show}
      onPointerDown={show}
      onPointerLeave={({ pointerType }) => {
        if (pointerType === 'mouse') hide();
      }}
      onClick={(event) => {
        // A finger that asks for a time does not open the row as well.
        if (event.nativeEvent instanceof window.PointerEvent && event.nativeEvent.pointerType === 'touch')
          event.stopPropagation();
      }}
    >
      <Picture shares={shares} lead={lead} />
      {shown !== null && shown.at in shares && (
        <Suspense fallback={null}>
          <LazyPanel kind="tooltip" anchor={shown.anchor} takesFocus={false} onClose={hide}>
            <span className={classes.tip}>{textOf(shown.at)}</span>
          </LazyPanel>
        </Suspense>
      )}
    </span>
  );
}
