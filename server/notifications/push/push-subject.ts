/** Whom a push service may write to about this server (RFC 8292): its address when it is public, else its mail. */
export function pushSubject(publicUrl: string, mailFrom: string): string {
  if (publicUrl.startsWith('https://')) return new URL(publicUrl).origin;
  // `Holdfast <holdfast@example.com>` or the address alone.
  return `mailto:${/<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom}`;
}
