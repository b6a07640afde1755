/** Matrix (https://spec.matrix.org/latest/client-server-api): signs in, finds the rooms, writes one message into each. */
import { ask, isTaken, jsonOf, refusalOf } from './call-service.ts';
import { MESSAGES } from './messages.ts';
import { jsonCall, type OutgoingNotification, type SenderContext, type SendOutcome } from './sender.ts';
import { need, optionOf } from './service-options.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

const API = '/_matrix/client/v3';
const ROOMS_SEPARATOR = /[,\s]+/;

type Asked<Value> = { value: Value } | { outcome: SendOutcome };

async function tokenOf(context: SenderContext): Promise<Asked<string>> {
  const { address } = context;
  const user = address.parts['user'] ?? '';
  const password = need(address, 'password');
  // Without a user it is the token of one.
  if (user === '') return { value: password };
  const identifier = { type: 'm.id.user', user };
  // Transactions belong to a device: another one would show a repeated message twice.
  const device = { device_id: 'HOLDFAST', initial_device_display_name: 'Holdfast' };
  const body = { type: 'm.login.password', identifier, password, ...device };
  const answer = await ask(jsonCall(`${address.origin}${API}/login`, body), context);
  if (!isTaken(answer)) return { outcome: refusalOf(answer, context) };
  const { access_token: token } = jsonOf(answer);
  if (typeof token === 'string') return { value: token };
  return { outcome: { kind: 'failed', reason: MESSAGES.missing('matrix', 'access_token') } };
}

async function roomsOf(
  message: OutgoingNotification,
  context: SenderContext,
  headers: Record<string, string>,
): Promise<Asked<string[]>> {
  const { address } = context;
  const named = optionOf(message, address, 'rooms')
    .split(ROOMS_SEPARATOR)
    .filter((room) => room !== '');
  const rooms: string[] = [];
  for (const room of named) {
    if (room.startsWith('!')) {
      rooms.push(room);
      continue;
    }
    const alias = room.startsWith('#') ? room : `#${room}:${new URL(address.origin).host}`;
    const url = `${address.origin}${API}/directory/room/${encodeURIComponent(alias)}`;
    const answer = await ask({ method: 'GET', url, headers }, context);
    if (!isTaken(answer)) return { outcome: refusalOf(answer, context) };
    const { room_id: id } = jsonOf(answer);
    if (typeof id === 'string') rooms.push(id);
  }
  if (named.length > 0) return { value: rooms };
  const answer = await ask({ method: 'GET', url: `${address.origin}${API}/joined_rooms`, headers }, context);
  if (!isTaken(answer)) return { outcome: refusalOf(answer, context) };
  const { joined_rooms: joined } = jsonOf(answer);
  return { value: Array.isArray(joined) ? joined.filter((room) => typeof room === 'string') : [] };
}

const ESCAPES = lookupTable<string>({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' });
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

function contentOf({ title, body, links = [] }: OutgoingNotification): object {
  const shown = links.map(({ label, url }) => `<a href="${escaped(url)}">${escaped(label)}</a>`);
  const html = [`<strong>${escaped(title)}</strong>`, escaped(body).replaceAll('\n', '<br>'), ...shown];
  return {
    msgtype: 'm.text',
    body: [title, body, ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n'),
    format: 'org.matrix.custom.html',
    formatted_body: html.join('<br>'),
  };
}

/** Into the rooms that are named, else into all that the user is in. The key of a message makes a second one the same. */
export async function sendMatrix(
  message: OutgoingNotification,
  context: SenderContext,
): Promise<SendOutcome> {
  const token = await tokenOf(context);
  if ('outcome' in token) return token.outcome;
  const headers = { authorization: `Bearer ${token.value}` };
  const rooms = await roomsOf(message, context, headers);
  if ('outcome' in rooms) return rooms.outcome;
  if (rooms.value.length === 0) return { kind: 'failed', reason: MESSAGES.missing('matrix', 'rooms') };
  let failure: SendOutcome | null = null;
  for (const room of rooms.value) {
    const path = `rooms/${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(message.key)}`;
    const url = `${context.address.origin}${API}/${path}`;
    const answer = await ask({ ...jsonCall(url, contentOf(message), headers), method: 'PUT' }, context);
    const refusal = isTaken(answer) ? null : refusalOf(answer, context);
    if (refusal?.kind === 'later') return refusal;
    failure ??= refusal;
  }
  return failure ?? { kind: 'sent' };
}
