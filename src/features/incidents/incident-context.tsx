/** What every part of an incident page needs: which incident, what its reader may do, and the way to do it. */
import { createContext, useCallback, useContext, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { CommandRequest } from '../../contract/commands/all-commands.ts';
import type { ErrorFacts } from '../../contract/errors.ts';
import { sendCommand } from '../../data/commands/commands.ts';
import { may } from '../../domain/access/matrix.ts';
import { useFollowedSend, type FollowedSend } from './use-followed-send.ts';

export interface Reader {
  id: string;
  roles: readonly string[];
}

interface IncidentPower {
  incidentId: string;
  userId: string;
  roles: readonly string[];
  /** Write access by area; the server decides, this only hides. */
  access: { incident: boolean; evidences: boolean; comments: boolean; responder: boolean };
  /** Does it now, for this device; true when it is safe here. A refusal shows at the top of the page. */
  send: (request: CommandRequest) => Promise<boolean>;
  /** The same, and tells what the server made of it, for as long as the page of the incident is open. */
  follow: FollowedSend;
  /** Why the last write wasn't even kept here. */
  problem: ErrorFacts | null;
  forgetProblem: () => void;
}

const Context = createContext<IncidentPower | null>(null);

/** Give it the incident's id as key: what it keeps belongs to one incident. */
export function IncidentProvider(props: { incidentId: string; reader: Reader; children: ReactNode }) {
  const { incidentId, reader, children } = props;
  const [problem, setProblem] = useState<ErrorFacts | null>(null);
  const send = useCallback(async (request: CommandRequest) => {
    const answer = await sendCommand(request);
    setProblem(answer.ok ? null : answer.error);
    return answer.ok;
  }, []);
  const follow = useFollowedSend();
  const power = useMemo<IncidentPower>(() => {
    const canWrite = (area: 'incident' | 'evidences' | 'comments' | 'responder') =>
      may(reader.roles, area, 'write');
    return {
      incidentId,
      userId: reader.id,
      roles: reader.roles,
      access: {
        incident: canWrite('incident'),
        evidences: canWrite('evidences'),
        comments: canWrite('comments'),
        responder: canWrite('responder'),
      },
      send,
      follow,
      problem,
      forgetProblem: () => setProblem(null),
    };
  }, [incidentId, reader, send, follow, problem]);
  return <Context value={power}>{children}</Context>;
}

/** The incident that this is part of. */
export function useIncident(): IncidentPower {
  const power = useContext(Context);
  if (power === null) throw new Error('IncidentProvider is missing');
  return power;
}
