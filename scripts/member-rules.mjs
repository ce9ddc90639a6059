// Rules for oxlint, of the dialect in docs/HACKING.md: private members are #private, and points in time carry their unit.
const TIMES = /(^(time|timestamp|since|until|expires)|(At|Time|Timestamp|Since|Until|Deadline))$/;
/** In the rules of the services these are times; elsewhere they may be places in a buffer. */
const BOUNDS = /^(at|from|to|before|createdFrom|createdTo)$/;

export const privateMembers = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const visit = (node) => {
      if (node.accessibility === 'private' && node.kind !== 'constructor')
        context.report({ node, message: 'Private members are #private.' });
    };
    return { PropertyDefinition: visit, MethodDefinition: visit };
  },
};

export const timesWithUnit = {
  meta: { type: 'suggestion', schema: [{ enum: ['times', 'bounds'] }] },
  create(context) {
    const isTime = (name) => TIMES.test(name) || (context.options[0] === 'bounds' && BOUNDS.test(name));
    const visit = (node, name) => {
      if (
        node.typeAnnotation?.typeAnnotation?.type === 'TSNumberKeyword' &&
        name !== undefined &&
        isTime(name)
      )
        context.report({ node, message: 'Points in time carry their unit: createdAtMs, fromMs.' });
    };
    return {
      TSPropertySignature: (node) => visit(node, node.key.name),
      PropertyDefinition: (node) => visit(node, node.key.name),
      Identifier: (node) => visit(node, node.name),
    };
  },
};
