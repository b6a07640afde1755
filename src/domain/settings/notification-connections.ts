/** Services that notifications are sent through (contract §19.8). Their addresses are made of the other values. */
import {
  text,
  number,
  secret,
  choice,
  must,
  password,
  maybeUser,
  maybePassword,
  insecure,
  host,
  channel,
  token,
  type ConnectionType,
} from './connection-fields.ts';

export const NOTIFICATION_CONNECTIONS: readonly ConnectionType[] = [
  {
    type: 'discord',
    title: 'Discord',
    fields: [text('username', 'Webhook ID', must), token],
    url: 'discord://$(password)@{username}',
  },
  {
    type: 'email',
    title: 'Email',
    fields: [
      host,
      number('properties.port', 'Port', { ...must, initial: '587' }),
      maybeUser,
      maybePassword,
      text('properties.from', 'From Address', must),
      text('properties.fromName', 'From Name', must),
      choice('properties.encryptionMethod', 'Encryption method', {
        options: ['None', 'ExplicitTLS', 'ImplicitTLS', 'Auto'],
        initial: 'Auto',
      }),
      choice('properties.authMethod', 'SMTP Auth Method', {
        options: ['None', 'Plain', 'CRAMMD5', 'Unknown', 'OAuth2'],
        initial: 'Unknown',
      }),
      insecure,
    ],
    url:
      'smtp://$(username):$(password)@{properties.host}:{properties.port}/?UseStartTLS={insecure_tls}' +
      '&Encryption={properties.encryptionMethod}&Auth={properties.authMethod}',
  },
  {
    type: 'google_chat',
    title: 'Google Chat',
    fields: [secret('username', 'Key', must), token, text('properties.webhook', 'Webhook', must)],
    url: 'googlechat://chat.googleapis.com/v1/spaces/{properties.webhook}/messages?key=$(username)&token=$(password)',
  },
  {
    type: 'ifttt',
    title: 'IFTTT',
    // The contract's form has no name of the event, without which nothing can be sent.
    fields: [text('username', 'Webhook ID', must), text('properties.events', 'Events')],
    url: 'ifttt://{username}',
  },
  {
    type: 'mattermost',
    title: 'Mattermost',
    fields: [text('username', 'Username'), host, password, channel],
    url: 'mattermost://{username}@{properties.host}/$(password)/{properties.channel}',
  },
  {
    type: 'matrix',
    title: 'Matrix',
    fields: [text('username', 'Username'), password, host, insecure],
    url: 'matrix://{username}:$(password)@{properties.host}/?DisableTLS={insecure_tls}',
  },
  {
    type: 'ntfy',
    title: 'Ntfy',
    fields: [
      text('username', 'Username'),
      maybePassword,
      text('properties.host', 'Host', { ...must, initial: 'ntfy.sh' }),
      text('properties.topic', 'Topic', must),
      insecure,
    ],
    url: 'ntfy://{username}:$(password)@{properties.host}/{properties.topic}?Scheme={insecure_tls?http:https}',
  },
  {
    type: 'opsgenie',
    title: 'OpsGenie',
    fields: [
      text('properties.host', 'Host', { ...must, initial: 'api.opsgenie.com' }),
      number('properties.port', 'Port', { ...must, initial: '443' }),
      secret('password', 'API Key', must),
    ],
    url: 'opsgenie://{properties.host}:{properties.port}/$(password)',
  },
  {
    type: 'pushbullet',
    title: 'Pushbullet',
    fields: [token, text('properties.targets', 'Targets', must)],
    url: 'pushbullet://$(password)/{properties.targets}',
  },
  {
    type: 'pushover',
    title: 'Pushover',
    fields: [text('username', 'User', must), token],
    url: 'pushover://:$(password)@{username}/',
  },
  {
    type: 'rocketchat',
    title: 'Rocketchat',
    fields: [
      text('properties.user', 'User'),
      host,
      number('properties.port', 'Port', must),
      secret('username', 'Token A', must),
      secret('password', 'Token B', must),
      { ...channel, isRequired: true },
    ],
    url: 'rocketchat://{properties.user}@{properties.host}:{properties.port}/$(username)/$(password)/{properties.channel}',
  },
  {
    type: 'slack',
    title: 'Slack',
    fields: [
      text('username', 'Channel', must),
      secret('password', 'Bot Token', must),
      text('properties.BotName', 'Bot Name'),
    ],
    url: 'slack://$(password)@{username}',
  },
  {
    type: 'teams',
    title: 'Teams',
    fields: [
      text('properties.group', 'Group'),
      text('properties.tenant', 'Tenant', must),
      text('properties.altID', 'Alt ID', must),
      text('properties.groupOwner', 'Group Owner', must),
      text('properties.host', 'Host', { ...must, initial: 'outlook.office.com' }),
    ],
    url: 'teams://{properties.group}@{properties.tenant}/{properties.altID}/{properties.groupOwner}?host={properties.host}',
  },
  {
    type: 'telegram',
    title: 'Telegram',
    fields: [token, text('username', 'Chats', must)],
    url: 'telegram://$(password)@telegram/?Chats={username}',
  },
  {
    type: 'zulip_chat',
    title: 'Zulip Chat',
    fields: [text('username', 'Bot Mail'), secret('password', 'Bot Key', must), host],
    url: 'zulip://{username}:$(password)@{properties.host}/',
  },
  {
    type: 'generic_webhook',
    title: 'Generic Webhook',
    fields: [
      text('properties.url', 'URL', must),
      text('properties.contentType', 'Content Type', { initial: 'application/json' }),
      choice('properties.requestMethod', 'Request Method', { options: ['POST', 'GET'], initial: 'POST' }),
      text('properties.key', 'Message Key', { ...must, initial: 'message' }),
      text('properties.titleKey', 'Title Key', { ...must, initial: 'title' }),
      insecure,
    ],
    url:
      'generic+{{properties.url}}?ContentType={properties.contentType}&MessageKey={properties.key}' +
      '&TitleKey={properties.titleKey}&RequestMethod={properties.requestMethod}&DisableTLS={insecure_tls}',
  },
].map((type) => ({ ...type, isNotification: true, isTestable: true }));
