/** Text, an at sign, text, a dot, text; without white space. */
export const MAIL_ADDRESS = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;
