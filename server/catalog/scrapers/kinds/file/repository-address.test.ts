import { expect, test } from 'vitest';
import { repositoryAddress } from './repository-address.ts';

const SHOP = { url: 'https://github.com/acme/shop.git', name: 'github.com/acme/shop', folder: '', ref: null };
const OWN = { url: 'http://git.example.com:3000/a/shop.git', folder: '', ref: null };

test.each([
  ['github.com/acme/shop', SHOP],
  ['github.com/acme/shop?ref=v1', { ...SHOP, ref: 'v1' }],
  ['github.com/acme/shop//deploy/prod/?ref=', { ...SHOP, folder: 'deploy/prod' }],
  ['github.com/acme/shop/deploy', { ...SHOP, folder: 'deploy' }],
  ['git::github.com/acme/shop', SHOP],
  ['https://github.com/acme/shop', { ...SHOP, name: 'https://github.com/acme/shop' }],
  [
    'gitlab.com/acme/shop.git',
    { ...SHOP, url: 'https://gitlab.com/acme/shop.git', name: 'gitlab.com/acme/shop.git' },
  ],
  ['http://git.example.com:3000/a/shop.git', { ...OWN, name: OWN.url }],
  ['http://git.example.com:3000/a/shop.git//x?ref=main', { ...OWN, name: OWN.url, folder: 'x', ref: 'main' }],
  [
    'git::https://git.example.com/shop//a%20b',
    { url: 'https://git.example.com/shop', name: 'https://git.example.com/shop', folder: 'a b', ref: null },
  ],
])('%s is a repository', (text, address) => {
  expect(repositoryAddress(text)).toEqual(address);
});

test.each([
  '',
  '/files/x.json',
  'not an address',
  'https://example.com/hosts.json?ref=1',
  'https://example.com//hosts.json',
  'https://github.com/acme/shop/raw/main/hosts.json',
  'https://raw.githubusercontent.com/acme/shop/main/x.json',
])('%j is no repository', (text) => {
  expect(repositoryAddress(text)).toBeNull();
});

test.each([
  ['git@github.com:acme/shop.git', 'over http(s)'],
  ['ssh://git@github.com/acme/shop.git', 'over http(s)'],
  ['s3::https://s3.amazonaws.com/bucket/x', 'over http(s)'],
  ['git::ssh://github.com/acme/shop', 'over http(s)'],
  ['git::file:///etc', 'not a repository at an http:// or https:// address'],
  ['git::shop', 'not a repository at an http:// or https:// address'],
  ['https://me:secret@github.com/acme/shop.git', 'name a connection'],
])('%s is refused', (text, reason) => {
  expect(() => repositoryAddress(text)).toThrow(reason);
});
