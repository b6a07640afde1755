/** What every part of an incident page needs: which incident, what its reader may do, and the way to do it. */
import { createContext, useCallback, useContext, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { CommandRequest } from '../../contract/commands/all-commands.ts';
import type { ErrorFacts } from '../../contract/errors.ts';
import { sendCommand } from '../../data/commands.ts';
import { may } from '../../domain/access/matrix.ts';

export interface Reader {
  id: string;
  roles: readonly string[];
}

interface IncidentPower {
  incidentId: string;
  userId: string;
  /** Write access by area; the server decides, this only hides. */
  access: { incident: boolean; evidences: boolean; comments: boolean; responder: boolean };
  /** Does it now, for this device; true when it is safe here. A refusal shows at the top of the page. */
  send: (request: CommandRequest) => Promise<boolean>;
  /** Why the last write wasn't even kept here. */
  problem: ErrorFacts | null;
  forgetProblem: () => void;
}

const Context = createContext<IncidentPower | null>(null);

export function IncidentProvider(props: { incidentId: string; reader: Reader; children: ReactNode }) {
  const { incidentId, reader, children } = props;
  const [problem, setProblem] = useState<ErrorFacts | null>(null);
  const send = useCallback(async (request: CommandRequest) => {
    const answer = await sendCommand(request);
    setProblem(answer.ok ? null : answer.error);
    return answer.ok;
  }, []);
  const power = useMemo<IncidentPower>(() => {
    const canWrite = (area: 'incident' | 'evidences' | 'comments' | 'responder') =>
      may(reader.roles, area, 'write');
    return {
      incidentId,
      userId: reader.id,
      access: {
        incident: canWrite('incident'),
        evidences: canWrite('evidences'),
        comments: canWrite('comments'),
        responder: canWrite('responder'),
      },
      send,
      problem,
      forgetProblem: () => setProblem(null),
    };
  }, [incidentId, reader, send, problem]);
  return <Context value={power}>{children}</Context>;
}

/** The incident that this is part of. */
export function useIncident(): IncidentPower {
  const power = useContext(Context);
  if (power === null) throw new Error('IncidentProvider is missing');
  return power;
}
