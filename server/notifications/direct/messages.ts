/** Words of what people are told beside rules. */
export const MESSAGES = {
  somebody: 'Somebody',
  mentioned: (who: string, text: string) => `${who} mentioned you: ${text}`,
  called: (who: string) => `${who} asks for your help`,
  calledTeam: (who: string, team: string) => `${who} asks ${team} for help`,
  approvalTitle: (playbook: string) => `Approve ${playbook}?`,
  approvalBody: (who: string, resource: string | null) =>
    resource === null ? `${who} asks to run it` : `${who} asks to run it on ${resource}`,
  trigger: 'A trigger',
  open: 'Open',
} as const;
