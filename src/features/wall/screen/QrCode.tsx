/** A text as a QR code, drawn as one path: dark on light in every theme, which scanners need. */
import { create } from 'qrcode';
import { useMemo } from 'react';
import classes from './pairing.module.css';

/** Light modules around it, without which scanners don't find it. */
const QUIET = 4;

/** `label` is what it is for, in words. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { modules } = create(text, { errorCorrectionLevel: 'M' });
    const dark = Array.from(modules.data, (isDark, at) => (isDark === 0 ? null : at)).filter(
      (at) => at !== null,
    );
    const squares = dark.map(
      (at) => `M${QUIET + (at % modules.size)} ${QUIET + Math.floor(at / modules.size)}h1v1h-1z`,
    );
    return { size: modules.size + 2 * QUIET, path: squares.join('') };
  }, [text]);
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" shapeRendering="crispEdges" />
    </svg>
  );
}
