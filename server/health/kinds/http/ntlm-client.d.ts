declare module '@ewsjs/ntlm-client' {
  export interface Type2Message {
    version: 1 | 2;
    targetName: string;
    targetInfo?: unknown;
  }
  export function createType1Message(workstation: string, target: string): string;
  export function decodeType2Message(header: string): Type2Message;
  export function createType3Message(
    message: Type2Message,
    username: string,
    password: string,
    workstation: string,
    target: string,
  ): string;
}
