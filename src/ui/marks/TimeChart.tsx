/**
 * Durations over time with a mark for each point: circles passed, diamonds failed. Drawn on a canvas by uPlot;
 * what it shows is said in words for those who don't see it. A chunk of its own.
 */
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatClock, formatDuration, formatInstant } from '../../domain/time/format.ts';
import { HealthMark } from './HealthMark.tsx';
import classes from './TimeChart.module.css';

export interface TimePoint {
  timeMs: number;
  /** ms */
  duration: number;
  isPassed: boolean;
}

interface TimeChartProps {
  points: readonly TimePoint[];
  fromMs: number;
  untilMs: number;
  height: number;
  /** Size of its texts, px; marks and labels grow with it. */
  textPx?: number;
  summary: string;
  words: { passed: string; failed: string };
}

const TEXT_PX = 11;
const HALF_DAY_MS = 12 * 3_600_000;
/** Room for `10:42`, and for `Nov 21, 10:42`. */
const SHORT_LABEL_PX = 56;
const LONG_LABEL_PX = 108;
/** Between two durations. */
const LINE_PX = 30;
/** Between the plot and its texts; never less. */
const TEXT_GAP_PX = 5;

const PASS_RADIUS = 2.2;
const FAIL_RADIUS = 5;

interface Colors {
  axis: string;
  grid: string;
  line: string;
  passed: string;
  failed: string;
}

function colorsOf(element: Element): Colors {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    axis: read('--ink-3'),
    grid: read('--line'),
    line: read('--accent'),
    passed: read('--healthy'),
    failed: read('--unhealthy'),
  };
}

interface Mark {
  x: number;
  y: number;
  radius: number;
}

function addDiamond(path: Path2D, { x, y, radius }: Mark): void {
  path.moveTo(x, y - radius);
  path.lineTo(x + radius, y);
  path.lineTo(x, y + radius);
  path.lineTo(x - radius, y);
  path.closePath();
}

function addCircle(path: Path2D, { x, y, radius }: Mark): void {
  path.moveTo(x + radius, y);
  path.arc(x, y, radius, 0, 2 * Math.PI);
}

interface Marks {
  points: readonly TimePoint[];
  colors: Colors;
  textPx: number;
}

function drawMarks(plot: UPlot, { points, colors, textPx }: Marks): void {
  const { ctx } = plot;
  const scale = window.devicePixelRatio * (textPx / TEXT_PX);
  const passed = new Path2D();
  const failed = new Path2D();
  for (const { timeMs, duration, isPassed } of points) {
    const x = plot.valToPos(timeMs / 1000, 'x', true);
    const y = plot.valToPos(duration, 'y', true);
    if (isPassed) addCircle(passed, { x, y, radius: PASS_RADIUS * scale });
    else addDiamond(failed, { x, y, radius: FAIL_RADIUS * scale });
  }
  ctx.save();
  ctx.fillStyle = colors.passed;
  ctx.fill(passed);
  ctx.fillStyle = colors.failed;
  ctx.fill(failed);
  ctx.restore();
}

/** What a plot shows now: it is read at each draw. */
type View = Pick<TimeChartProps, 'points' | 'fromMs' | 'untilMs'>;

interface PlotInput {
  view: { readonly current: View };
  height: number;
  width: number;
  textPx: number;
  colors: Colors;
  onPoint: (at: number | null) => void;
}

const dataOf = (points: readonly TimePoint[]): UPlot.AlignedData => [
  points.map((point) => point.timeMs / 1000),
  points.map((point) => point.duration),
];

