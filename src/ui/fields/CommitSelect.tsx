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
  onChosen: (value: string) => void;
  caption?: 'beside' | 'above' | 'hidden';
}

/** `delayMs` is the pause after which a choice has settled. */
export function CommitSelect({ value, delayMs, onChosen, ...rest }: SettledSelectProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const latest = useRef({ chosen, value, onChosen });
  useEffect(() => {
    latest.current = { chosen, value, onChosen };
  });
  useEffect(() => {
    if (chosen === null) return;
    const timer = setTimeout(() => {
      setChosen(null);
      if (chosen !== latest.current.value) latest.current.onChosen(chosen);
    }, delayMs);
    return () => clearTimeout(timer);
  }, [chosen, delayMs]);
  useEffect(
    () => () => {
      const last = latest.current;
      if (last.chosen !== null && last.chosen !== last.value) last.onChosen(last.chosen);
    },
    [],
  );
  return <SelectField {...rest} value={chosen ?? value} onChange={setChosen} />;
}
