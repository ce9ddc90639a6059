// Rules for oxlint, of the dialect in docs/HACKING.md: private members are #private, and points in time carry their unit.
const TIMES = /(^(time|timestamp|since|until|expires|now)|(At|Time|Timestamp|Since|Until|Deadline))$/;
const DURATIONS = /(^|[a-z])([tT]imeout|[dD]elay|[iI]nterval|[dD]uration|[tT]tl|[lL]ifetime)$/;
/** Of what is taken from a clock. */
const MOMENTS = /^(before|after|since|until|started|ended|from|to)$/;
/** In the rules of the services these are times; elsewhere they may be places in a buffer. */
const BOUNDS = /^(at|from|to|before|createdFrom|createdTo)$/;

export const privateMembers = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const visit = (node) => {
      // What a library declares as protected can only be overridden as it is.
      const isHidden =
        node.accessibility === 'private' || (node.accessibility === 'protected' && !node.override);
      if (isHidden && node.kind !== 'constructor')
        context.report({ node, message: 'Private members are #private.' });
    };
    return { PropertyDefinition: visit, MethodDefinition: visit };
  },
};

const isNumber = (type) =>
  type?.type === 'TSNumberKeyword' ||
  type?.type === 'TSBigIntKeyword' ||
  (type?.type === 'TSUnionType' && type.types.some(isNumber));

/** `x = 0`: a number by what it is without a caller's word. */
const isNumeric = (node) =>
  node.type === 'UnaryExpression'
    ? isNumeric(node.argument)
    : node.type === 'Literal' && (typeof node.value === 'number' || typeof node.value === 'bigint');

/** `clock.now()`, `Date.now() - x`. */
const isNow = (node) =>
  node?.type === 'BinaryExpression'
    ? isNow(node.left) || isNow(node.right)
    : node?.type === 'CallExpression' && node.callee.property?.name === 'now';

export const timesWithUnit = {
  meta: { type: 'suggestion', schema: [{ enum: ['times', 'bounds'] }] },
  create(context) {
    const isTime = (name) =>
      TIMES.test(name) || DURATIONS.test(name) || (context.options[0] === 'bounds' && BOUNDS.test(name));
    const report = (node) =>
      context.report({ node, message: 'Times carry their unit: createdAtMs, fromMs, timeoutMs.' });
    const visit = (node, name) => {
      if (name !== undefined && isNumber(node.typeAnnotation?.typeAnnotation) && isTime(name)) report(node);
    };
    return {
      TSPropertySignature: (node) => visit(node, node.key.name),
      PropertyDefinition: (node) => visit(node, node.key.name),
      Identifier: (node) => visit(node, node.name),
      AssignmentPattern: ({ left, right }) => {
        if (left.type === 'Identifier' && !left.typeAnnotation && isNumeric(right) && isTime(left.name))
          report(left);
      },
      VariableDeclarator: ({ id, init }) => {
        if (id.name !== undefined && MOMENTS.test(id.name) && isNow(init)) report(id);
      },
    };
  },
};
