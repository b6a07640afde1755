/**
 * A choice that is told once it has settled: the arrow keys walk through the options of a closed list, and each
 * step would be a change of its own. What was chosen when the field goes away is told then: a quick thumb loses nothing.
 */
import { useEffect, useRef, useState } from 'react';
import { SelectField, type SelectOption } from './SelectField.tsx';

interface SettledSelectProps {
  label: string;
  value: string;
  options: readonly SelectOption[];
  delayMs: number;
  onSettle: (value: string) => void;
  caption?: 'beside' | 'above' | 'hidden';
}

export function SettledSelect({ value, delayMs, onSettle, ...rest }: SettledSelectProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const latest = useRef({ chosen, value, onSettle });
  useEffect(() => {
    latest.current = { chosen, value, onSettle };
  });
  useEffect(() => {
    if (chosen === null) return;
    const timer = setTimeout(() => {
      setChosen(null);
      if (chosen !== latest.current.value) latest.current.onSettle(chosen);
    }, delayMs);
    return () => clearTimeout(timer);
  }, [chosen, delayMs]);
  useEffect(
    () => () => {
      const last = latest.current;
      if (last.chosen !== null && last.chosen !== last.value) last.onSettle(last.chosen);
    },
    [],
  );
  return <SelectField {...rest} value={chosen ?? value} onChange={setChosen} />;
}
