/**
 * The cookies of the built-in identity: SameSite=Lax, Secure where the site is https, and HttpOnly but for sessions on
 * shared tablets (docs/decisions/0057).
 */
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_ABSOLUTE_MS } from '../sessions/sessions.ts';

/** The contract's name (schema §3.4). */
const SESSION_COOKIE = 'ory_kratos_session';
/** Binds a sign-in form to the browser that asked for it. */
const CSRF_COOKIE = 'holdfast_csrf';
/** Knows a device that signed in before, so that strangers can't use up its attempts; grants nothing. */
const DEVICE_COOKIE = 'holdfast_device';

/** Knows a tablet that people hand over; opens nothing by itself. */
const TABLET_COOKIE = 'holdfast_tablet';

const YEAR_SECONDS = 31_536_000;
/** Browsers cut longer ones. */
const MAX_COOKIE_SECONDS = 400 * 86_400;
const TOKEN = /^[\da-f]{64}$/;

function attributes(request: FastifyRequest): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: request.isHttpsSite };
}

/** A cookie's value when it has the form of our tokens; anything else is as good as none. */
function tokenIn(request: FastifyRequest, name: string): string | null {
  const value = request.cookies[name];
  return value !== undefined && TOKEN.test(value) ? value : null;
}

/** Null without the cookie. */
export const sessionTokenOf = (request: FastifyRequest) => tokenIn(request, SESSION_COOKIE);
/** Null without the cookie. */
export const csrfCookieOf = (request: FastifyRequest) => tokenIn(request, CSRF_COOKIE);
/** Null without the cookie. */
export const deviceTokenOf = (request: FastifyRequest) => tokenIn(request, DEVICE_COOKIE);

/** Lives as long as a session can at most. */
export function setSession(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(SESSION_COOKIE, token, {
    ...attributes(request),
    maxAge: Math.floor(SESSION_ABSOLUTE_MS / 1000),
  });
}

/** Of a wall: as long as browsers keep one. */
export function setWallSession(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(SESSION_COOKIE, token, { ...attributes(request), maxAge: MAX_COOKIE_SECONDS });
}

/** Takes the cookie away at sign-out. */
export function clearSession(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(SESSION_COOKIE, attributes(request));
}

/** Until the browser is closed. */
export function setCsrf(request: FastifyRequest, reply: FastifyReply, value: string): void {
  reply.setCookie(CSRF_COOKIE, value, attributes(request));
}

/** For a year: it tells whether somebody signs in on a device for the first time. */
export function setDevice(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(DEVICE_COOKIE, token, { ...attributes(request), maxAge: YEAR_SECONDS });
}

/** Null without the cookie. */
export const tabletTokenOf = (request: FastifyRequest) => tokenIn(request, TABLET_COOKIE);

/** As long as browsers keep one. */
export function setTablet(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(TABLET_COOKIE, token, { ...attributes(request), maxAge: MAX_COOKIE_SECONDS });
}

/** The tablet was revoked. */
export function clearTablet(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(TABLET_COOKIE, attributes(request));
}

/** A session that the page locks away and takes out again: until the browser is closed, and readable to it. */
export function setTabletSession(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(SESSION_COOKIE, token, { ...attributes(request), httpOnly: false });
}
