declare module '@ewsjs/ntlm-client' {
  export interface Type2Message {
    version: 1 | 2;
    targetName: string;
    targetInfo?: unknown;
  }
  export function createType1Message(workstation: string, target: string): string;
  export function decodeType2Message(header: string): Type2Message;
  /** The message, user name, password, workstation, domain. */
  export function createType3Message(...parts: [Type2Message, string, string, string, string]): string;
}
