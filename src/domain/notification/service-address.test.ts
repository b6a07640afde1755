import { describe, expect, it } from 'vitest';
import { serviceAddress, type ServiceValues } from './service-address.ts';

const EMPTY: ServiceValues = {
  type: '',
  url: '',
  username: '',
  password: '',
  properties: {},
  isInsecureTls: false,
};
const ofUrl = (url: string) => serviceAddress({ ...EMPTY, url });

describe('the address of a service', () => {
  it.each([
    ['discord://to%2Fken@123', 'https://discord.com', { token: 'to/ken', id: '123' }],
    [
      'telegram://110:ABC@telegram/?Chats=@ops,5',
      'https://api.telegram.org',
      { token: '110:ABC', chats: '@ops,5' },
    ],
    ['slack://xoxb-1-2@#alerts', 'https://slack.com', { token: 'xoxb-1-2', channel: '#alerts' }],
    ['slack://hook:A-B-C@webhook', 'https://hooks.slack.com', { token: 'hook:A-B-C' }],
    ['pushover://:tok@user/', 'https://api.pushover.net', { token: 'tok', user: 'user' }],
    [
      'ntfy://u:p@ntfy.example/ops?Scheme=http',
      'http://ntfy.example',
      { user: 'u', password: 'p', topic: 'ops' },
    ],
    ['mattermost://bot@mm.example:8443/tok/ops', 'https://mm.example:8443', { token: 'tok', channel: 'ops' }],
    ['rocketchat://bot@rc.example:3000/a/b/@ann', 'https://rc.example:3000', { tokena: 'a', tokenb: 'b' }],
    ['matrix://u:p@m.example/?DisableTLS=yes', 'http://m.example', { user: 'u', password: 'p' }],
    ['opsgenie://api.eu.opsgenie.com:443/key', 'https://api.eu.opsgenie.com:443', { token: 'key' }],
    [
      'teams://g@t/alt/own?host=x.webhook.office.com',
      'https://x.webhook.office.com',
      { group: 'g', tenant: 't' },
    ],
    ['gotify://push.example/base/tok', 'https://push.example', { token: 'tok', path: 'base' }],
    ['smtp://u:p@mail.example:2525/?from=a@b.c', 'smtp://mail.example:2525', { user: 'u', from: 'a@b.c' }],
    ['generic+http://hook.example/x?key=1', 'http://hook.example', {}],
    ['generic://hook.example/x', 'https://hook.example', {}],
  ])('%s', (url, origin, parts) => {
    const address = ofUrl(url);
    expect(address?.origin).toBe(origin);
    expect(address?.parts).toMatchObject(parts);
  });

  it('is what the columns of a connection say, whatever their address says', () => {
    const url = 'slack://%24@';
    expect(
      serviceAddress({ ...EMPTY, type: 'slack', url, username: '#ops', password: 'xoxb' })?.parts,
    ).toMatchObject({ channel: '#ops', token: 'xoxb' });
    expect(
      serviceAddress({ ...EMPTY, type: 'generic_webhook', url: 'generic+undefined?RequestMethod=GET' }),
    ).toBeNull();
  });

  it('of a webhook keeps what belongs to the service, and takes nothing of it for its own', () => {
    const typed = 'https://hook.example/in?token=a%20b';
    const properties = { url: typed, contentType: 'application/json', key: 'text' };
    const made = `generic+${typed}?ContentType=application%2Fjson&MessageKey=text&RequestMethod=POST`;
    const form = serviceAddress({ ...EMPTY, type: 'generic_webhook', url: made, properties });
    expect(form).toMatchObject({ url: typed, parts: { contenttype: 'application/json', key: 'text' } });
    const gateway = 'https://sms.example/send?key=k&user=me&password=pw&MessageKey=text';
    expect(ofUrl(gateway)).toMatchObject({ url: gateway, parts: { messagekey: 'text' } });
    expect(Object.keys(ofUrl(gateway)?.parts ?? {})).toEqual(['messagekey']);
  });

  it('is a server of one’s own where the connection has an address of the web', () => {
    const own = { ...EMPTY, type: 'telegram', url: 'http://127.0.0.1:81', password: 't' };
    expect(serviceAddress(own)?.origin).toBe('http://127.0.0.1:81');
  });

  it('is none where nothing is known of it', () => {
    for (const url of ['', 'nonsense', 'ftp://x', 'ntfy://', 'postgres://x/y']) expect(ofUrl(url)).toBeNull();
    expect(serviceAddress({ ...EMPTY, type: 'postgres', url: 'postgres://x/y' })).toBeNull();
  });
});
