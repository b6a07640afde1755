/** What data sets of other servers need: they leave a text that nobody wrote out. */
export const up = `
alter table incidents alter column description set default '';
alter table artifacts alter column checksum set default '';
`;
