// Which exported functions and classes of a file say nothing of what they are for.

/** Names of exported functions and classes without a comment that ends right above them. */
export function bareExports({ program, comments, source }) {
  const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'));
  return program.body.flatMap((node) => {
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : null;
    if (declared === null || declared === undefined) return [];
    const first = declared.declarations?.[0];
    const isFunction =
      ['FunctionDeclaration', 'ClassDeclaration'].includes(declared.type) ||
      ['ArrowFunctionExpression', 'FunctionExpression'].includes(first?.init?.type);
    if (!isFunction) return [];
    const hasDoc = docs.some(({ end }) => end <= node.start && source.slice(end, node.start).trim() === '');
    return hasDoc ? [] : [declared.id?.name ?? first?.id?.name];
  });
}
