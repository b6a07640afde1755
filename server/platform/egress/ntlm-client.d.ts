declare module '@ewsjs/ntlm-client' {
  interface Type2Message {
    version: 1 | 2;
    targetName: string;
    targetInfo?: unknown;
  }
  const messages: {
    createType1Message: (workstation: string, target: string) => string;
    decodeType2Message: (header: string) => Type2Message;
    /** The message, user name, password, workstation, domain. */
    createType3Message: (...parts: [Type2Message, string, string, string, string]) => string;
  };
  export = messages;
}
