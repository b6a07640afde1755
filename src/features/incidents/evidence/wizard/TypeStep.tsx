import {
  IconBox,
  IconBulb,
  IconFileText,
  IconGitCommit,
  IconHeartbeat,
  IconMessage,
  IconTopologyStar3,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { EVIDENCE_TYPES, type EvidenceType } from '../../../../domain/incident/incident.ts';
import { messages } from './messages.ts';
import classes from './wizard.module.css';

const ICONS: Readonly<Record<EvidenceType, Icon>> = {
  log: IconFileText,
  config: IconBox,
  config_change: IconGitCommit,
  config_analysis: IconBulb,
  topology: IconTopologyStar3,
  check: IconHeartbeat,
  comment: IconMessage,
};

/** The first step: seven tiles, each leads on at once. */
export function TypeStep({ onChoose }: { onChoose: (type: EvidenceType) => void }) {
  return (
    <ul className={classes.tiles}>
      {EVIDENCE_TYPES.map((type) => {
        const Shape = ICONS[type];
        const { name, hint } = messages.tiles[type];
        return (
          <li key={type}>
            <button type="button" className={classes.tile} onClick={() => onChoose(type)}>
              <Shape size={20} stroke={1.5} aria-hidden />
              <span className={classes.tileText}>
                <strong>{name}</strong>
                <span className={classes.hint}>{hint}</span>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