function optionsOf({ view, height, width, colors, textPx, onPoint }: PlotInput) {
  const larger = textPx / TEXT_PX;
  // The lowest duration stands half below the plot, so the times begin further down, and half a time stands right of it.
  const belowPx = Math.max(TEXT_GAP_PX, Math.ceil(textPx * 0.75));
  const asidePx = Math.max(8, Math.ceil(textPx * 1.5));
  // Where the plot is narrower than the step, the only tick lies beyond its end.
  const within = (_plot: UPlot, ticks: number[]) =>
    ticks.map((tick) => (tick * 1000 > view.current.untilMs ? null : tick));
  const isLong = () => view.current.untilMs - view.current.fromMs > HALF_DAY_MS;
  const axis = {
    stroke: colors.axis,
    font: `${textPx}px system-ui`,
    grid: { stroke: colors.grid, width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height,
    padding: [Math.max(8, Math.ceil(textPx / 2)), asidePx, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: true, range: () => [view.current.fromMs / 1000, view.current.untilMs / 1000] },
      y: { range: (_plot: UPlot, _min: number, max: number) => [0, Math.max(max, 1) * 1.15] },
    },
    axes: [
      {
        ...axis,
        gap: belowPx,
        grid: { ...axis.grid, filter: within },
        space: () => (isLong() ? LONG_LABEL_PX : SHORT_LABEL_PX) * larger,
        size: belowPx + Math.ceil(textPx * 1.5),
        values: (plot: UPlot, ticks: number[]) =>
          within(plot, ticks).map((tick) =>
            tick === null ? '' : formatClock(tick * 1000, view.current.untilMs),
          ),
      },
      {
        ...axis,
        size: 52 * larger,
        space: LINE_PX * larger,
        values: (_plot: UPlot, ticks: number[]) => ticks.map(formatDuration),
      },
    ],
    series: [{}, { stroke: colors.line, width: 1.25 * larger, alpha: 0.55, points: { show: false } }],
    hooks: {
      draw: [(plot: UPlot) => drawMarks(plot, { points: view.current.points, colors, textPx })],
      setCursor: [(plot: UPlot) => onPoint(plot.cursor.idx ?? null)],
    },
  } satisfies UPlot.Options;
}

/** `summary` is the chart in words; times are ms since 1970. */
export function TimeChart(props: TimeChartProps) {
  const { points, fromMs, untilMs, height, summary, words, textPx = TEXT_PX } = props;
  const canvas = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLSpanElement>(null);
  const scheme = useComputedColorScheme('light');

  const plot = useRef<UPlot | null>(null);
  const view = useRef<View>({ points, fromMs, untilMs });

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    // Written straight to the page: it follows the pointer, and nothing else depends on it.
    const onPoint = (at: number | null) => {
      const point = at === null ? undefined : view.current.points[at];
      if (readout.current === null) return;
      readout.current.textContent =
        point === undefined
          ? ''
          : `${formatInstant(point.timeMs)} · ${formatDuration(point.duration)} · ${point.isPassed ? words.passed : words.failed}`;
    };
    const width = Math.max(200, element.clientWidth);
    const options = optionsOf({ view, height, width, textPx, colors: colorsOf(element), onPoint });
    const drawn = new UPlot(options, dataOf([]), element);
    plot.current = drawn;
    const observer = new ResizeObserver(([entry]) => {
      const now = entry?.contentRect.width ?? width;
      if (now !== drawn.width) drawn.setSize({ width: now, height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [height, textPx, words, scheme]);

  // The plot stays while what it shows changes, on a wall every few seconds. A new one is drawn once, with its data.
  useEffect(() => {
    view.current = { points, fromMs, untilMs };
    plot.current?.setData(dataOf(points));
  }, [points, fromMs, untilMs, height, textPx, words, scheme]);

  return (
    <figure className={classes.root}>
      <figcaption className={classes.readout} style={textPx === TEXT_PX ? undefined : { fontSize: textPx }}>
        <span ref={readout} style={{ marginRight: 'auto' }} />
        <span className={classes.legend}>
          <HealthMark state="healthy" size={Math.round(textPx * 0.82)} /> {words.passed}
        </span>
        <span className={classes.legend}>
          <HealthMark state="unhealthy" size={Math.round(textPx * 0.91)} /> {words.failed}
        </span>
      </figcaption>
      <div ref={canvas} className={classes.canvas} role="img" aria-label={summary} style={{ height }} />
    </figure>
  );
}
