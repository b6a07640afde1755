/** Words of messages, and of what became of them. */

export const MESSAGES = {
  open: 'Open',
  silence: 'Silence',
  openHistory: 'Open the history',
  several: (count: number, counts: string) => `${count} notifications: ${counts}`,
  below: (count: number) => (count === 1 ? 'Below it:' : `${count} below it:`),
  withBelow: (title: string, count: number) => `${title}, and ${count} below it`,
  templateFailed: (reason: string) => `(The template of this notification failed: ${reason})`,
  noLonger: 'no longer so after the time to wait',
  goesNoFurther: (reason: string) => `${reason}: goes no further`,
  ruleGone: 'the rule is gone',
  serviceGone: 'the service is no longer in the list of the rule',
  teamServiceGone: 'the team is told nowhere: it has no such notification in its specification',
  unreadableWay: 'the way to the recipient can not be read',
  sentBy: {
    device: 'sent to the device that was seen last',
    others: 'no device had confirmed: sent to the other devices',
    mail: 'no device had confirmed: sent by mail',
  },
  noPerson: 'the person is gone, or their account is switched off',
  noAddress: 'the person has no mail address',
  noMail: 'this server has no mail server (SMTP_URL)',
  unknown: (kind: string) => `This did not work (${kind})`,
};
