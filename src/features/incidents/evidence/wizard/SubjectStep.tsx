/** The second step: what this device has of the chosen type, found as it is typed. */
import { useState } from 'react';
import type { EvidenceType } from '../../../../domain/incident/incident.ts';
import { SearchBox } from '../../../../ui/fields/SearchBox.tsx';
import { CandidateList } from './CandidateList.tsx';
import type { Chosen } from './candidate.ts';
import { messages } from './messages.ts';
import { useChangeCandidates, useInsightCandidates } from './use-catalog-candidates.tsx';
import {
  useCheckCandidates,
  useComponentCandidates,
  useConfigCandidates,
} from './use-subject-candidates.tsx';
import classes from './wizard.module.css';

/** The types whose subjects are looked up on this device. */
export type SubjectType = Exclude<EvidenceType, 'log' | 'comment'>;

/** Each type has its own question; which one is asked never changes while a list is shown. */
const CANDIDATES = {
  config: useConfigCandidates,
  config_change: useChangeCandidates,
  config_analysis: useInsightCandidates,
  topology: useComponentCandidates,
  check: useCheckCandidates,
} as const;

interface SubjectStepProps {
  type: SubjectType;
  chosen: Chosen;
  onChosen: (chosen: Chosen) => void;
}

function Found({ type, search, ...rest }: SubjectStepProps & { search: string }) {
  const useCandidates = CANDIDATES[type];
  return <CandidateList {...useCandidates(search)} {...rest} />;
}

/** Works without a network: what is found is on this device. */
export function SubjectStep(props: SubjectStepProps) {
  const [search, setSearch] = useState('');
  return (
    <>
      <SearchBox
        label={messages.search}
        placeholder={messages.search}
        clearLabel={messages.clear}
        seed=""
        seedId={0}
        onChange={setSearch}
        inputRef={(input) => input?.setAttribute('data-autofocus', '')}
        className={classes.search ?? ''}
      />
      <div className={classes.scroll}>
        <Found key={props.type} {...props} search={search.trim()} />
      </div>
    </>
  );
}
